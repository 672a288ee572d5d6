// The analysis board: annotated games, the evaluation graph, and state that survives a reload.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, drag, expectBoard, pasteAnywhere, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const PGN = `[Event "Casual \\"game\\""]
[White "Anna"]
[Black "Boris"]
[Result "1-0"]

1. e4 e5 2. Qh5?! {too early} Nc6 (2... g6 {better} 3. Qf3) 3. Bc4 Nf6?? 4. Qxf7# 1-0
`;

async function paste(page: Page, text: string): Promise<void> {
  await page.locator('cg-board piece').first().waitFor();
  await pasteAnywhere(page, text);
  await tree(page).getByRole('button').first().waitFor();
}

const tree = (page: Page) => page.getByRole('group', { name: 'Moves' });

/** The PGN that is copied. */
async function copied(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('Control+c');
  await page.getByText('Copied').waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

const names = (page: Page) => page.locator('.player .name').allInnerTexts();

test('what is said in a game is shown, and copied with it', async () => {
  const page = await riga.open('/analysis');
  await paste(page, PGN);
  expect(await names(page)).toEqual(['Boris', 'Anna']);
  const text = (await tree(page).innerText()).replace(/\s|[+−]\d+\.\d+|−?#\d+/g, '');
  expect(text).toBe('1.e4e52.Qh5?!tooearly2.…Nc62…g6better3.Qf33.Bc4Nf6??4.Qxf7#1-0');
  const kept = await copied(page);
  expect(kept).toContain('[Event "Casual \\"game\\""]');
  expect(kept).toContain('[Result "1-0"]');
  expect(kept).toContain(
    '1. e4 e5 2. Qh5 $6 { too early } 2... Nc6 (2... g6 { better } 3. Qf3) 3. Bc4 Nf6\n$4 4. Qxf7# 1-0',
  );
});

test('the board is as it was after a reload', async () => {
  const page = await riga.open('/analysis');
  await paste(page, PGN);
  await tree(page).getByRole('button', { name: 'g6' }).click();
  await expectBoard(page, 'rnbqkbnr/pppp1p1p/6p1/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR');
  await drag(page, 'h5', 'g4');
  await tree(page).getByRole('button', { name: 'Qg4' }).waitFor();
  await page.reload();
  await expectBoard(page, 'rnbqkbnr/pppp1p1p/6p1/4p3/4P1Q1/8/PPPP1PPP/RNB1KBNR');
  await page.getByText('too early').waitFor();
});

test('the graph shows the whole game, and the bar who stands better', async () => {
  const page = await riga.open('/analysis');
  await paste(page, PGN);
  const points = () =>
    page.locator('.graph polygon').evaluateAll((found) => found.map((one) => one.getAttribute('points')?.split(' ').length));
  // Eight positions, and two corners.
  await expect.poll(points).toEqual([10]);
  const bar = page.getByRole('meter', { name: 'Evaluation' });
  await page.keyboard.press('End');
  await expect.poll(() => bar.getAttribute('aria-valuetext')).toBe('1–0');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => bar.getAttribute('aria-valuetext')).toBe('#1');
  expect(await bar.getAttribute('aria-valuenow')).toBe('100');
});

test('an imported game has its variations and comments', async () => {
  const page = await riga.open('/games');
  await page.locator('input[type="file"]').setInputFiles({ name: 'a.pgn', mimeType: 'text/plain', buffer: Buffer.from(PGN) });
  await page.getByRole('link', { name: /^Anna/ }).click();
  await tree(page).getByText('better').waitFor();
});

test('a game that is being analysed is saved among one’s own', async () => {
  const page = await riga.open('/analysis');
  await paste(page, PGN.replaceAll('Anna', 'Clara'));
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Save to my games' }).click();
  await page.getByText('Saved').waitFor();
  await page.goto('/games');
  await page.getByRole('link', { name: /^Clara/ }).waitFor();
});

test('moves are typed in the letters of the language', async () => {
  const page = await riga.open('/analysis', { locale: 'de-DE' });
  await page.getByLabel('Zug eingeben').fill('Sf3');
  await page.getByLabel('Zug eingeben').press('Enter');
  await page.getByRole('group', { name: 'Züge' }).getByRole('button', { name: 'Sf3' }).waitFor();
});

test('a game that was played is analysed to its end', async () => {
  const page = await riga.open();
  const address = await begin(page);
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  await page.goto(address.replace('/play', '/analysis'));
  await page.getByText('Black wins by checkmate').waitFor();
  await expectBoard(page, 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR');
});

test('a position from the address takes the place of what was kept', async () => {
  const page = await riga.open('/analysis');
  await paste(page, PGN);
  await page.getByText('too early').waitFor();
  await page.goto(`/analysis?fen=${encodeURIComponent('8/8/8/4k3/8/4K3/4P3/8 w - - 0 1')}`);
  await expectBoard(page, '8/8/8/4k3/8/4K3/4P3/8');
  await page.waitForURL('/analysis');
  await drag(page, 'e3', 'd3');
  await expectBoard(page, '8/8/8/4k3/8/3K4/4P3/8');
  await page.reload();
  await expectBoard(page, '8/8/8/4k3/8/3K4/4P3/8');
});

test('what was kept is not lost because the server is away', async () => {
  riga.expectFault(/net::ERR_|WebSocket/);
  const page = await riga.open('/analysis');
  await paste(page, PGN);
  await page.getByText('too early').waitFor();
  await page.getByRole('link', { name: 'Help' }).click();
  await page.getByRole('heading', { name: 'Help' }).waitFor();
  await riga.stop();
  await page.getByRole('link', { name: 'Analysis' }).click();
  // Rules and games need no server.
  await page.getByText('too early').waitFor();
  await tree(page).getByRole('button', { name: 'g6' }).click();
  await drag(page, 'h5', 'g4');
  await tree(page).getByRole('button', { name: 'Qg4' }).waitFor();
  await riga.serve();
});

test('the number of lines stays between one and ten', async () => {
  const page = await riga.open('/analysis');
  await page.getByRole('button', { name: 'Engine settings' }).click();
  const field = page.getByRole('dialog').getByLabel('Lines');
  for (const [typed, used] of [
    ['500', '10'],
    ['0', '1'],
    ['', '1'],
    ['4', '4'],
  ] as const) {
    await field.fill(typed);
    await field.blur();
    expect(await field.inputValue(), typed).toBe(used);
  }
  await expect.poll(() => page.locator('.lines li').count()).toBe(4);
});
