// What the user does on the review page: stepping through the game and through lines, looking for mistakes, answering
// questions.

import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import type { PositionView, Schemas, Side } from './api';
import { t } from './i18n.svelte';
import { notices } from './notices.svelte';
import type { Review } from './review.svelte';
import { isMarked, momentsOf, nextAfter, scoreOf, signOf, type Claim, type MoveReport, type MoveText } from './reviewlabels';
import { Quiz } from './reviewquiz.svelte';
import { settings } from './settings.svelte';
import { marked, still } from './squares';
import { spoken } from './words';

/** How long each move of a line is shown while it plays, in milliseconds. */
const PACE = 1000;

/** A line beside the game. */
export interface Sideline {
  /** The move that it is about. */
  ply: number;
  /** Whether it is played instead of that move, or after it. */
  instead: boolean;
  moves: MoveText[];
  claim: Claim | undefined;
  /** The positions: before its first move, and after each. */
  fens: string[];
}

export class ReviewDesk {
  orientation = $state<Side>('white');
  /** Moves of the game that are shown. */
  shown = $state(0);
  tab = $state<'overview' | 'moves'>('overview');
  /** Whether the user has looked at a move. Until then, the overview has all the room. */
  begun = $state(false);
  line = $state.raw<Sideline>();
  /** Moves of the line that are shown. */
  at = $state(0);
  playing = $state(false);
  quiz = $state.raw<Quiz>();
  /** Whether questions are about the mistakes of the user's side only. */
  onlyMine = $state(true);
  /** The last move, for screen readers. */
  spoken = $state('');
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(readonly review: Review) {}

  /** The node of the game that is shown. */
  readonly node = $derived.by(() => this.review.line[this.shown - 1] ?? this.review.study.tree.root);
  /** The move that leads to it, judged. */
  readonly move = $derived.by<MoveReport | undefined>(() => this.review.report?.moves[this.shown - 1]);

  readonly position = $derived.by<PositionView>(() => {
    if (this.quiz && this.quiz.state !== 'finished' && !this.line) return this.quiz.position;
    const fen = this.line?.fens[this.at];
    return fen === undefined ? still(this.node.fen, this.node.move?.san) : still(fen, this.line?.moves[this.at - 1]?.san);
  });

  readonly lastMove = $derived.by<string[] | undefined>(() => {
    if (this.quiz && this.quiz.state !== 'finished' && !this.line) return this.quiz.lastMove;
    const move = this.#lineMove() ?? this.node.move;
    return move && marked(move);
  });

