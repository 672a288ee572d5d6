// What the user does at the analysis board: moving about, playing, editing, opening and saving.

import { Engine } from './analysis.svelte';
import type { Side } from './api';
import { copy } from './clipboard';
import { toggled } from './glyphs';
import { t } from './i18n.svelte';
import type { Known } from './known';
import { notices } from './notices.svelte';
import { saveAs } from './pgn';
import { keep, openText, save } from './opened';
import { prefer, preferences } from './preferences.svelte';
import { router } from './router.svelte';
import { settings } from './settings.svelte';
import type { Rearrangement, Study } from './study.svelte';
import { beside, type Node } from './tree';
import { notation, spoken } from './words';

export type Dialog = 'paste' | 'editor' | 'engine' | 'tags' | 'play' | 'fresh' | 'replace';
/** What lies over the moves on a phone. */
export type Sheet = 'engine' | 'explorer' | 'note';

/** How far the mouse must go to point at something else, in pixels. */
const STIRRED = 8;

export class Desk {
  readonly engine = new Engine();
  orientation = $state<Side>('white');
  threat = $state(false);
  dialog = $state<Dialog>();
  sheet = $state<Sheet>();
  /** Whether what the address asks for is on the board. */
  loaded = $state(false);
  /** Whether the engine can run in this browser, once that is known. */
  canRunHere = $state<boolean>();
  known = $state.raw<Known>({ book: [], games: [] });
  /** The chosen continuation where the game branches. */
  fork = $state(0);
  /** The position of a hovered line. */
  preview = $state.raw<{ fen: string; move: string | undefined; over: DOMRect }>();
  /** The mouse, and where it rests since the position changed. */
  #mouse = { x: 0, y: 0 };
  #rest: { x: number; y: number } | undefined;
  /** What the resting mouse lies on. */
  #held: { moves: string[]; over: DOMRect } | undefined;
  /** Counts, so that a late answer is dropped. */
  #hovers = 0;
  /** The last move, for screen readers. */
  spoken = $state('');
  /** Discards a move attempt on the board. */
  reset: () => void = () => undefined;

  /** The whole line through the current position. */
  readonly line = $derived.by(() => this.study.tree.lineThrough(this.study.current));
  /** Whether the threat is shown: in check there is none. */
  readonly threatens = $derived.by(() => this.threat && !this.study.shown.check);

  /** The stored game, if it is one. */
  id = $state<string>();
  /** A text to open once the user agrees to lose what isn't saved. */
  waiting = $state('');

  constructor(
    readonly study: Study,
    id: string | undefined,
  ) {
    this.id = id;
  }

  go(node: Node | undefined): void {
    if (!node || node === this.study.current) return;
    this.#announce(node);
    this.#arrive(this.study.show(node));
  }

  next(): void {
    const { children } = this.study.current;
    this.go(children[Math.min(this.fork, children.length - 1)]);
  }

  step(by: 1 | -1): void {
    if (by > 0) this.next();
    else this.go(this.study.current.parent);
  }

  first(): void {
    this.go(this.study.tree.root);
  }

  last(): void {
    this.go(this.line.at(-1));
  }

  /** Chooses at a fork; elsewhere goes to the variation above or below. */
  vary(by: 1 | -1): void {
    const { length } = this.study.current.children;
    if (length > 1) this.fork = (this.fork + by + length) % length;
    else this.go(beside(this.study.current, by));
  }

  play(moves: string[]): void {
    const played = this.study.play(moves).then(() => this.#announce(this.study.current));
    this.#arrive(
      played.catch((error: unknown) => {
        this.reset();
        throw error;
      }),
    );
  }

