// The state of the analysis board: a game with its variations, and the current position.

import { SvelteMap } from 'svelte/reactivity';
import type { PositionView, Schemas } from './api';
import type { Core, Edited, GameResult, ReadStudy, Shape, StudyView } from './core';
import { kindOf, play as sound } from './sound';
import { START, still } from './squares';
import { lineTo, movesTo, Tree, type Node } from './tree';

/** Searches a position for a moment, for the evaluation graph. */
export type Glance = (position: Schemas['PositionRequest'], signal: AbortSignal) => Promise<Schemas['Score'] | undefined>;

/** What an edit does to the current node, or to another one. */
export type Rearrangement = 'promote' | 'demote' | 'make_main' | 'remove';

/** Games as PGN, and which of them is on the board. */
export interface Written {
  pgn: string;
  index: number;
}

/** With more games than this, or a longer text, only the one on the board is written. */
const MOST_GAMES = 200;
const LONGEST = 2_000_000;

export class Study {
  tree = $state.raw(new Tree());
  current = $state.raw<Node>(this.tree.root);
  shown = $state.raw<PositionView>(still(START));
  /** All games of the text that was read, and which of them is shown. */
  games = $state.raw<ReadStudy[]>([]);
  number = $state(0);
  /** Whether something was changed since the game was opened or saved. */
  changed = $state(false);
  surveying = $state(false);

  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- what is shown doesn't depend on it
  #positions = new Map<string, PositionView>();
  #scores = new SvelteMap<string, Schemas['Score']>();
  /** The PGN of the games that aren't on the board, as far as it was needed. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- what is shown doesn't depend on it
  #others = new Map<number, string>();
  #leaving = new AbortController();

  constructor(readonly core: Core) {}

  get edits(): boolean {
    return this.core.edits;
  }

  /** Opens a position. */
  async open(fen?: string, moves: string[] = []): Promise<void> {
    const { study, view } = await this.core.call('open', { ...(fen ? { fen } : {}), moves });
    this.#begin([], study, view);
    await this.show(this.tree.mainLine().at(-1) ?? this.tree.root);
  }

  /** Reads the games of a PGN and shows one. Returns what could not be read as written. */
  async read(pgn: string, index = 0): Promise<string[]> {
    const { games, problems } = await this.core.call('read', { pgn });
    const game = games[index] ?? games[0];
    if (!game) return problems;
    this.#begin(games, game.study, await this.core.call('view', { study: game.study }));
    await this.show(this.tree.root);
    return [...game.remarks, ...problems];
  }

  /** Shows another of the games that were read. */
  async choose(study: number): Promise<void> {
    this.#others.set(this.number, await this.pgn());
    this.#begin(this.games, study, await this.core.call('view', { study }));
    await this.show(this.tree.root);
  }