  #lineMove(): MoveText | undefined {
    const { line } = this;
    if (!line) return undefined;
    const before = line.instead ? this.review.line[line.ply]?.parent?.move : this.review.line[line.ply]?.move;
    return line.moves[this.at - 1] ?? before;
  }

  /** White's score: that of the game, or of the line beside it, to which all of its moves lead; none in a question. */
  readonly score = $derived.by<Schemas['Score'] | undefined>(() => {
    if (this.line) return this.#lineScore(this.line);
    return this.quiz ? undefined : this.scoreAt(this.shown);
  });

  #lineScore({ ply, instead }: Sideline): Schemas['Score'] | undefined {
    const judged = this.review.report?.moves[ply];
    return judged && instead ? scoreOf(judged.best_score, judged.side) : this.scoreAt(ply + 1);
  }

  /** White's score after some moves of the game. */
  scoreAt(plies: number): Schemas['Score'] | undefined {
    const { report, soFar, line } = this.review;
    const mover = (line[plies - 1]?.parent?.fen.split(' ')[1] ?? 'w') === 'w' ? 'white' : 'black';
    if (plies === 0) return report && scoreOf(report.score, 'white');
    const score = report?.moves[plies - 1]?.score ?? soFar.get(plies - 1)?.score;
    return score && scoreOf(score, mover);
  }

  readonly shapes = $derived.by<DrawShape[]>(() => {
    if (this.line) return this.#lineShapes(this.line);
    if (this.quiz && this.quiz.state !== 'finished') return this.quiz.shapes();
    return this.#gameShapes();
  });

  #lineShapes({ moves, claim }: Sideline): DrawShape[] {
    const next = moves[this.at]?.uci;
    const shapes: DrawShape[] = next ? [arrow(next, 'green')] : [];
    // What falls is marked until the point is made.
    if (claim && this.at <= claim.key) shapes.push(...claim.targets.map(({ square }) => ({ orig: square as Key, brush: 'red' })));
    return shapes;
  }

  #gameShapes(): DrawShape[] {
    const label = this.move?.label ?? this.review.soFar.get(this.shown - 1)?.label;
    const played = this.node.move;
    if (!label || !played) return [];
    const target = marked(played)[1];
    const best = this.move?.best[0]?.uci;
    return [
      ...(best && isMarked(label) ? [arrow(best, 'green')] : []),
      ...(target ? [{ orig: target as Key, customSvg: { html: signOf(label) } }] : []),
    ];
  }

  /** Shows a position of the game. */
  go(plies: number): void {
    this.begun = true;
    this.leaveLine();
    this.endQuiz();
    this.shown = Math.min(this.review.line.length, Math.max(0, plies));
    this.#announce();
  }

  /** Opens the game after the move that the address names, or at its end, as it was left. */
  begin(ply: string | null): void {
    this.shown = this.review.line.length;
    if (ply !== null && Number(ply) < this.shown) this.go(Number(ply) + 1);
  }

  #announce(): void {
    const { move, parent } = this.node;
    if (!settings.speakMoves || !move || !parent) return;
    const label = this.move && t().review.labels[this.move.label];
    this.spoken = [spoken(move.san, move.uci, parent.fen), label].filter(Boolean).join(', ');
  }

  /** A step through the line that is shown, or through the game. */
  step(by: 1 | -1): void {
    this.pause();
    if (this.quiz && !this.line) this.endQuiz();
    else if (!this.line) this.go(this.shown + by);
    else if (this.at + by < 0) this.leaveLine();
    else this.showAt(this.at + by);
  }

  first(): void {
    if (this.line) this.showAt(0);
    else this.go(0);
  }

  last(): void {
    if (this.line) this.showAt(this.line.moves.length);
    else this.go(this.review.line.length);
  }

  flip(): void {
    this.orientation = this.orientation === 'white' ? 'black' : 'white';
  }

  /** Shows a line: that of a claim, or the best one. */
  async open(ply: number, claim: Claim | undefined, at: number): Promise<void> {
    const judged = this.review.report?.moves[ply];
    const node = this.review.line[ply];
    if (!judged || !node?.parent) return;
    this.pause();
    if (this.line?.ply !== ply || this.line.claim !== claim) {
      const instead = claim?.whose !== 'allowed';
      const moves = claim?.line ?? judged.best;
      const start = instead ? node.parent.fen : node.fen;
      const fens = [start];
      const { core, tree } = this.review.study;
      for (let count = 1; count <= moves.length; count++) {
        const played = moves.slice(0, count).map(({ uci }) => uci);
        fens.push((await core.call('position', { fen: start, moves: played, rules: tree.rules })).fen);
      }
      if (!this.quiz) this.shown = ply + 1;
      this.line = { ply, instead, moves, claim, fens };
    }
    this.showAt(at);
  }

  showAt(at: number): void {
    const { line } = this;
    if (!line) return;
    this.at = Math.min(line.moves.length, Math.max(0, at));
    const move = line.moves[this.at - 1];
    const before = line.fens[this.at - 1];
    if (settings.speakMoves && move && before) this.spoken = spoken(move.san, move.uci, before);
  }

  /** Plays the line of a claim, or the best one, move by move. */
  async play(ply: number, claim: Claim | undefined): Promise<void> {
    await this.open(ply, claim, 0);
    this.playing = true;
    this.#timer = setInterval(() => {
      if (this.line && this.at < this.line.moves.length) this.showAt(this.at + 1);
      else this.pause();
    }, PACE);
  }

  pause(): void {
    clearInterval(this.#timer);
    this.playing = false;
  }

  leaveLine(): void {
    this.pause();
    this.line = undefined;
    this.at = 0;
  }

  /** Goes to the next criticised move: of the user, if that is known. */
  nextMistake(): void {
    const { report, isMine, side } = this.review;
    if (!report) return;
    this.jump(({ label, side: mover }) => isMarked(label) && (!isMine || mover === side));
  }

  /** Goes to the next move that is wanted. */
  jump(wanted: (move: MoveReport) => boolean): void {
    const { report } = this.review;
    const ply = report && nextAfter(report, this.shown - 1, wanted);
    if (ply !== undefined) this.go(ply + 1);
  }

  /** The key moments to ask about. */
  readonly moments = $derived.by<number[]>(() => {
    const { report, isMine, side } = this.review;
    return report ? momentsOf(report, isMine && this.onlyMine ? side : undefined) : [];
  });

  /** Asks the next question: the one after the position that is shown, or after the current question. */
  nextMoment(): void {
    const { moments, quiz } = this;
    if (moments.length === 0) return;
    this.leaveLine();
    if (quiz && quiz.state !== 'finished') {
      this.#ask(quiz, quiz.at + 1);
    } else {
      const first = moments.findIndex((ply) => ply >= this.shown);
      this.startQuiz(Math.max(0, first));
    }
  }

  startQuiz(at = 0): void {
    this.leaveLine();
    this.begun = true;
    this.quiz = new Quiz(this.review, this.moments);
    this.#ask(this.quiz, at);
  }

  /** The player has the side that is to move, and the game stands before the mistake. */
  #ask(quiz: Quiz, at: number): void {
    notices.watch(quiz.ask(at));
    if (quiz.state === 'finished' || !quiz.mistake) return;
    this.orientation = quiz.mistake.side;
    this.shown = quiz.ply;
  }

  /** Back to the game, at the mistake that was asked about. */
  endQuiz(): void {
    const { quiz } = this;
    if (!quiz) return;
    this.quiz = undefined;
    this.shown = (quiz.moments[quiz.at] ?? quiz.moments.at(-1) ?? 0) + 1;
    this.orientation = this.review.side;
  }

  /** Leaves a line, and then a question. */
  leave(): void {
    if (this.line) this.leaveLine();
    else this.endQuiz();
  }

  close(): void {
    this.pause();
    this.review.close();
  }
}

function arrow(uci: string, brush: string): DrawShape {
  return { orig: uci.slice(0, 2) as Key, dest: uci.slice(2, 4) as Key, brush };
}
