// Starts and writes games in this browser, by the core module.

import { Unreachable, type Schemas, type Side } from '../api';
import { boards } from '../boards';
import { keepSeat, newSecret } from '../seats';
import { session } from '../session.svelte';
import { find, newId, put, type SavedGame } from './shelf';

/** Whether a game can be played without the server. */
export const possible = ({ opponent, rated }: Schemas['NewGame']) => opponent.type !== 'friend' && rated !== true;

/** Starts a game in this browser and returns its id. */
export async function startHere(asked: Schemas['NewGame']): Promise<string> {
  const core = await boards();
  if (!core.edits || !possible(asked)) throw new Unreachable();
  const [id, seat, user] = [newId(), newSecret(), session.me?.user];
  const side: Side = asked.side ?? (Math.random() < 0.5 ? 'white' : 'black');
  const wanted = { ...asked, side, rated: false };
  const chance = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const question = { id, game: { ...wanted, name: user?.name ?? asked.name ?? null }, chance, now: Date.now() };
  const { game } = await core.call('start_game', question);
  const saved = await core.call('save_game', { game });
  await core.call('close_game', { game });
  await put({ id, wanted, saved, seat, user: user?.id ?? null });
  keepSeat(id, seat);
  return id;
}

/** A game as PGN. */
export async function writeHere(id: string): Promise<{ pgn: string; saved: SavedGame }> {
  const kept = await find(id);
  if (!kept) throw new Unreachable();
  const core = await boards();
  const { game } = await core.call('restore_game', { saved: kept.saved, now: Date.now() });
  const { pgn } = await core.call('write_game', { game });
  await core.call('close_game', { game });
  return { pgn, saved: kept.saved };
}

/** A finished game, as the server takes it. */
export function finished({ wanted, saved }: { wanted: Schemas['NewGame']; saved: SavedGame }): Schemas['OfflineGame'] {
  const { rules, start, created, moves, clocks, outcome } = saved;
  return { game: { ...wanted, rules, fen: start, array: null }, created, moves, clocks, outcome: outcome ?? null };
}
