// What can be done on the analysis board with mouse and menus.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectBoard, pasteAnywhere, START } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const tree = (page: Page) => page.getByRole('group', { name: 'Moves' });
const lines = (page: Page) => page.locator('ol.lines li:not([aria-hidden="true"])');

async function open(pgn?: string): Promise<Page> {
  const page = await riga.open('/analysis');
  await expectBoard(page, START);
  if (pgn !== undefined) {
    await pasteAnywhere(page, pgn);
    await tree(page).getByRole('button').first().waitFor();
  }
  return page;
}

test('a file that is dropped on the page is opened', async () => {
  const page = await open();
  const files = await page.evaluateHandle(() => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(['[White "Dropped"]\n\n1. d4 d5 2. c4 *'], 'a.pgn'));
    return dropped;
  });
  await page.dispatchEvent('.desk', 'dragover', { dataTransfer: files });
  await page.locator('.drop').waitFor();
  await page.dispatchEvent('.desk', 'drop', { dataTransfer: files });
  await tree(page).getByRole('button', { name: 'c4' }).waitFor();
  await page.getByText('Dropped').first().waitFor();
  expect(await page.locator('.drop').count()).toBe(0);
});

test('the graph tells the move under the mouse, and a click shows it', async () => {
  const page = await open('1. e4 e5 2. Nf3 Nc6 *');
  const graph = page.locator('.graph');
  await expect.poll(() => graph.locator('polygon').count()).toBe(1);
  const { width, height } = (await graph.boundingBox()) ?? { width: 0, height: 0 };
  const at = { x: width * 0.75, y: height / 2 };
  await graph.hover({ position: at });
  await expect.poll(() => graph.locator('.hint').innerText()).toMatch(/2\. ?Nf3/);
  await graph.click({ position: at });
  await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
});

test('a threat is what the other side would play', async () => {
  // White threatens mate on f7 and doesn't need to be at move to do so.
  const page = await open('1. e4 e5 2. Qh5 Nc6 3. Bc4 *');
  await page.keyboard.press('End');
  await lines(page).first().waitFor();
  await page.keyboard.press('t');
  await expect.poll(() => lines(page).first().innerText()).toMatch(/#1[\s\S]*Qxf7#/);
  await page.keyboard.press('t');
  await expect.poll(() => lines(page).first().innerText()).not.toContain('Qxf7#');
});

test('a line under the mouse is shown on a small board', async () => {
  const page = await open();
  await lines(page).first().getByRole('button').first().hover();
  await page.locator('.preview cg-board piece').first().waitFor();
  await page.mouse.move(5, 5);
  await expect.poll(() => page.locator('.preview').count()).toBe(0);
});

test('a game is played on from the position on the board', async () => {
  const page = await open('1. e4 c5 *');
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Play from here' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'Someone at this board' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/play\/.+/);
  await expectBoard(page, 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR');
});

test('the explorer counts all games or imported ones, and leads to them', async () => {
  const page = await open();
  await fetch(`${riga.url}/api/games/import`, { method: 'POST', body: '[White "Far"]\n[Black "Away"]\n\n1. g4 e5 1-0\n\n1. g4 d5 0-1\n' });
  await page.reload();
  const explorer = page.getByRole('region', { name: 'Openings' });
  await explorer.getByRole('button', { name: 'Imported' }).click();
  const row = explorer.getByRole('row').filter({ hasText: 'g4' });
  await expect.poll(() => row.innerText()).toMatch(/g4\s+2\s+50%\s*50%/);
  expect(await explorer.getByRole('row').count()).toBe(2);
  await row.getByRole('button', { name: 'g4' }).click();
  await explorer.getByRole('row').filter({ hasText: 'e5' }).waitFor();
  await explorer.getByRole('link', { name: 'Show 2 games' }).click();
  await page.waitForURL(/\/games\?.*source=imported/);
  await page.getByRole('link', { name: /^Far/ }).waitFor();
});
