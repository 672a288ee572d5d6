// Moves by drag, by clicks, by text and by keyboard.

import { expect, test } from 'vitest';
import { begin, click, dismiss, drag, expectBoard, expectMoves, expectResult, lastSpoken, square, START, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const FOOLS_MATE = [
  ['f2', 'f3'],
  ['e7', 'e5'],
  ['g2', 'g4'],
  ['d8', 'h4'],
] as const;
const FOOLS_BOARD = 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR';
const FOOLS_MOVES = ['f3', 'e5', 'g4', 'Qh4#'];

test('a game is played by drag', async () => {
  const page = await riga.open();
  await begin(page);
  await expectBoard(page, START);
  for (const [at, [from, to]] of FOOLS_MATE.entries()) {
    await drag(page, from, to);
    await expectMoves(page, ...FOOLS_MOVES.slice(0, at + 1));
  }
  await expectBoard(page, FOOLS_BOARD);
  await expectResult(page, /Black wins by checkmate/);
});

test('a game is played by two clicks a move', async () => {
  const page = await riga.open();
  await begin(page);
  for (const [at, [from, to]] of FOOLS_MATE.entries()) {
    await click(page, from, to);
    await expectMoves(page, ...FOOLS_MOVES.slice(0, at + 1));
  }
  await expectBoard(page, FOOLS_BOARD);
  await expectResult(page, /Black wins by checkmate/);
});

test('a game is played by typed moves', async () => {
  const page = await riga.open();
  await begin(page);
  await type(page, 'f3', 'e7e5', 'g4', 'Qh4');
  await expectBoard(page, FOOLS_BOARD);
  await expectMoves(page, ...FOOLS_MOVES);
  await expectResult(page, /Black wins by checkmate/);
});

test('a typed move that is not legal is explained and changes nothing', async () => {
  const page = await riga.open();
  await begin(page);
  await page.getByLabel('Type a move').fill('Nd5');
  await page.getByLabel('Type a move').press('Enter');
  expect(await page.getByRole('alert').filter({ hasText: 'Nd5' }).innerText()).toBe('Nd5 is not a legal move here.');
  await expectBoard(page, START);
});

test('a man dragged to a square where it cannot go stays where it was', async () => {
  const page = await riga.open();
  await begin(page);
  await drag(page, 'e2', 'e5');
  await expectBoard(page, START);
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
});

test('a game is played by keyboard alone, from the start screen to mate', async () => {
  const page = await riga.open();
  await page.getByRole('heading', { name: 'New game' }).waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-square') ?? '');
  /** Presses Tab until something has the focus. */
  const tabTo = async (found: () => Promise<boolean>) => {
    for (let presses = 0; presses < 60; presses++) {
      if (await found()) return;
      await page.keyboard.press('Tab');
    }
    throw new Error('Tab does not lead there');
  };
  const at = (selector: string) => page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);

  // Radio buttons: Tab to the group, arrows within it.
  await tabTo(() => at('input[type=radio][value=engine]'));
  await page.keyboard.press('ArrowRight');
  await tabTo(() => at('input[type=radio][value=random]'));
  await page.keyboard.press('ArrowLeft');
  await tabTo(() => at('button[type=submit]'));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/play\/.+/);
  await page.getByRole('grid').waitFor();
  await tabTo(async () => (await focused()) !== '');

  const walk = async (to: string) => {
    for (let steps = 0; steps < 16; steps++) {
      const here = await focused();
      if (here === to) return;
      const [file, rank] = [to.charCodeAt(0) - here.charCodeAt(0), Number(to[1]) - Number(here[1])];
      await page.keyboard.press(file > 0 ? 'ArrowRight' : file < 0 ? 'ArrowLeft' : rank > 0 ? 'ArrowUp' : 'ArrowDown');
    }
    throw new Error(`the arrows do not lead to ${to}`);
  };
  const spoken = ['pawn f2 to f3', 'pawn e7 to e5', 'pawn g2 to g4', 'queen d8 to h4, checkmate'];
  for (const [index, [from, to]] of FOOLS_MATE.entries()) {
    await walk(from);
    await page.keyboard.press('Enter');
    expect(await square(page, from).getAttribute('aria-label')).toContain('selected');
    expect(await square(page, to).getAttribute('aria-label')).toContain('can move here');
    await walk(to);
    await page.keyboard.press('Enter');
    await expect.poll(() => lastSpoken(page)).toBe(spoken[index]);
  }
  await expectMoves(page, ...FOOLS_MOVES);
  await expectBoard(page, FOOLS_BOARD);
  await expectResult(page, /Black wins by checkmate/);
  // The dialog has the focus and Escape closes it.
  await dismiss(page);
});

test('Escape drops the selected piece', async () => {
  const page = await riga.open();
  await begin(page);
  const marks = page.locator('cg-board square').filter({ visible: true });
  await click(page, 'e2');
  await expect.poll(() => marks.count()).toBe(3);
  await page.keyboard.press('Escape');
  await expect.poll(() => marks.count()).toBe(0);
  await click(page, 'e4');
  await expectMoves(page);
});

test('the squares of the keyboard lie on the squares of the board, also with dots on them', async () => {
  const page = await riga.open();
  await begin(page);
  await square(page, 'e2').focus();
  await page.keyboard.press('Enter');
  const dots = page.locator('button.target');
  expect(await dots.count()).toBe(2);
  const board = await page.locator('cg-board').boundingBox();
  if (!board) throw new Error('there is no board');
  const side = board.width / 8;
  for (const [file, letter] of [...'abcdefgh'].entries()) {
    for (let rank = 1; rank <= 8; rank++) {
      const box = await square(page, `${letter}${rank}`).boundingBox();
      if (!box) throw new Error('a square is missing');
      const off = [
        box.x - board.x - file * side,
        box.y - board.y - (8 - rank) * side,
        box.width - side,
        box.height - side,
      ];
      expect(Math.max(...off.map(Math.abs)), `${letter}${rank}`).toBeLessThan(1.5);
    }
  }
});
