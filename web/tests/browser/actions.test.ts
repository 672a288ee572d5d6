// Actions other than moving.

import { expect, test } from 'vitest';
import { begin, choice, click, drag, expectBoard, expectMoves, lastSpoken, moveList, square, START, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

test('a move is taken back at once when both sit at this board', async () => {
  const page = await riga.open();
  await begin(page);
  await type(page, 'e4', 'e5');
  await page.getByRole('button', { name: 'Take back' }).click();
  await expectMoves(page, 'e4');
  await page.getByRole('button', { name: 'Take back' }).click();
  await expectMoves(page);
  await expectBoard(page, START);
  await drag(page, 'd2', 'd4');
  await expectMoves(page, 'd4');
});

test('earlier positions are looked at with the arrow keys, and nothing can be moved there', async () => {
  const page = await riga.open();
  await begin(page);
  await type(page, 'e4', 'e5');
  await page.getByLabel('Type a move').blur();
  await page.keyboard.press('ArrowLeft');
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  await drag(page, 'd7', 'd5');
  await page.keyboard.press('Home');
  await expectBoard(page, START);
  await drag(page, 'd2', 'd4');
  await page.keyboard.press('End');
  await expectMoves(page, 'e4', 'e5');
  await drag(page, 'g1', 'f3');
  await expectMoves(page, 'e4', 'e5', 'Nf3');
});

test('the board is flipped, and moves go on', async () => {
  const page = await riga.open();
  await begin(page);
  await page.keyboard.press('x');
  await expect
    .poll(async () => ((await square(page, 'a1').boundingBox())?.y ?? 0) < ((await square(page, 'a8').boundingBox())?.y ?? 0))
    .toBe(true);
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
});

test('a hint is drawn as an arrow', async () => {
  const page = await riga.open();
  await begin(page);
  await page.getByRole('button', { name: 'Hint' }).click();
  await page.locator('.cg-shapes line').waitFor({ state: 'attached' });
  await type(page, 'e4');
  await page.locator('.cg-shapes line').waitFor({ state: 'detached' });
});

test('FEN and PGN are copied', async () => {
  const page = await riga.open('/', { permissions: ['clipboard-read', 'clipboard-write'] });
  await begin(page);
  await type(page, 'e4');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy PGN' }).click();
  await page.getByText('Copied').waitFor();
  expect(await copied()).toMatch(/1\. e4/);
  await page.getByRole('button', { name: 'FEN', exact: true }).click();
  await page.getByRole('button', { name: 'Copy FEN' }).click();
  await expect.poll(copied).toMatch(/^rnbqkbnr\/pppppppp\/8\/8\/4P3\/8\/PPPP1PPP\/RNBQKBNR b KQkq/);
});

test('a dialog that is closed gives the focus back', async () => {
  const page = await riga.open();
  await begin(page);
  const button = page.getByRole('button', { name: 'FEN', exact: true });
  for (const close of ['Escape', 'Enter']) {
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'FEN' }).waitFor();
    if (close === 'Enter') await page.getByRole('dialog').getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press(close);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await button.evaluate((node) => node === document.activeElement), close).toBe(true);
  }
});

test('the engine’s moves are spoken', async () => {
  const page = await riga.open();
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await type(page, 'e4');
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(2);
  await expect.poll(() => lastSpoken(page)).toMatch(/^(pawn|knight) [a-h][78] to [a-h][56]$/);
});

test('in Chess960 one castles onto the rook', async () => {
  const page = await riga.open();
  await choice(page, 'Opponent', 'Someone at this board').check();
  await choice(page, 'Color', 'White').check();
  await choice(page, 'Time control', 'No clock').check();
  await choice(page, 'Variant', 'Chess960').check();
  await page.getByLabel('Start position (0 to 959)').fill('518');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/\/play\/.+/);
  await expectBoard(page, START);
  await type(page, 'Nf3', 'Nf6', 'g3', 'g6', 'Bg2', 'Bg7');
  await click(page, 'e1', 'h1');
  await expectMoves(page, 'Nf3', 'Nf6', 'g3', 'g6', 'Bg2', 'Bg7', 'O-O');
  await type(page, 'O-O');
  await expectBoard(page, 'rnbq1rk1/ppppppbp/5np1/8/8/5NP1/PPPPPPBP/RNBQ1RK1');
});

test('a page that is not there, and a game that is not there, are said in words', async () => {
  riga.expectFault(/404|WebSocket connection/);
  const page = await riga.open('/nothing');
  await page.getByText('Page not found.').waitFor();
  await page.goto('/play/nothing');
  await page.getByText('Game not found, or you don’t have access.').waitFor();
});
