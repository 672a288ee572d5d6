// Rules, game trees, PGN and live games in this page.

import { Crash, Door, type CoreCalls } from './door';
import { compile, coreAddress } from './modules';

/** The core: `core.call('look', { study, node })`, at once and without a server. */
export type Core = Door<CoreCalls>;

let loading: Promise<Core> | undefined;

/** The core of this page, loaded once; undefined if it wasn't built. */
export function useCore(): Promise<Core> | undefined {
  const address = coreAddress();
  if (address === undefined) return undefined;
  loading ??= compile(address).then((module) => new Door<CoreCalls>(module));
  // A failed download is tried again next time.
  loading.catch(() => (loading = undefined));
  return loading;
}

/** After a crash, studies and games are gone: the next `useCore` starts with an empty core. */
export function forgetCore(error: unknown): void {
  if (error instanceof Crash) loading = undefined;
}
