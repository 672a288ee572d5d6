// Positions as text.

import { expect, test } from 'vitest';
import { begin, dismiss, drag, expectBoard, expectMoves, START } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const GOOD = '4k3/8/8/8/8/8/4P3/4K3 w - - 0 1';
const NO_KING = '4k3/8/8/8/8/8/4P3/8 w - - 0 1';

test('a good FEN pasted in a game is played from', async () => {
  const page = await riga.open();
  await begin(page);
  await page.keyboard.press('f');
  const dialog = page.getByRole('dialog', { name: 'FEN' });
  await dialog.getByLabel('New position (FEN)').fill(GOOD);
  await dialog.getByRole('button', { name: 'Play from here' }).click();
  await page.waitForURL(/\/\?fen=/);
  await expect.poll(() => page.getByLabel('FEN').inputValue()).toBe(GOOD);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expectBoard(page, '4k3/8/8/8/8/8/4P3/4K3');
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
});

test('a bad FEN pasted in a game is explained and changes nothing', async () => {
  riga.expectFault(/422.*\/api\/positions/);
  const page = await riga.open();
  const address = await begin(page);
  await page.keyboard.press('f');
  const dialog = page.getByRole('dialog', { name: 'FEN' });
  await dialog.getByLabel('New position (FEN)').fill(NO_KING);
  await dialog.getByRole('button', { name: 'Play from here' }).click();
  await dialog.getByRole('alert').filter({ hasText: /king/ }).waitFor();
  await dismiss(page);
  expect(new URL(page.url()).pathname).toBe(address);
  await expectBoard(page, START);
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
});

test('a bad FEN on the start screen is explained and starts nothing', async () => {
  riga.expectFault(/422.*\/api\/(games|positions)/);
  const page = await riga.open(`/?fen=${encodeURIComponent(NO_KING)}`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: /king/ }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await page.getByLabel('FEN').inputValue()).toBe(NO_KING);
});

test('good and bad text is pasted on the analysis board', async () => {
  const page = await riga.open('/analysis');
  await expectBoard(page, START);
  const paste = async (text: string) => {
    await page.keyboard.press('f');
    await page.getByRole('dialog').getByRole('textbox').fill(text);
    await page.getByRole('button', { name: 'Load' }).click();
  };
  await paste(NO_KING);
  await page.getByRole('dialog').getByRole('alert').filter({ hasText: /king/ }).waitFor();
  await dismiss(page);
  await expectBoard(page, START);
  await paste('1. e4 e5 2. Ke3');
  await page.getByRole('alert').filter({ hasText: /Ke3/ }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expectBoard(page, START);
  await paste(GOOD);
  await expectBoard(page, '4k3/8/8/8/8/8/4P3/4K3');
  await paste('1. e4 e5 2. Nf3 *');
  await expectBoard(page, START);
  await page.keyboard.press('End');
  await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
});
