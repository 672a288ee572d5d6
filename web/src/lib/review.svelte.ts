// The review of a game: fetched, or made here or on the server, and kept.

import { SvelteMap } from 'svelte/reactivity';
import { ProblemError, Told, Unreachable, type Side } from './api';
import { t } from './i18n.svelte';
import { isHere } from './offline/shelf';
import { onTheBoard, sideIn, storedGame, type StoredGame } from './opened';
import { askReview, reviewOf, storeReview, type ReviewView } from './reviewapi';
import { isAbout, type GameReport, type Label, type ScoreText, type ToldReview } from './reviewlabels';
import { EFFORTS, reviewSettings, type Place } from './reviewsettings.svelte';
import { forgetReview, keepReview, keptReview, rememberedReview, rememberReview, type Remembered } from './reviewshelf';
import { session } from './session.svelte';
import { language } from './settings.svelte';
import type { Study } from './study.svelte';
import { movesTo, type Node } from './tree';
import { explain } from './words';
import { ownEngine, type Engine } from '../wasm/engine';

/** In place of a game id: the game on the analysis board. */
export const BOARD = 'board';

/** How often the server is asked about a review, in milliseconds. */
const POLL = 1000;

export type Phase = 'loading' | 'refused' | 'running' | 'stopped' | 'failed' | 'done';

export class Review {
  phase = $state<Phase>('loading');
  /** What is wrong, in words. */
  trouble = $state('');
  report = $state.raw<GameReport>();
  told = $state.raw<ToldReview>();
  /** Where the review runs. */
  place = $state<Place>('browser');
  /** Moves judged, from 0 to 1. */
  progress = $state(0);
  /** On the server: whether it has begun, and how many are before it. */
  waiting = $state(false);
  ahead = $state<number>();
  /** Whether the report is only in this browser. */
  keptHere = $state(false);
  /** Whether the report is kept nowhere, since the server has one of its own. */
  notKept = $state(false);
  /** The moves that are judged already. */
  readonly soFar = new SvelteMap<number, { label: Label; score: ScoreText }>();
  /** The side that this user has played, or the one at the bottom. */
  side = $state<Side>('white');
  /** Whether the user has played that side. */
  isMine = $state(false);
  line = $state.raw<Node[]>([]);
  pgn = '';

  /** The game as it is stored. */
  #game: StoredGame | undefined;
  /** What was kept of the server's review, if the server is away. */
  #seen: Remembered | undefined;
  #engine: Promise<Engine> | undefined;
  #closing = new AbortController();
  /** Grows with each start, so that what belongs to the last one is ignored. */
  #run = 0;

  constructor(
    readonly study: Study,
    readonly id: string,
  ) {}

  #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Whether the server knows the game. */
  get isStored(): boolean {
    return this.id !== BOARD && !isHere(this.id);
  }

