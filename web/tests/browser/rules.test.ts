// Special moves: promotion and castling.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { begin, click, dismiss, drag, expectBoard, expectMoves, square } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('data-square'));

describe('promotion', () => {
  const fen = '8/P6k/8/8/8/8/p6K/8 w - - 0 1';

  test('is chosen with the mouse, in place', async () => {
    const page = await riga.open();
    await begin(page, { fen });
    await drag(page, 'a7', 'a8');
    const dialog = page.getByRole('dialog', { name: 'Promote to' });
    await dialog.waitFor();
    const [choices, target] = [await dialog.boundingBox(), await square(page, 'a8').boundingBox()];
    expect(choices?.x).toBeCloseTo(target?.x ?? -1, 0);
    expect(choices?.y).toBeCloseTo(target?.y ?? -1, 0);
    await dialog.getByRole('button', { name: 'rook' }).click();
    await expectMoves(page, 'a8=R');
    await expectBoard(page, 'R7/7k/8/8/8/8/p6K/8');

    // Black's choice is at Black's end of the board.
    await click(page, 'a2', 'a1');
    await dialog.waitFor();
    const [below, corner] = [await dialog.boundingBox(), await square(page, 'a1').boundingBox()];
    expect((below?.y ?? 0) + (below?.height ?? 0)).toBeCloseTo((corner?.y ?? -1) + (corner?.height ?? 0), 0);
    await dialog.getByRole('button', { name: 'queen' }).click();
    await expectMoves(page, 'a8=R', 'a1=Q');
    await expectBoard(page, 'R7/7k/8/8/8/8/7K/q7');
  });

  test('is chosen by keyboard, and the focus comes back to the board', async () => {
    const page = await riga.open();
    await begin(page, { fen });
    await square(page, 'a7').focus();
    for (const key of ['Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('dialog', { name: 'Promote to' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('queen');
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await expectMoves(page, 'a8=R');
    await expectBoard(page, 'R7/7k/8/8/8/8/p6K/8');
    expect(await focused(page)).toBe('a8');
  });

  test('can be thought better of', async () => {
    const page = await riga.open();
    await begin(page, { fen });
    await click(page, 'a7', 'a8');
    await page.getByRole('dialog', { name: 'Promote to' }).waitFor();
    await dismiss(page);
    await expectBoard(page, '8/P6k/8/8/8/8/p6K/8');
    await expectMoves(page);
  });
});

describe('castling', () => {
  const fen = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';
  const [SHORT, LONG] = ['r3k2r/8/8/8/8/8/8/R4RK1', 'r3k2r/8/8/8/8/8/8/2KR3R'];

  for (const [to, san, board] of [
    ['g1', 'O-O', SHORT],
    ['h1', 'O-O', SHORT],
    ['c1', 'O-O-O', LONG],
    ['a1', 'O-O-O', LONG],
  ] as const) {
    test(`is a click on the king and one on ${to}`, async () => {
      const page = await riga.open();
      await begin(page, { fen });
      await click(page, 'e1', to);
      await expectMoves(page, san);
      await expectBoard(page, board);
    });
  }

  test('is the king dragged onto the rook, or beside it', async () => {
    const page = await riga.open();
    await begin(page, { fen });
    await drag(page, 'e1', 'h1');
    await expectMoves(page, 'O-O');
    await drag(page, 'e8', 'c8');
    await expectMoves(page, 'O-O', 'O-O-O');
    await expectBoard(page, '2kr3r/8/8/8/8/8/8/R4RK1');
  });

  test('is the king put onto the rook by keyboard', async () => {
    const page = await riga.open();
    await begin(page, { fen });
    await square(page, 'e1').focus();
    const keys = ['Enter', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter'];
    for (const key of keys) await page.keyboard.press(key);
    await expectMoves(page, 'O-O');
    await expectBoard(page, SHORT);
  });
});

test('a pawn is taken en passant', async () => {
  const page = await riga.open();
  await begin(page, { fen: 'k7/8/8/8/4p3/8/3P4/K7 w - - 0 1' });
  await drag(page, 'd2', 'd4');
  await expectMoves(page, 'd4');
  await drag(page, 'e4', 'd3');
  await expectMoves(page, 'd4', 'exd3');
  await expectBoard(page, 'k7/8/8/8/8/3p4/8/K7');
});
