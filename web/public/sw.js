// Shows a page when the server can't be reached, and caches scripts and images. Games live on the server: nothing
// under /api is cached.

const CACHE = 'riga-3';
const OFFLINE = '/offline.html';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(OFFLINE)));
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

/** Files under /assets/ never change: a new version has a new name. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(request);
  if (known) return known;
  const found = await fetch(request);
  if (found.ok) {
    const copy = found.clone();
    await prune(cache);
    // If the disk is full, nothing is cached; the page still gets its response.
    await cache.put(request, copy).catch(() => undefined);
  }
  return found;
}

/** Maximum number of cached files: enough for a few versions. */
const MOST = 100;

/** Evicts the oldest files. */
async function prune(cache) {
  const names = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith('/assets/'));
  await Promise.all(names.slice(0, Math.max(0, names.length - MOST + 1)).map((name) => cache.delete(name)));
}
