// Solving puzzles: which one is shown, how far it is solved, and what has been told about it.

import { call, type LegalMove, type PlayedMove, type PositionView, type Schemas } from './api';
import { boards } from './boards';
import type { CoreCalls } from './core';
import { due } from './due.svelte';
import { language } from './settings.svelte';
import { kindOf, play as sound } from './sound';
import { marked, men, still } from './squares';

export type Puzzle = Schemas['PuzzleView'];

/** How long a reply, a wrong move and each move of the solution wait, in milliseconds. */
const PAUSES = { reply: 350, wrong: 900, shown: 800 };

/** What there is to do: `solving`, or the puzzle is over. */
export type Stage = 'loading' | 'none' | 'rested' | 'solving' | 'solved' | 'shown';

export class Training {
  stage = $state<Stage>('loading');
  puzzle = $state<Puzzle>();
  position = $state<PositionView>();
  lastMove = $state<string[]>();
  /** The moves so far, and those still to be found. */
  played = $state<PlayedMove[]>([]);
  rest = $state<PlayedMove[]>([]);
  hints = $state(0);
  /** The last wrong move, and whether there was any. */
  wrong = $state<string>();
  failed = $state(false);
  result = $state<Schemas['PuzzleTried']>();
  /** Whether a move is being judged or shown. */
  busy = $state(false);
  /** When the next puzzle is due, if none is now. */
  nextDue = $state<number>();

  #theme = '';
  #queue: Puzzle[] = [];
  #own: string[] = [];
  #since = 0;
  #run = 0;
  /** The most hints that were shown at once. */
  #needed = 0;

  /** The square of the piece to move, and where it goes: as much as the hints tell. */
  get hinted(): { from: string; to: string | undefined; role: string } | undefined {
    const [next] = this.rest;
    if (!next || this.hints === 0 || this.stage !== 'solving' || !this.position) return undefined;
    const [from = '', to = ''] = marked(next);
    return { from, to: this.hints > 1 ? to : undefined, role: men(this.position.fen).get(from)?.role ?? 'pawn' };
  }

  /** Starts with the puzzles of a theme that are due, or with all of them. */
  async start(theme: string, all = false): Promise<void> {
    const run = ++this.#run;
    this.#theme = theme;
    this.stage = 'loading';
    this.puzzle = undefined;
    const { puzzles } = await this.#page(!all);
    if (run !== this.#run) return;
    this.#queue = puzzles;
    if (puzzles.length > 0) return this.next();
    const [page] = await Promise.all([this.#page(false), due.load()]);
    if (run !== this.#run) return;
    this.nextDue = page.puzzles[0]?.due;
    this.stage = page.puzzles.length === 0 ? 'none' : 'rested';
  }

  async next(): Promise<void> {
    const run = ++this.#run;
    const puzzle = this.#queue.shift();
    if (!puzzle) return this.start(this.#theme);
    const view = await this.#judge(puzzle, []);
    if (run !== this.#run) return;
    this.puzzle = puzzle;
    this.#own = [];
    this.#since = performance.now();
    this.hints = this.#needed = 0;
    this.wrong = this.result = undefined;
    this.failed = this.busy = false;
    this.lastMove = puzzle.before ? [puzzle.before.slice(0, 2), puzzle.before.slice(2, 4)] : [];
    this.#show(view);
    this.stage = 'solving';
  }

  /** The solver has made a move. */
  async move(move: LegalMove): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || this.stage !== 'solving' || this.busy) return;
    const run = this.#run;
    this.busy = true;
    this.wrong = undefined;
    const moves = [...this.#own, move.uci];
    const view = await this.#judge(puzzle, moves);
    sound(kindOf(move.san));
    if (view.solving === 'failed') {
      const before = this.position;
      const last = this.lastMove;
      this.position = still(view.position.fen, move.san);
      this.lastMove = marked(move);
      this.wrong = move.san;
      const told = this.#tell(puzzle, moves, run);
      await pause(PAUSES.wrong);
      if (run !== this.#run) return;
      this.position = before;
      this.lastMove = last;
      this.busy = false;
      return told;
    }
    this.#own = moves;
    if (view.solving === 'open') {
      const answered = view.played.at(-2);
      if (answered) {
        this.position = still(answered.fen, answered.san);
        this.lastMove = marked(answered);
      }
      await pause(PAUSES.reply);
      if (run !== this.#run) return;
      const reply = view.played.at(-1);
      if (reply) sound(kindOf(reply.san));
    }
    this.hints = 0;
    this.#show(view);
    this.busy = false;
    if (view.solving === 'solved') {
      this.stage = 'solved';
      await this.#tell(puzzle, moves, run);
    }
  }

  hint(): void {
    if (this.stage !== 'solving') return;
    this.hints = Math.min(2, this.hints + 1);
    this.#needed = Math.max(this.#needed, this.hints);
  }

  /** Shows the solution, move by move. It counts as not solved. */
  async show(): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || this.stage !== 'solving' || this.busy) return;
    const run = this.#run;
    this.busy = true;
    this.stage = 'shown';
    const told = this.#tell(puzzle, this.#own, run);
    for (const played of [...this.rest]) {
      this.position = still(played.fen, played.san);
      this.lastMove = marked(played);
      this.played = [...this.played, played];
      this.rest = this.rest.slice(1);
      sound(kindOf(played.san));
      await pause(PAUSES.shown);
      if (run !== this.#run) return;
    }
    this.busy = false;
    return told;
  }

  /** Deletes the puzzle and shows the next one. */
  async drop(): Promise<void> {
    if (!this.puzzle) return;
    await call('DELETE', `/api/puzzles/${this.puzzle.id}`);
    await Promise.all([due.load(), this.next()]);
  }

  /** Nothing more is shown. */
  close(): void {
    this.#run++;
  }

  #show({ position, played, rest }: CoreCalls['solve']['answer']): void {
    this.position = position;
    this.played = played;
    this.rest = rest;
    const last = played.at(-1);
    if (last) this.lastMove = marked(last);
  }

  async #judge({ fen, rules, solution }: Puzzle, moves: string[]): Promise<CoreCalls['solve']['answer']> {
    return (await boards()).call('solve', { fen, rules, solution, moves });
  }

  /** Tells the server how the first try went. */
  async #tell(puzzle: Puzzle, moves: string[], run: number): Promise<void> {
    if (this.failed || this.result) return;
    this.failed = this.stage !== 'solved';
    const time = Math.round(performance.now() - this.#since);
    const [hints, path] = [this.#needed, `/api/puzzles/${puzzle.id}/tries?language=${language()}`];
    const result = await call<Schemas['PuzzleTried']>('POST', path, { moves, hints, time });
    if (run === this.#run) this.result = result;
    await due.load();
  }

  #page(isDue: boolean): Promise<Schemas['PuzzlePage']> {
    const theme = this.#theme ? `&theme=${encodeURIComponent(this.#theme)}` : '';
    return call('GET', `/api/puzzles?due=${isDue}${theme}`);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
