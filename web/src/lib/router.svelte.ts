// Chooses the page by the URL's path.

export interface Route {
  page: 'start' | 'play' | 'analysis' | 'review' | 'games' | 'library' | 'puzzles' | 'statistics' | 'settings' | 'account' | 'help' | 'unknown';
  /** The game id, for pages that show a game. */
  game?: string;
  /** The collection, for the page that shows one. */
  collection?: string;
}

/** A part of the path as it was before it was put into an address; as it is, if it isn't one. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parse(path: string): Route {
  const [first = '', second] = path.split('/').filter(Boolean);
  switch (first) {
    case '':
      return { page: 'start' };
    case 'play':
      return second === undefined ? { page: 'start' } : { page: 'play', game: second };
    case 'analysis':
    case 'review':
      return second === undefined ? { page: first } : { page: first, game: second };
    case 'library':
      return second === undefined ? { page: 'unknown' } : { page: 'library', collection: decoded(second) };
    case 'games':
    case 'puzzles':
    case 'statistics':
    case 'settings':
    case 'account':
    case 'help':
      return second === undefined ? { page: first } : { page: 'unknown' };
    default:
      return { page: 'unknown' };
  }
}

class Router {
  route = $state<Route>({ page: 'start' });
  query = $state(new URLSearchParams());

  constructor() {
    this.#read();
    window.addEventListener('popstate', () => this.#read());
  }

  /** Navigates without a page load. */
  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#read();
    window.scrollTo(0, 0);
    // Screen reader and keyboard users start at the new page, not where they left the old one.
    document.getElementById('content')?.focus({ preventScroll: true });
  }

  /** The same page has another address from now on. */
  rename(path: string): void {
    history.replaceState(null, '', path);
  }

  #read(): void {
    this.route = parse(window.location.pathname);
    this.query = new URLSearchParams(window.location.search);
  }
}

export const router = new Router();

/** Handles internal links; other links and modified clicks are left to the browser. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
    return;
  }
  const link = (event.target as Element | null)?.closest('a');
  if (!link || link.target || 'reload' in link.dataset || link.hasAttribute('download') || link.origin !== window.location.origin) return;
  if (link.pathname.startsWith('/api/')) return;
  event.preventDefault();
  router.go(link.pathname + link.search + link.hash);
}
