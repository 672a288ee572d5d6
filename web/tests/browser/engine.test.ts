// Games against the engine.

import { expect, test } from 'vitest';
import { begin, drag, expectBoard, expectMoves, moveList, START, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

test('the engine answers', async () => {
  const page = await riga.open();
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await drag(page, 'e2', 'e4');
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(2);
  await type(page, 'h3');
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(4);
});

test('the engine begins when one plays Black, and the board is seen from Black', async () => {
  const page = await riga.open();
  await begin(page, { opponent: 'Engine', level: 1, side: 'Black' });
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(1);
  const [a1, h8] = await Promise.all(
    ['a1', 'h8'].map((name) => page.locator(`[data-square="${name}"]`).boundingBox()),
  );
  expect(a1?.y).toBeLessThan(h8?.y ?? 0);
});

test('a move is taken back at once while the engine thinks', async () => {
  const page = await riga.open();
  const fen = 'r2q1rk1/1b2bppp/p1n1pn2/1p6/3P3P/PBN2N2/1P3PP1/R1BQR1K1 w - - 0 14';
  await begin(page, { opponent: 'Engine', level: 10, side: 'White', fen });
  await drag(page, 'c1', 'g5');
  await expectMoves(page, 'Bg5');
  await page.getByText('thinking …').waitFor();
  const before = Date.now();
  await page.getByRole('button', { name: 'Take back' }).click();
  await expectMoves(page);
  expect(Date.now() - before).toBeLessThan(1_000);
  await expectBoard(page, fen.split(' ')[0] ?? '');
  // The engine has stopped: it doesn't answer a move that was taken back.
  await page.waitForTimeout(2_000);
  await expectMoves(page);
  expect(await page.getByText('thinking …').count()).toBe(0);
});

test('the key z takes back, too', async () => {
  const page = await riga.open();
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await drag(page, 'e2', 'e4');
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(2);
  await page.keyboard.press('z');
  await expectMoves(page);
  await expectBoard(page, START);
});

test('the key r aborts the game while the engine thinks, and begins the same one again', async () => {
  const page = await riga.open();
  const fen = 'r2q1rk1/1b2bppp/p1n1pn2/1p6/3P3P/PBN2N2/1P3PP1/R1BQR1K1 w - - 0 14';
  const address = await begin(page, { opponent: 'Engine', level: 10, side: 'White', fen });
  await drag(page, 'c1', 'g5');
  await page.getByText('thinking …').waitFor();
  await page.keyboard.press('r');
  await page.waitForURL((url) => url.pathname.startsWith('/play/') && url.pathname !== address);
  await expectMoves(page);
  await expectBoard(page, fen.split(' ')[0] ?? '');
  await page.getByText('Riga, level 10').first().waitFor();
  await page.goto(address);
  await page.getByText('Game aborted').first().waitFor();
});
