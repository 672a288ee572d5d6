import { describe, expect, test } from 'vitest';
import { moveNumber, movesTo, Tree, type Node } from '../../src/lib/tree';
import { played, START } from './made';

/** Plays moves and returns the last node. */
function line(tree: Tree, from: Node, ...moves: string[]): Node {
  return moves.reduce((at, move) => tree.add(at, played(move)), from);
}

const sans = (nodes: Node[]) => nodes.map((node) => node.move?.san);

describe('a tree of moves', () => {
  test('a move that is there already is not added twice', () => {
    const tree = new Tree(START);
    const first = tree.add(tree.root, played('e4'));
    expect(tree.add(tree.root, played('e4'))).toBe(first);
    expect(tree.root.children).toEqual([first]);
  });

  test('every node has a number of its own, its ply and its position', () => {
    const tree = new Tree(START);
    const e5 = line(tree, tree.root, 'e4', 'e5');
    const d4 = tree.add(tree.root, played('d4'));
    expect(new Set([0, e5.id, e5.parent?.id, d4.id]).size).toBe(4);
    expect([e5.ply, d4.ply]).toEqual([2, 1]);
    expect(e5.fen).toBe('after e5');
  });

  test('the first child of each node is the main line', () => {
    const tree = new Tree(START);
    line(tree, tree.root, 'e4', 'e5', 'Nf3');
    line(tree, tree.root, 'd4', 'd5');
    expect(sans(tree.mainLine())).toEqual(['e4', 'e5', 'Nf3']);
  });

  test('a promoted line is the main line up to the root, and the others keep their order', () => {
    const tree = new Tree(START);
    line(tree, tree.root, 'e4', 'e5');
    line(tree, tree.root, 'c4');
    line(tree, tree.root, 'd4', 'd5', 'c4');
    const wanted = line(tree, tree.root, 'd4', 'Nf6', 'Nf3');
    tree.promote(wanted);
    expect(sans(tree.mainLine())).toEqual(['d4', 'Nf6', 'Nf3']);
    expect(sans(tree.root.children)).toEqual(['d4', 'e4', 'c4']);
  });

  test('what is removed goes with all that follows, and its parent is shown', () => {
    const tree = new Tree(START);
    const e5 = line(tree, tree.root, 'e4', 'e5');
    const nf3 = line(tree, e5, 'Nf3');
    line(tree, e5, 'f4', 'exf4');
    expect(tree.remove(nf3)).toBe(e5);
    expect(sans(tree.mainLine())).toEqual(['e4', 'e5', 'f4', 'exf4']);
    expect(tree.remove(tree.root)).toBe(tree.root);
    expect(tree.mainLine()).toEqual([]);
  });

  test('the moves to a node are those of its own line', () => {
    const tree = new Tree(START);
    line(tree, tree.root, 'e2e4', 'e7e5');
    expect(movesTo(line(tree, tree.root, 'd2d4', 'd7d5'))).toEqual(['d2d4', 'd7d5']);
    expect(movesTo(tree.root)).toEqual([]);
  });
});

test.each([
  // ply, Black starts, first number, always, text
  [1, false, 1, false, '1.'],
  [2, false, 1, false, ''],
  [2, false, 1, true, '1…'],
  [3, false, 1, false, '2.'],
  [1, true, 12, true, '12…'],
  [1, true, 12, false, ''],
  [2, true, 12, false, '13.'],
])('ply %i (Black starts: %s, first: %i, always: %s) has the number "%s"', (ply, black, first, always, text) => {
  expect(moveNumber(ply, black, first, always)).toBe(text);
});

test('a game that was read keeps what is said in it', () => {
  const tree = Tree.of({
    start: START,
    moves: [
      { after: null, played: played('e4'), signs: [], comment: 'best by test' },
      { after: 0, played: played('e5'), signs: [] },
      { after: 0, played: played('c5'), signs: ['!'] },
    ],
    tags: [{ name: 'White', value: 'Anna' }],
    result: '1-0',
  });
  expect(tree.root.children[0]?.comment).toBe('best by test');
  expect(sans(tree.root.children[0]?.children ?? [])).toEqual(['e5', 'c5']);
  expect(tree.find(['e4', 'c5']).signs).toEqual(['!']);
  expect(tree.find(['e4', 'd5']).move?.san).toBe('e4');
  expect([tree.tag('White'), tree.tag('Black'), tree.result]).toEqual(['Anna', undefined, '1-0']);
});
