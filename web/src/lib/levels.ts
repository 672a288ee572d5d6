// The levels of the engine, as the server said last if it can't be reached.

import { call, Unreachable, type Schemas } from './api';
import { browser } from './storage';

const KEY = 'riga-levels';

export async function levels(): Promise<Schemas['LevelView'][]> {
  try {
    const found = await call<Schemas['LevelView'][]>('GET', '/api/levels');
    browser.write(KEY, found);
    return found;
  } catch (error) {
    const known = browser.read(KEY) as Schemas['LevelView'][] | null;
    if (!(error instanceof Unreachable) || !known) throw error;
    return known;
  }
}
