// What is on the analysis board is not lost by accident.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dismiss, expectBoard, pasteAnywhere, START } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const tree = (page: Page) => page.getByRole('group', { name: 'Moves' });
const lines = (page: Page) => page.locator('ol.lines li:not([aria-hidden="true"])');

const move = (page: Page, text: string) => tree(page).locator('.move', { hasText: text });

async function open(pgn: string): Promise<Page> {
  const page = await riga.open('/analysis');
  await expectBoard(page, START);
  await pasteAnywhere(page, pgn);
  await tree(page).getByRole('button').first().waitFor();
  return page;
}

test('all games of a file are there after a reload, with their changes', async () => {
  const page = await open('[White "Adams"]\n\n1. e4 e5 *\n\n[White "Berg"]\n\n1. d4 d5 *\n');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('1');
  await move(page, 'e4!').waitFor();
  const games = page.getByRole('combobox', { name: 'Game', exact: true });
  await games.selectOption({ index: 1 });
  await tree(page).getByRole('button', { name: 'd4' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR');
  await page.waitForTimeout(300);
  await page.reload();
  await tree(page).getByRole('button', { name: 'd4' }).waitFor();
  await games.selectOption({ index: 0 });
  await move(page, 'e4!').waitFor();
});

test('saving again changes the game that was saved', async () => {
  const name = `Saved${Date.now()}`;
  const page = await open(`[White "${name}"]\n\n1. e4 e5 2. Nf3 *`);
  await page.keyboard.press('Control+s');
  await expect.poll(() => page.url()).toMatch(/\/analysis\/\w{14}$/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('3');
  await move(page, 'e4!!').waitFor();
  await page.keyboard.press('Control+s');
  await expect.poll(() => page.getByText('Saved').count()).toBeGreaterThan(0);
  await page.reload();
  await move(page, 'e4!!').waitFor();
  await page.goto(new URL('/games', page.url()).href);
  await page.getByText(name).first().waitFor();
  expect(await page.getByText(name).count()).toBe(1);
});

test('a paste asks before it replaces changes', async () => {
  const page = await open('1. e4 e5 *');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('2');
  await move(page, 'e4?').waitFor();
  await pasteAnywhere(page, '1. c4 *');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Replace what is on the board?').waitFor();
  await dismiss(page);
  await move(page, 'e4?').waitFor();
});

test('a file in an old encoding keeps its umlauts', async () => {
  const page = await riga.open('/analysis');
  await expectBoard(page, START);
  const files = await page.evaluateHandle(() => {
    const dropped = new DataTransfer();
    const bytes = Uint8Array.from('[White "M\u00fcller"]\n\n1. e4 *', (letter) => letter.charCodeAt(0));
    dropped.items.add(new File([bytes], 'a.pgn'));
    return dropped;
  });
  await page.dispatchEvent('.desk', 'drop', { dataTransfer: files });
  await page.getByText('Müller').first().waitFor();
});

test('another hash size lets the engine go on', async () => {
  const page = await open('1. e4 *');
  await lines(page).first().waitFor();
  await page.getByRole('button', { name: 'Engine settings' }).click();
  await page.getByRole('dialog').getByLabel(/Hash/).fill('32');
  await dismiss(page);
  await expect.poll(() => lines(page).first().innerText()).toMatch(/\w/);
});

test('a bad position in the address leaves a board', async () => {
  const page = await riga.open('/analysis?fen=x');
  await expectBoard(page, START);
  expect(new URL(page.url()).search).toBe('');
});

test.each([
  [1366, 657],
  [390, 844],
])('the comment of the move on the board is in sight at %i × %i', async (width, height) => {
  const moves = ['e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'a6', 'Ba4', 'Nf6', 'O-O', 'Be7', 'Re1', 'b5', 'Bb3', 'd6', 'c3', 'Bg4'];
  const page = await open(`${moves.map((move) => `${move} { A word about ${move}, so that there is something to read here. }`).join(' ')} *`);
  await page.setViewportSize({ width, height });
  for (const move of moves) {
    await page.keyboard.press('ArrowRight');
    await tree(page).locator('[aria-current]').filter({ hasText: move }).waitFor();
    const outer = await tree(page).boundingBox();
    const inner = await tree(page).getByText(`A word about ${move},`).boundingBox();
    if (!outer || !inner) throw new Error('nothing is shown');
    expect(inner.y + inner.height, move).toBeLessThanOrEqual(outer.y + outer.height + 1);
  }
});

test('on a phone the move on the board is above a sheet', async () => {
  const page = await open('1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of ['Engine', 'Openings']) {
    // The explorer has a button of this name, too; the tools come last.
    const tool = page.getByRole('button', { name, exact: true }).last();
    await tool.click();
    const sheet = await page.locator('.box.open').boundingBox();
    await page.keyboard.press('End');
    const shown = tree(page).locator('[aria-current]');
    await shown.waitFor();
    const bottom = async () => shown.boundingBox().then((box) => (box ? box.y + box.height : Infinity));
    await expect.poll(bottom).toBeLessThanOrEqual((sheet?.y ?? 0) + 1);
    await page.keyboard.press('Home');
    await tool.click();
  }
});
