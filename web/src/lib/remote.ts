// Game trees without the core module: the server reads games and knows the moves, and games can be stepped through and
// continued, but not edited or written.

import { position, readPgn, rulesOf, setUp, Told, type PositionView, type Schemas } from './api';
import type { Core, CoreCalls, Edited, GameResult, NodeView, StudyView } from './core';
import { t } from './i18n.svelte';

/** What only the core module can do. */
const missing = () => new Told(t().analysis.noCore);

export class Remote implements Core {
  readonly edits = false;
  #studies: StudyView[] = [];

  async call<K extends keyof CoreCalls>(name: K, question: CoreCalls[K]['question']): Promise<CoreCalls[K]['answer']> {
    const answer = (this.#answers as Partial<Record<string, (asked: never) => Promise<unknown>>>)[name];
    if (!answer) throw missing();
    return (await answer(question as never)) as CoreCalls[K]['answer'];
  }

  #answers = {
    position: ({ fen, moves, rules }: Schemas['PositionRequest']) => position(fen ?? undefined, moves ?? [], rules),
    set_up: setUp,
    open: async ({ fen, moves }: Schemas['PositionRequest']) => {
      const rules = fen ? await rulesOf(fen) : 'standard';
      const start = await position(fen ?? undefined, [], rules);
      const study = this.#put({ tags: [], result: '*', rules, start: start.fen, nodes: [ROOT], can_undo: false, can_redo: false });
      await this.#play({ study, node: 0, moves: moves ?? [] });
      return { study, view: this.#at(study) };
    },
    read: async ({ pgn }: { pgn: string }) => {
      const { start, moves, tags, rules, remarks, ...read } = await readPgn(pgn);
      const result = read.result as GameResult;
      const nodes = moves.map(({ after, played, comment, signs }, index): NodeView => {
        const note = comment ? { text: comment, shapes: [] } : null;
        return { id: index + 1, parent: after == null ? 0 : after + 1, ply: 0, played, signs, nags: [], note };
      });
      const all = [ROOT, ...nodes];
      for (const node of nodes) node.ply = (all[node.parent ?? 0]?.ply ?? 0) + 1;
      const study = this.#put({ start, tags, result, rules, nodes: all, can_undo: false, can_redo: false });
      return { games: [{ study, tags, result, plies: moves.length, remarks }], problems: [] };
    },
    view: ({ study }: { study: number }) => Promise.resolve(this.#at(study)),
    look: ({ study, node }: { study: number; node: number }) => this.#look(study, node),
    play: (asked: { study: number; node: number; moves: string[] }) => this.#play(asked),
    find: ({ study, node, moves }: { study: number; node: number; moves: string[] }) => {
      const { nodes } = this.#at(study);
      let at = node;
      for (const move of moves) {
        const next = nodes.find(({ parent, played }) => parent === at && played?.uci === move);
        if (!next) break;
        at = next.id;
      }
      return Promise.resolve({ node: at });
    },
    close: () => Promise.resolve({}),
  };

  #put(view: StudyView): number {
    return this.#studies.push(view) - 1;
  }

  #at(study: number): StudyView {
    const view = this.#studies[study];
    if (!view) throw missing();
    return view;
  }

  #look(study: number, node: number, ...then: string[]): Promise<PositionView> {
    const { nodes, start, rules } = this.#at(study);
    const moves: string[] = [];
    for (let at = nodes[node]; at?.played; at = nodes[at.parent ?? 0]) moves.unshift(at.played.uci);
    return position(start, [...moves, ...then], rules);
  }

  async #play({ study, node, moves }: { study: number; node: number; moves: string[] }): Promise<Edited> {
    let at = node;
    for (const uci of moves) {
      const { nodes } = this.#at(study);
      const known = nodes.find(({ parent, played }) => parent === at && played?.uci === uci);
      at = known?.id ?? (await this.#add(study, at, uci));
    }
    return { node: at, view: this.#at(study) };
  }

  async #add(study: number, parent: number, uci: string): Promise<number> {
    const [before, after] = await Promise.all([this.#look(study, parent), this.#look(study, parent, uci)]);
    const san = before.moves.find((move) => move.uci === uci)?.san ?? uci;
    const view = this.#at(study);
    const id = view.nodes.length;
    const ply = (view.nodes[parent]?.ply ?? 0) + 1;
    const node: NodeView = { id, parent, ply, nags: [], signs: [], played: { uci, san, fen: after.fen, clock: null } };
    this.#studies[study] = { ...view, nodes: [...view.nodes, node] };
    return id;
  }
}

const ROOT: NodeView = { id: 0, ply: 0, nags: [], signs: [] };