  #begin(games: ReadStudy[], study: number, view: StudyView): void {
    this.leaveOff();
    for (const old of this.games) if (!games.includes(old)) void this.core.call('close', { study: old.study });
    if (games !== this.games) this.#others.clear();
    this.games = games;
    this.number = study;
    this.tree = new Tree(view);
    this.#positions.clear();
    this.changed = false;
  }

  /** Shows a position at once; its legal moves follow. */
  async show(node: Node): Promise<void> {
    this.current = node;
    const known = this.#positions.get(node.fen);
    this.shown = known ?? still(node.fen, node.move?.san);
    if (known) return;
    const found = await this.core.call('look', { study: this.number, node: node.id });
    this.#positions.set(node.fen, found);
    if (this.current.fen === node.fen) this.shown = found;
  }

  /** Plays moves after the current node, or another one. */
  async play(moves: string[], from = this.current): Promise<void> {
    const at = this.number;
    const size = this.tree.view.nodes.length;
    const edited = await this.core.call('play', { study: at, node: from.id, moves });
    if (this.number !== at) return;
    const last = edited.view.nodes.find(({ id }) => id === edited.node);
    sound(kindOf(last?.played?.san ?? ''));
    this.tree = new Tree(edited.view);
    if (this.tree.view.nodes.length !== size) this.changed = true;
    await this.show(this.tree.node(edited.node) ?? this.tree.root);
  }

  async rearrange(how: Rearrangement, node: Node): Promise<void> {
    // The board stays where it is, unless that is removed.
    const removed = how === 'remove' && movesTo(this.current).join().startsWith(movesTo(node).join());
    const edited = await this.core.call(how, { study: this.number, node: node.id });
    await this.#take(edited, removed ? edited.node : this.current.id);
  }

  async annotate(node: number, note: { text?: string; nags?: number[]; shapes?: Shape[]; before?: boolean }): Promise<void> {
    await this.#take(await this.core.call('annotate', { study: this.number, node, ...note }), this.current.id);
  }

  async setTags(tags: Schemas['Tag'][], result: GameResult): Promise<void> {
    await this.#take(await this.core.call('set_tags', { study: this.number, tags, result }), this.current.id);
  }

  async undo(): Promise<void> {
    const edited = await this.core.call('undo', { study: this.number, node: this.current.id });
    await this.#take(edited, edited.node);
  }

  async redo(): Promise<void> {
    const edited = await this.core.call('redo', { study: this.number, node: this.current.id });
    await this.#take(edited, edited.node);
  }

  async #take({ view }: Edited, node: number): Promise<void> {
    this.tree = new Tree(view);
    this.changed = true;
    await this.show(this.tree.node(node) ?? this.tree.root);
  }

  /** The whole game as PGN. */
  async pgn(): Promise<string> {
    return (await this.core.call('write', { study: this.number })).pgn;
  }

  /** All games that were read, with their changes. */
  async written(): Promise<Written> {
    const pgn = await this.pgn();
    if (this.games.length < 2 || this.games.length > MOST_GAMES) return { pgn, index: 0 };
    const all: string[] = [];
    for (const { study } of this.games) all.push(study === this.number ? pgn : await this.#other(study));
    const text = all.join('\n');
    const index = this.games.findIndex(({ study }) => study === this.number);
    return text.length > LONGEST ? { pgn, index: 0 } : { pgn: text, index };
  }

  /** A game that isn't on the board, as PGN. */
  async #other(study: number): Promise<string> {
    const pgn = this.#others.get(study) ?? (await this.core.call('write', { study })).pgn;
    this.#others.set(study, pgn);
    return pgn;
  }

  /** The line to a node as PGN. */
  async line(node: Node): Promise<string> {
    return (await this.core.call('write_line', { study: this.number, node: node.id })).pgn;
  }

  /** Goes to the node that moves lead to, as far as they exist. */
  async find(moves: string[]): Promise<void> {
    const { node } = await this.core.call('find', { study: this.number, node: 0, moves });
    await this.show(this.tree.node(node) ?? this.tree.root);
  }

  judge(fen: string, score: Schemas['Score']): void {
    this.#scores.set(fen, score);
  }

  /** White's score at a node: the engine's, or else the one in the file. */
  scoreOf(node: Node): Schemas['Score'] | undefined {
    return this.#scores.get(node.fen) ?? node.note?.score ?? undefined;
  }

  /** A short search of each position of a line that has no score yet. */
  async survey(line: Node[], glance: Glance): Promise<void> {
    this.leaveOff();
    const { signal } = this.#leaving;
    const { rules } = this.tree;
    this.surveying = true;
    try {
      // The analysis of the current position stops first.
      await new Promise((done) => setTimeout(done));
      for (const node of line) {
        if (signal.aborted) return;
        if (this.scoreOf(node)) continue;
        // A finished position can't be searched.
        if (node.children.length === 0) {
          const { outcome, moves } = await this.core.call('look', { study: this.number, node: node.id });
          if (outcome && moves.length === 0) {
            this.judge(node.fen, outcome.winner ? { mate: outcome.winner === 'white' ? 1 : -1 } : { cp: 0 });
            continue;
          }
        }
        const score = await glance({ ...lineTo(node), rules }, signal);
        if (score) this.judge(node.fen, score);
      }
    } catch {
      // The graph stays incomplete; if the engine is down, too, the analysis reports it.
    } finally {
      if (!signal.aborted) this.surveying = false;
    }
  }

  /** Cancels the survey. */
  leaveOff(): void {
    this.#leaving.abort();
    this.#leaving = new AbortController();
    this.surveying = false;
  }
}
