import { describe, expect, test } from 'vitest';
import type { NodeView, StudyView } from '../../src/lib/core';
import { rowsOf } from '../../src/lib/rows';
import { beside, branchOf, lineTo, moveNumber, movesTo, Tree, type Node } from '../../src/lib/tree';
import { START } from './made';

/** A study of moves, each given by its parent: `1:e5` is e5 after node 1. */
function study(...moves: string[]): StudyView {
  const nodes: NodeView[] = [{ id: 0, ply: 0, nags: [], signs: [] }];
  moves.forEach((text, index) => {
    const [parent = '', san = ''] = text.split(':');
    const above = nodes[Number(parent)];
    const played = { uci: san, san, fen: `${san} after ${parent}`, clock: (index + 1) * 1000 };
    nodes.push({ id: index + 1, parent: Number(parent), ply: (above?.ply ?? 0) + 1, played, nags: [], signs: [] });
  });
  return { tags: [{ name: 'White', value: 'Anna' }], rules: 'standard', start: START, result: '1-0', nodes, can_undo: false, can_redo: false };
}

const GAME = study('0:e4', '1:e5', '2:Nf3', '1:c5', '4:Nf3', '4:c3', '0:d4');
const sans = (nodes: Node[]) => nodes.map((node) => node.move?.san);

function at(tree: Tree, id: number): Node {
  const found = tree.node(id);
  if (!found) throw new Error(`there is no node ${id}`);
  return found;
}

describe('the tree', () => {
  const tree = new Tree(GAME);

  test('the first child of each node is the main line', () => {
    expect(sans(tree.mainLine())).toEqual(['e4', 'e5', 'Nf3']);
    expect(tree.root.fen).toBe(START);
    expect(at(tree, 3).fen).toBe('Nf3 after 2');
  });

  test('a line goes through a variation to its end', () => {
    expect(sans(tree.lineThrough(at(tree, 4)))).toEqual([undefined, 'e4', 'c5', 'Nf3']);
    expect(movesTo(at(tree, 6))).toEqual(['e4', 'c5', 'c3']);
  });

  test('a line that is searched begins after the last null move', () => {
    const passed = new Tree(study('0:e4', '1:0000', '2:d4', '3:d5'));
    expect(lineTo(at(passed, 1))).toEqual({ fen: START, moves: ['e4'] });
    expect(lineTo(at(passed, 2))).toEqual({ fen: '0000 after 1', moves: [] });
    expect(lineTo(at(passed, 4))).toEqual({ fen: '0000 after 1', moves: ['d4', 'd5'] });
  });

  test('the variations beside a move come in turn', () => {
    expect(beside(at(tree, 2), 1)?.id).toBe(4);
    expect(beside(at(tree, 4), 1)?.id).toBe(2);
    expect(beside(at(tree, 2), -1)?.id).toBe(4);
    // Without an alternative of its own, where its line branches off.
    expect(beside(at(tree, 3), 1)?.id).toBe(4);
    expect(beside(at(new Tree(study('0:e4')), 1), 1)).toBeUndefined();
  });

  test('a move knows where its variation begins', () => {
    expect(branchOf(at(tree, 3))).toBeUndefined();
    expect(branchOf(at(tree, 5))?.id).toBe(4);
  });

  test('an empty one has a start', () => {
    expect(new Tree().mainLine()).toEqual([]);
    expect(new Tree(GAME).tag('White')).toBe('Anna');
    expect(new Tree().tag('White')).toBeUndefined();
  });
});

test('the rows of a game have its comments and variations below the move', () => {
  const view = study('0:e4', '1:e5', '1:c5', '3:Nf3', '3:c3', '2:Nf3');
  const said = view.nodes[2];
  if (said) said.note = { text: 'solid', shapes: [] };
  const rows = rowsOf(new Tree(view));
  expect(rows.map(({ number, white, black, comment }) => [number, white?.move?.san, black?.move?.san, comment])).toEqual([
    ['1.', 'e4', 'e5', 'solid'],
    ['2.', 'Nf3', undefined, undefined],
  ]);
  const [variation] = rows[0]?.variations ?? [];
  expect(variation?.map(({ number, before, node, after }) => `${before}${number}${node.move?.san ?? ''}${after}`)).toEqual(['1…c5', '2.Nf3', '(2.c3)']);
});

test('moves are numbered as in books', () => {
  expect(moveNumber(1, false, 1, false)).toBe('1.');
  expect(moveNumber(2, false, 1, false)).toBe('');
  expect(moveNumber(2, false, 1, true)).toBe('1…');
  expect(moveNumber(1, true, 7, true)).toBe('7…');
  expect(moveNumber(2, true, 7, false)).toBe('8.');
});
