// The service worker: keeps all files of the app, so that it opens without a server. Games and everything else under
// /api go to the server, or to the core module if it is away.

import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

declare const self: { skipWaiting(): Promise<void> };
/** All files, put here by the build. */
declare const FILES: PrecacheEntry[];

/** How long to wait for the server when a page is opened, in milliseconds. */
const PATIENCE = 4000;

void self.skipWaiting();
clientsClaim();
cleanupOutdatedCaches();
// The page itself comes from the server if it is there: it may be newer.
precacheAndRoute(FILES, { directoryIndex: '', cleanURLs: false });

registerRoute(
  ({ request }) => request.mode === 'navigate',
  async ({ request }) => {
    const late = new Promise<never>((_, reject) => setTimeout(reject, PATIENCE));
    try {
      return await Promise.race([fetch(request), late]);
    } catch {
      return (await matchPrecache('/index.html')) ?? Response.error();
    }
  },
);

// What isn't kept from the start, such as the engine for browsers without SIMD. The names contain a hash.
registerRoute(({ url }) => url.pathname.startsWith('/assets/'), new CacheFirst({ cacheName: 'riga-assets' }));
