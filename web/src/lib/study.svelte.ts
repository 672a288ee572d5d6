// The state of the analysis board: a game with its variations, and the current position.

import { position as ask, think, type PositionView, type Schemas } from './api';
import { kindOf, play as sound } from './sound';
import { START, still } from './squares';
import { movesTo, Tree, type Node } from './tree';

/** Nodes per position for the evaluation graph. */
const GLANCE = 20_000;

export class Study {
  tree = $state.raw(new Tree(START));
  rules = $state<Schemas['Rules']>('standard');
  current = $state.raw<Node>(this.tree.root);
  shown = $state.raw<PositionView>(still(START));
  /** Incremented whenever the tree changes. */
  version = $state(0);
  /** Incremented whenever a score changes. */
  judged = $state(0);

  #surveyed = $state.raw<Tree>();
  #leaving = new AbortController();

  /** Whether the whole game is being analysed, which occupies the engine's thread. */
  get surveying(): boolean {
    return this.#surveyed === this.tree;
  }

  /** Loads a game. */
  use(tree: Tree, rules: Schemas['Rules'], at = tree.root): Promise<void> {
    this.tree = tree;
    this.rules = rules;
    this.version++;
    return this.show(at);
  }

  /** Shows a position at once; its legal moves follow when the server answers. */
  async show(node: Node): Promise<void> {
    this.current = node;
    this.shown = node.position ?? still(node.fen, node.move?.san);
    if (node.position) return;
    node.position = await this.#ask(movesTo(node));
    if (this.current === node) this.shown = node.position;
  }

  /** Plays a move after a node and returns the new node, unless another game has been loaded in the meantime. */
  async play(uci: string, from = this.current): Promise<Node | undefined> {
    const { tree } = this;
    from.position ??= await this.#ask(movesTo(from));
    const move = from.position.moves.find((one) => one.uci === uci);
    const position = await this.#ask([...movesTo(from), uci]);
    if (this.tree !== tree) return undefined;
    const node = tree.add(from, { uci, san: move?.san ?? uci, fen: position.fen, clock: null });
    node.position = position;
    this.version++;
    sound(kindOf(node.move?.san ?? ''));
    if (this.current === from) await this.show(node);
    return node;
  }

  async playLine(moves: string[]): Promise<void> {
    let at: Node | undefined = this.current;
    for (const move of moves) if (at) at = await this.play(move, at);
  }

  promote(): void {
    this.tree.promote(this.current);
    this.version++;
  }

  remove(): Promise<void> {
    const left = this.tree.remove(this.current);
    this.version++;
    return this.show(left);
  }

  judge(node: Node, score: Schemas['Score']): void {
    node.score = score;
    this.judged++;
  }

  /** A short search of each position of the game, for the evaluation graph. */
  async survey(): Promise<void> {
    const { tree, rules } = this;
    if (tree.root.children.length === 0) return;
    this.#surveyed = tree;
    try {
      for (const node of [tree.root, ...tree.mainLine()]) {
        if (this.#leaving.signal.aborted || !this.surveying) return;
        if (node.score) continue;
        const moves = movesTo(node);
        // A finished position can't be searched.
        if (node.children.length === 0) node.position ??= await this.#ask(moves);
        if (node.position?.outcome) {
          const { winner } = node.position.outcome;
          this.judge(node, winner ? { mate: winner === 'white' ? 1 : -1 } : { cp: 0 });
          continue;
        }
        const request = { position: { fen: tree.root.fen, moves, rules }, limits: { nodes: GLANCE } };
        const score = (await think(request, this.#leaving.signal))?.lines[0]?.score;
        if (score) this.judge(node, score);
      }
    } catch {
      // The graph stays incomplete; if the engine is down, too, the analysis reports it.
    } finally {
      if (this.#surveyed === tree) this.#surveyed = undefined;
    }
  }

  /** Cancels the survey. */
  leaveOff(): void {
    this.#surveyed = undefined;
  }

  close(): void {
    this.#leaving.abort();
  }

  #ask(moves: string[]): Promise<PositionView> {
    return ask(this.tree.root.fen, moves, this.rules);
  }
}
