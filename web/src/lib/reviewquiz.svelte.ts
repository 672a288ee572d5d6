// Key moments as questions: find a better move than the one that was played.

import { SvelteSet } from 'svelte/reactivity';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { LegalMove, PositionView } from './api';
import type { Review } from './review.svelte';
import type { MoveReport } from './reviewlabels';
import { kindOf, play as sound } from './sound';
import { marked, still } from './squares';
import { movesTo } from './tree';

/** Nodes with which a try is judged: both moves together. */
const NODES = 150_000;

export type Asked = 'asked' | 'judging' | 'wrong' | 'solved' | 'shown' | 'finished';

/** A move that was tried, and how many points it is worse than the best one, if that was searched. */
export interface Try {
  move: LegalMove;
  isBest: boolean;
  isPlayed: boolean;
  loss: number | undefined;
}

export class Quiz {
  state = $state<Asked>('asked');
  at = $state(0);
  tried = $state.raw<Try>();
  /** 0: none, 1: the piece that moves. */
  hint = $state(0);
  position = $state.raw<PositionView>(still(''));
  lastMove = $state.raw<string[]>();
  /** The plies that were solved without showing the solution. */
  readonly solved = new SvelteSet<number>();
  #question: PositionView | undefined;

  constructor(
    private readonly review: Review,
    /** The plies of the mistakes. */
    readonly moments: number[],
  ) {}

  get ply(): number {
    return this.moments[this.at] ?? 0;
  }

  get mistake(): MoveReport | undefined {
    return this.review.report?.moves[this.ply];
  }

  /** Whether a move can be made on the board. */
  get isOpen(): boolean {
    return this.state === 'asked' || this.state === 'wrong';
  }

  /** Asks a question by its number. */
  async ask(at: number): Promise<void> {
    this.at = at;
    this.tried = undefined;
    this.hint = 0;
    this.#question = undefined;
    const { line, study } = this.review;
    const node = line[this.ply]?.parent;
    if (!node || at >= this.moments.length) {
      this.state = 'finished';
      return;
    }
    this.state = 'asked';
    this.#back(still(node.fen, node.move?.san));
    const position = await study.core.call('position', this.#request());
    if (this.at !== at) return;
    this.#question = position;
    this.#back(position);
  }

  /** The position before the mistake, as a start and moves. */
  #request() {
    const { line, study } = this.review;
    const node = line[this.ply]?.parent;
    return { fen: study.tree.view.start, moves: node ? movesTo(node) : [], rules: study.tree.rules };
  }

  #back(position: PositionView): void {
    const before = this.review.line[this.ply]?.parent?.move;
    this.position = position;
    this.lastMove = before && marked(before);
  }

  async attempt(move: LegalMove): Promise<void> {
    const { mistake, at } = this;
    const best = mistake?.best[0];
    const question = this.#question;
    if (!mistake || !best || !question || !this.isOpen) return;
    const request = this.#request();
    this.state = 'judging';
    this.position = await this.review.study.core.call('position', { ...request, moves: [...request.moves, move.uci] });
    this.lastMove = marked(move);
    sound(kindOf(move.san));
    const isBest = move.uci === best.uci;
    const isPlayed = move.uci === mistake.played.uci;
    const judged = isBest || isPlayed ? undefined : await this.#judge(best.uci, move.uci);
    // Another question has been asked meanwhile, or the solution is shown.
    if (this.at !== at || this.#isAnswered()) return;
    this.tried = { move, isBest, isPlayed, loss: judged?.loss };
    if (isBest || judged?.solved) {
      this.solved.add(this.ply);
      this.state = 'solved';
    } else {
      this.state = 'wrong';
      this.#back(question);
    }
  }

  #isAnswered(): boolean {
    return this.state !== 'judging';
  }

  /** By the engine of the page; without one, only the best move of the report is known to be right. */
  async #judge(best: string, tried: string): Promise<{ solved: boolean; loss: number } | undefined> {
    const engine = await this.review.engine();
    const judged = await engine?.tryMove({ position: this.#request(), best, tried, nodes: NODES }).catch(() => undefined);
    return judged && { solved: judged.solved, loss: Math.max(0, judged.best_points - judged.points) };
  }

  giveHint(): void {
    this.hint = 1;
  }

  showSolution(): void {
    this.state = 'shown';
    if (this.#question) this.#back(this.#question);
  }

  /** What is drawn on the board. */
  shapes(): DrawShape[] {
    const best = this.mistake?.best[0]?.uci;
    if (!best) return [];
    const arrow = (uci: string, brush: string) => ({ orig: uci.slice(0, 2) as Key, dest: uci.slice(2, 4) as Key, brush });
    if (this.state === 'shown') return [arrow(best, 'green')];
    const shapes: DrawShape[] = [];
    if (this.state === 'wrong' && this.tried) shapes.push(arrow(this.tried.move.uci, 'red'));
    if (this.hint > 0 && this.isOpen) shapes.push({ orig: best.slice(0, 2) as Key, brush: 'green' });
    return shapes;
  }
}
