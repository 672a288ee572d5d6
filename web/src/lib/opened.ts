// Opens what the analysis board shows, and saves it: a stored game, a position, a text, or what was on the board before.

import { call, importPgn, ProblemError, putPgn, text, Told, type GameView, type Side } from './api';
import { t } from './i18n.svelte';
import { writeHere } from './offline/here';
import { isHere } from './offline/shelf';
import { seatOf } from './seats';
import { session } from './session.svelte';
import { tab } from './storage';
import type { Study, Written } from './study.svelte';
import { movesTo } from './tree';

/** What is kept for when the user comes back to the page. */
interface Kept {
  /** The stored game that it belongs to. */
  id?: string | undefined;
  /** All games of the text that was read, unless there are too many. */
  pgn: string;
  /** Which of them is on the board. */
  index?: number;
  moves: string[];
  orientation: Side;
  changed: boolean;
}

const KEY = 'riga-analysis';

/** A FEN has eight ranks; a PGN has none before its first move. */
export const isFen = (given: string) => /^[^\s/]+(\/[^\s/]+){7}(\s|$)/.test(given.trim());

/** The text of a file: UTF-8, or else what older programs write. */
export async function textOf(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Opens a FEN or a PGN. Returns what could not be read as written. */
export async function openText(study: Study, given: string): Promise<string[]> {
  if (isFen(given)) {
    await study.open(given.trim());
    return [];
  }
  const before = study.number;
  const remarks = await study.read(given);
  if (study.number === before) throw new Told(remarks[0] ?? t().analysis.noGame);
  return remarks;
}

/** Opens a stored game at its end; returns the side to see it from. */
export async function openGame(study: Study, id: string): Promise<Side> {
  const { players, pgn } = await storedGame(id);
  await study.read(pgn);
  await study.show(study.tree.mainLine().at(-1) ?? study.tree.root);
  return sideIn(players);
}

/** Opens a game of a collection after some moves. */
export async function openCollected(study: Study, collection: string, number: string, ply: number): Promise<void> {
  await study.read(await text(`/api/library/${encodeURIComponent(collection)}/games/${encodeURIComponent(number)}`));
  const node = ply > 0 ? study.tree.mainLine()[ply - 1] : undefined;
  if (node) await study.show(node);
}

type Players = Pick<GameView, 'white' | 'black'>;

export interface StoredGame {
  players: Players;
  pgn: string;
  over: boolean;
}

/** A game of the server, or of this browser. */
export async function storedGame(id: string): Promise<StoredGame> {
  if (isHere(id)) {
    const { saved, pgn } = await writeHere(id);
    return { players: saved, pgn, over: saved.over };
  }
  const seat = seatOf(id);
  const [players, pgn] = await Promise.all([call<GameView>('GET', `/api/games/${id}`, undefined, seat), text(`/api/games/${id}/pgn`, seat)]);
  return { players, pgn, over: players.status === 'finished' };
}

/** The side that this user played, or else White. */
export function sideIn({ white, black }: Players): Side {
  const me = session.me?.user?.id;
  if (me !== undefined && (white.user === me) !== (black.user === me)) return black.user === me ? 'black' : 'white';
  return white.level != null && black.level == null ? 'black' : 'white';
}

/** What was on the board before, if it belongs to this page. */
export async function openKept(study: Study, id: string | undefined): Promise<Side | undefined> {
  const kept = tab.read(KEY) as Kept | null;
  if (!kept || kept.id !== id || (id !== undefined && !kept.changed)) return undefined;
  await study.read(kept.pgn, kept.index);
  await study.find(kept.moves);
  study.changed = kept.changed;
  return kept.orientation;
}

/** The game that was last on the analysis board of this tab, as PGN, and the side it is seen from. */
export function onTheBoard(): { pgn: string; index: number; side: Side } | undefined {
  const kept = tab.read(KEY) as Kept | null;
  return kept ? { pgn: kept.pgn, index: kept.index ?? 0, side: kept.orientation } : undefined;
}

export function keep(study: Study, { pgn, index }: Written, id: string | undefined, orientation: Side): void {
  tab.write(KEY, { id, pgn, index, moves: movesTo(study.current), orientation, changed: study.changed } satisfies Kept);
}

export function forget(): void {
  tab.remove(KEY);
}

/** Saves a stored game with its annotations, or anything else as a new game. Returns the id under which it is stored now. */
export async function save(study: Study, id: string | undefined): Promise<string | undefined> {
  const pgn = await study.pgn();
  const stored = id !== undefined && (await update(id, pgn)) ? id : await add(pgn, id);
  study.changed = false;
  return stored;
}

async function add(pgn: string, id: string | undefined): Promise<string | undefined> {
  // Another game than the stored one: it must not be taken for that.
  const { imported, known, game, problems } = await importPgn(pgn.replace(/^\[GameId .*\n/m, ''));
  if (imported + known === 0) throw new Told(problems[0] ?? t().analysis.noGame);
  return game ?? id;
}

const headers = (pgn: string) => pgn.slice(0, pgn.indexOf('\n\n'));

/** False if the moves or headers aren't those of the stored game any more, or it belongs to someone else. */
async function update(id: string, pgn: string): Promise<boolean> {
  try {
    if (headers(await text(`/api/games/${id}/pgn`, seatOf(id))) !== headers(pgn)) return false;
    await putPgn(id, pgn, seatOf(id));
    return true;
  } catch (error) {
    if (error instanceof ProblemError && [400, 403, 404, 405, 409, 422].includes(error.problem.status)) return false;
    throw error;
  }
}
