// Says so when there is no connection, and keeps the scripts and pictures of the app. Games are the server's: nothing
// of /api is kept.

const CACHE = 'riga-2';
const OFFLINE = '/offline.html';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([OFFLINE, '/icon.svg'])));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin || url.pathname.startsWith('/api/')) return;
  if (request.mode === 'navigate') {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  } else if (url.pathname.startsWith('/assets/')) {
    event.respondWith(kept(request));
  }
});

/** What is under /assets/ never changes: its name would. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const found = await fetch(request);
  if (found.ok) {
    const copy = found.clone();
    await prune(cache);
    // A disk that is full keeps nothing; the page has what it asked for.
    await cache.put(request, copy).catch(() => undefined);
  }
  return found;
}

/** The most files to keep: those of a few versions. */
const MOST = 100;

/** Forgets the oldest files. */
async function prune(cache) {
  const names = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith('/assets/'));
  await Promise.all(names.slice(0, Math.max(0, names.length - MOST + 1)).map((name) => cache.delete(name)));
}