  /** Opens the game, and its review if there is one; otherwise starts one. */
  async load(): Promise<void> {
    try {
      await session.ready();
      if (!(await this.#open()) || this.#isClosed()) return;
      const known = await this.#known();
      if (this.#isClosed()) return;
      if (known === 'server') await this.#follow(++this.#run);
      else if (known) await this.#show(known);
      else await this.start();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #open(): Promise<boolean> {
    if (this.id === BOARD) {
      const kept = onTheBoard();
      if (!kept) return this.#refuse(t().analysis.noGame);
      await this.study.read(kept.pgn, kept.index);
      this.pgn = await this.study.pgn();
      this.side = kept.side;
    } else {
      const { players, pgn, over } = await this.#find();
      if (!over) return this.#refuse(t().review.live);
      await this.study.read(pgn);
      this.pgn = pgn;
      this.side = sideIn(players);
      const me = session.me?.user?.id;
      this.isMine = (me !== undefined && players[this.side].user === me) || (players.white.level != null) !== (players.black.level != null);
    }
    this.line = this.study.tree.mainLine();
    return this.line.length > 0 || this.#refuse(t().review.noMoves);
  }

  /** The game; without the server, as it was when its review was last seen. */
  async #find(): Promise<StoredGame> {
    try {
      this.#game = await storedGame(this.id);
    } catch (error) {
      this.#seen = error instanceof Unreachable ? await rememberedReview(this.id) : undefined;
      if (!this.#seen) throw error;
      this.#game = this.#seen.game;
    }
    return this.#game;
  }

  #refuse(why: string): false {
    this.trouble = why;
    this.phase = 'refused';
    return false;
  }

  /** The report of this game, or where it is being made. */
  async #known(): Promise<GameReport | 'server' | undefined> {
    const here = await keptReview(this.id);
    const mine = here && this.#fits(here) ? here : undefined;
    if (!this.isStored) {
      this.keptHere = mine !== undefined;
      return mine;
    }
    const seen = this.#seen?.report;
    if (seen && this.#fits(seen)) return seen;
    const view = await reviewOf(this.id).catch(unavailable);
    if (view?.state === 'waiting' || view?.state === 'running') return 'server';
    if (view?.report && this.#fits(view.report)) {
      this.#remember(view.report);
      return view.report;
    }
    // Made while the server was away, or before the game was uploaded.
    if (mine) void this.#keep(mine);
    return mine;
  }

  #fits(report: GameReport): boolean {
    const last = this.line.at(-1);
    return last !== undefined && isAbout(report, this.study.tree.view.start, movesTo(last));
  }

  /** Starts a review, here or on the server. */
  async start(place: Place = reviewSettings.place): Promise<void> {
    const run = ++this.#run;
    this.phase = 'running';
    this.place = this.isStored ? place : 'browser';
    this.progress = 0;
    this.waiting = false;
    this.ahead = undefined;
    this.trouble = '';
    this.notKept = false;
    this.soFar.clear();
    const nodes = EFFORTS[reviewSettings.effort];
    try {
      if (this.place === 'browser') await this.#runHere(run, nodes);
      else await this.#runThere(run, nodes);
    } catch (error) {
      if (run === this.#run) this.#fail(error);
    }
  }

  async #runHere(run: number, nodes: number): Promise<void> {
    const engine = await this.engine();
    if (run !== this.#run) return;
    if (!engine) {
      if (!this.isStored) throw new Told(t().review.noCore);
      return this.start('server');
    }
    const report = await engine.review({ pgn: this.pgn, nodes }, ({ ply, label, score, done, of }) => {
      if (run !== this.#run) return;
      this.soFar.set(ply, { label, score });
      this.progress = done / of;
    });
    if (run !== this.#run) return;
    if (!report) {
      this.phase = 'stopped';
      return;
    }
    await this.#show(report);
    await this.#keep(report);
  }

  async #runThere(run: number, nodes: number): Promise<void> {
    this.#take(await askReview(this.id, nodes));
    await this.#follow(run);
  }

  /** Waits for the server's review. */
  async #follow(run: number): Promise<void> {
    this.phase = 'running';
    this.place = 'server';
    while (run === this.#run && !this.#isClosed()) {
      const view = await reviewOf(this.id).catch((error: unknown) => {
        if (error instanceof Unreachable) return undefined;
        throw error;
      });
      if (run !== this.#run || this.#isClosed()) return;
      if (view?.state === 'done' && view.report) {
        this.#remember(view.report);
        return this.#show(view.report);
      }
      if (view?.state === 'failed') throw new Told(`${t().review.failed}: ${view.error ?? ''}`);
      if (view) this.#take(view);
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  }

  #take({ state, progress, ahead, so_far }: ReviewView): void {
    this.waiting = state === 'waiting';
    this.progress = progress;
    this.ahead = ahead ?? undefined;
    for (const { ply, label, score } of so_far) this.soFar.set(ply, { label, score });
  }

  async #show(report: GameReport): Promise<void> {
    this.report = report;
    await this.tell();
    this.phase = 'done';
  }

  /** Puts the report into words, in the current language. */
  async tell(): Promise<void> {
    const { report } = this;
    if (!report || !this.study.edits) return;
    this.told = await this.study.core.call('tell_review', { report, language: language() });
  }

  /** Keeps a report with the game, or in this browser. */
  async #keep(report: GameReport): Promise<void> {
    await keepReview(this.id, report).catch(() => undefined);
    this.keptHere = true;
    if (!this.isStored) return;
    const stored = await storeReview(this.id, report).catch(() => 'refused');
    this.keptHere = stored === 'refused';
    this.notKept = stored === 'reviewed';
    if (!this.keptHere) await forgetReview(this.id).catch(() => undefined);
    if (stored === 'stored') this.#remember(report);
  }

  /** Keeps a copy of a review that is on the server, for when it is away. */
  #remember(report: GameReport): void {
    if (this.#game && this.isStored) void rememberReview(this.id, { report, game: this.#game }).catch(() => undefined);
  }

  #fail(error: unknown): void {
    if (this.#isClosed()) return;
    this.trouble = explain(error);
    this.phase = 'failed';
  }

  /** Stops a review in this browser; one on the server goes on by itself. */
  stop(): void {
    this.#run++;
    this.phase = 'stopped';
    this.#engine?.then(
      (engine) => engine.stop(),
      () => undefined,
    );
  }

  /** An engine of this page's own; undefined if there is none. */
  async engine(): Promise<Engine | undefined> {
    try {
      this.#engine ??= ownEngine();
      return await this.#engine;
    } catch {
      this.#engine = undefined;
      return undefined;
    }
  }

  close(): void {
    this.#closing.abort();
    this.#run++;
    this.#engine?.then(
      (engine) => engine.close(),
      () => undefined,
    );
  }
}

/** Without the server, or one that doesn't know the game, there is no review. */
function unavailable(error: unknown): undefined {
  if (error instanceof Unreachable || error instanceof ProblemError) return undefined;
  throw error;
}