  #arrive(shown: Promise<unknown>): void {
    this.fork = 0;
    this.#unhover();
    notices.watch(shown);
  }

  #announce({ move, parent }: Node): void {
    if (settings.speakMoves && move && parent) this.spoken = spoken(move.san, move.uci, parent.fen);
  }

  playBest(): void {
    const move = this.engine.thoughts?.lines[0]?.moves[0];
    if (move && !this.threatens) this.play([move]);
  }

  hint(): void {
    prefer({ engine: true });
    const move = this.engine.thoughts?.lines[0]?.san[0];
    if (move) notices.say(t().analysis.bestMove(notation(move)));
  }

  flip(): void {
    this.orientation = this.orientation === 'white' ? 'black' : 'white';
  }

  toggleEngine(): void {
    prefer({ engine: !preferences.engine });
  }

  toggleSheet(sheet: Sheet): void {
    this.sheet = this.sheet === sheet ? undefined : sheet;
  }

  undo(): void {
    if (this.study.tree.view.can_undo) this.#arrive(this.study.undo());
  }

  redo(): void {
    if (this.study.tree.view.can_redo) this.#arrive(this.study.redo());
  }

  rearrange(how: Rearrangement, node = this.study.current): void {
    if (node.move && this.study.edits) this.#arrive(this.study.rearrange(how, node));
  }

  annotate(node: number, note: Parameters<Study['annotate']>[1]): void {
    if (this.study.edits) notices.watch(this.study.annotate(node, note));
  }

  /** Switches a glyph of the current move on or off; 0 removes all. */
  glyph(nag: number): void {
    const { id, move, nags } = this.study.current;
    if (move) this.annotate(id, { nags: nag > 0 ? toggled(nags, nag) : [] });
  }

  setTags(...given: Parameters<Study['setTags']>): void {
    this.dialog = undefined;
    notices.watch(this.study.setTags(...given));
  }

  copy(): void {
    notices.watch(this.study.pgn().then(copy));
  }

  copyLine(node: Node): void {
    notices.watch(this.study.line(node).then(copy));
  }

  /** Saves the game. From then on it is the stored one. */
  save(): void {
    const saved = save(this.study, this.id).then((id) => {
      notices.say(t().analysis.kept);
      if (id === undefined || id === this.id) return;
      this.id = id;
      router.rename(`/analysis/${id}`);
    });
    saved.catch((error: unknown) => notices.fail(error));
  }

  /** Opens a text that was pasted or dropped; asks first if something would be lost. */
  async offer(text: string): Promise<void> {
    if (!this.study.changed) return this.open(text);
    this.waiting = text;
    this.dialog = 'replace';
  }

  /** Opens the review of the game: of the stored one, unless another is on the board by now. */
  async review(): Promise<void> {
    const { study, id } = this;
    if (id === undefined || study.changed) keep(study, await study.written(), id, this.orientation);
    router.go(`/review/${id === undefined || study.changed ? 'board' : id}`);
  }

  /** Saves the game as a file. */
  async download(): Promise<void> {
    saveAs('riga.pgn', await this.study.pgn());
  }

  /** Opens a FEN or a PGN in place of what is on the board. */
  async open(text: string): Promise<void> {
    const remarks = await openText(this.study, text);
    this.dialog = undefined;
    this.fork = 0;
    remarks.slice(0, 3).forEach((remark) => notices.say(remark, true));
    await this.#leave();
  }

  async fresh(fen?: string): Promise<void> {
    this.dialog = undefined;
    await this.study.open(fen);
    await this.#leave();
  }

  /** The stored game isn't on the board any more. */
  async #leave(): Promise<void> {
    if (this.id === undefined) return;
    this.id = undefined;
    if (this.study.edits) keep(this.study, await this.study.written(), undefined, this.orientation);
    router.go('/analysis', true);
  }

  /** Shows another game of the text that was read; it isn't the stored one. */
  async choose(game: number): Promise<void> {
    await this.study.choose(game);
    this.id = undefined;
    router.rename('/analysis');
  }

  /** Shows where some moves lead, on a small board. */
  async hover(moves: string[], over: DOMRect | undefined): Promise<void> {
    const asked = ++this.#hovers;
    this.#held = undefined;
    if (!over || moves.length === 0) {
      this.preview = undefined;
      return;
    }
    if (this.#rest) {
      this.#held = { moves, over };
      return;
    }
    const { current, tree, core } = this.study;
    try {
      const { fen } = await core.call('position', { fen: current.fen, moves, rules: tree.rules });
      if (asked === this.#hovers && this.study.current === current) this.preview = { fen, move: moves.at(-1), over };
    } catch {
      // The line belongs to another position already.
    }
  }

  /** The mouse is there now. */
  point(x: number, y: number): void {
    this.#mouse = { x, y };
    if (!this.#rest || Math.hypot(x - this.#rest.x, y - this.#rest.y) < STIRRED) return;
    this.#rest = undefined;
    if (this.#held) void this.hover(this.#held.moves, this.#held.over);
  }

  /** Another position: the rows that come to lie under a resting mouse aren't pointed at. */
  #unhover(): void {
    this.#hovers += 1;
    this.#held = undefined;
    this.#rest = this.#mouse;
    this.preview = undefined;
  }

  close(): void {
    this.study.leaveOff();
    this.engine.close();
  }
}
