// Puzzles from one's own games, and statistics from their reviews.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings } from './axe';
import { click, square } from './hands';
import { useRiga } from './riga';
import { enrol, study as storeReviews } from './study';

const riga = useRiga();

/** White misses a mate at move 4. */
const game = (name: string, day: number) =>
  `[White "${name}"]\n[Black "Gisela"]\n[Date "2026.03.0${day}"]\n[Round "${day}"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qf3 Nd4 0-1\n`;

/** White had a smothered mate in two. */
const smothered = (name: string) =>
  `[White "${name}"]\n[Black "Gisela"]\n[SetUp "1"]\n[FEN "1q3r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1"]\n\n1. Nf7+ Rxf7 0-1\n`;

let students = 0;

/** Selects a new profile whose games have been reviewed. */
async function study(page: Page, ...games: ((name: string) => string)[]): Promise<void> {
  const name = `Student ${++students}`;
  await enrol(page, name);
  await storeReviews(page, name, games);
}

const panel = (page: Page) => page.getByRole('region', { name: 'Puzzles' });

async function open(page: Page): Promise<void> {
  await page.goto('/puzzles');
  await page.locator('cg-board piece').first().waitFor();
}

test('a puzzle is solved at the second try, explained, and comes back later', async () => {
  const page = await riga.open();
  await study(page, (name) => game(name, 1));
  await open(page);
  const entry = page.getByRole('navigation').getByRole('link', { name: /^Puzzles/ });
  await expect.poll(() => entry.innerText()).toContain('1');
  await panel(page).getByText('White to move: find the best move.').waitFor();
  await panel(page).getByText('Your opponent had just erred, and you played Qf3.').waitFor();
  await click(page, 'h5', 'e5');
  await panel(page).getByText('Qxe5+ is not the best move. Try again.').waitFor();
  // The wrong move is taken back.
  await expect.poll(() => square(page, 'h5').getAttribute('aria-label')).toContain('queen');
  await click(page, 'h5', 'f7');
  await panel(page).getByRole('heading', { name: 'Found it at last' }).waitFor();
  await panel(page).getByText('4. Qxf7#').first().waitFor();
  await panel(page).getByRole('heading', { name: 'What was wrong' }).waitFor();
  await panel(page).getByText(/Due again in \d+ hours/).waitFor();
  const link = panel(page).getByRole('link', { name: 'To the game' });
  expect(await link.getAttribute('href')).toMatch(/^\/review\/\w{14}\?ply=6$/);
  await expect.poll(() => entry.innerText()).not.toContain('1');
  await panel(page).getByRole('button', { name: 'Next puzzle' }).click();
  await page.getByRole('heading', { name: 'Nothing is due' }).waitFor();
  await page.getByText(/The next puzzle is due in \d+ hours/).waitFor();
  await page.getByRole('button', { name: 'Practise anyway' }).click();
  await panel(page).getByText('Solved 0 of 1 times').waitFor();
});

test('a longer solution is played with the keyboard, after hints', async () => {
  const page = await riga.open();
  await study(page, smothered);
  await open(page);
  await page.keyboard.press('h');
  await panel(page).getByText('Move the queen on c4.').waitFor();
  await page.keyboard.press('h');
  await panel(page).getByText('The queen goes to g8.').waitFor();
  await page.locator('.cg-shapes line').first().waitFor({ state: 'attached' });
  await square(page, 'c4').focus();
  await page.keyboard.press('Enter');
  await square(page, 'g8').focus();
  await page.keyboard.press('Enter');
  await panel(page).getByText('Right. Go on.').waitFor();
  await expect.poll(() => square(page, 'g8').getAttribute('aria-label')).toContain('rook');
  await square(page, 'h6').focus();
  await page.keyboard.press('Enter');
  await square(page, 'f7').focus();
  await page.keyboard.press('Enter');
  await panel(page).getByRole('heading', { name: 'Solved' }).waitFor();
  await panel(page).getByText('1. Qg8+ Rxg8 2. Nf7#', { exact: true }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'Nothing is due' }).waitFor();
});

test('the solution is shown, themes filter, and a puzzle can be deleted', async () => {
  const page = await riga.open();
  await study(page, (name) => game(name, 1), smothered);
  await open(page);
  await panel(page).getByRole('button', { name: 'Show solution' }).click();
  await panel(page).getByRole('heading', { name: 'The solution' }).waitFor();
  await panel(page).getByText('4. Qxf7#').first().waitFor();
  await panel(page).getByLabel('Theme').selectOption('mistake');
  await panel(page).getByText('You played Nf7+.').waitFor();
  expect(new URL(page.url()).search).toBe('?theme=mistake');
  const download = page.waitForEvent('download');
  await panel(page).getByRole('link', { name: 'Export PGN' }).click();
  expect((await download).suggestedFilename()).toBe('riga-puzzles.pgn');
  await panel(page).getByRole('button', { name: 'Delete puzzle' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await panel(page).getByText('You played Nf7+.').waitFor();
  await panel(page).getByRole('button', { name: 'Delete puzzle' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete puzzle' }).click();
  await page.getByRole('heading', { name: 'No puzzles with this theme' }).waitFor();
  await page.getByLabel('Theme').selectOption('');
  await page.getByRole('heading', { name: 'Nothing is due' }).waitFor();
});

test('without puzzles the page says how to get them, in both languages', async () => {
  const page = await riga.open();
  await study(page);
  await page.goto('/puzzles');
  await page.getByText('Review a finished game to get the first.').waitFor();
  await page.getByRole('link', { name: 'My games' }).waitFor();
  const german = await riga.open('/', { locale: 'de-DE' });
  await study(german, (name) => game(name, 1));
  await open(german);
  await german.getByText('Weiß am Zug: Finde den besten Zug.').waitFor();
  await click(german, 'h5', 'f7');
  await german.getByText(/Dxf7#/).first().waitFor();
  await german.getByRole('heading', { name: 'Was falsch war' }).waitFor();
  const guest = await riga.open('/puzzles');
  await guest.getByText('Choose a profile first').waitFor();
});

test('statistics sum up the reviews', async () => {
  const page = await riga.open();
  await study(page, (name) => game(name, 1), (name) => game(name, 2));
  await page.goto('/statistics');
  await page.getByRole('heading', { name: 'From reviews' }).waitFor();
  await page.getByText('2 reviewed games').waitFor();
  await page.getByRole('row', { name: /Opening 8/ }).waitFor();
  expect(await page.locator('.plot .dot').count()).toBe(2);
  const mistakes = page.locator('section', { has: page.getByRole('heading', { name: 'Most costly mistakes' }) });
  await mistakes.getByText('Mate: missed').waitFor();
  expect(await mistakes.getByRole('link').first().getAttribute('href')).toMatch(/^\/review\/\w{14}\?ply=6$/);
  await page.getByRole('link', { name: '2 puzzles', exact: true }).click();
  await page.waitForURL('/puzzles?theme=mate');
  await page.locator('cg-board piece').first().waitFor();
  await page.goBack();
  await mistakes.getByRole('link').first().click();
  await page.getByText('4. Qf3').first().waitFor();
});

test.each(['light', 'dark'] as const)('neither page has a serious finding of accessibility, in %s colors', async (colorScheme) => {
  const page = await riga.open('/', { colorScheme });
  await study(page, (name) => game(name, 1), (name) => game(name, 2));
  await open(page);
  await page.keyboard.press('h');
  await panel(page).getByText('Move the queen on h5.').waitFor();
  expect.soft(await findings(page), 'solving').toEqual([]);
  await page.keyboard.press('s');
  await panel(page).getByRole('heading', { name: 'What was wrong' }).waitFor();
  expect.soft(await findings(page), 'solution').toEqual([]);
  await page.goto('/statistics');
  await page.getByText('2 reviewed games').waitFor();
  expect.soft(await findings(page), 'statistics').toEqual([]);
});

describe.each([
  { width: 390, height: 844 },
  { width: 1366, height: 657 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
])('at $width x $height', (viewport) => {
  test('board, task and buttons of a puzzle are in one screen, and stay where they are', async () => {
    const page = await riga.open('/', { viewport, hasTouch: viewport.width < 500 });
    await study(page, (name) => game(name, 1));
    await open(page);
    const places = async () => {
      const parts = [page.locator('cg-board'), panel(page).getByRole('button', { name: 'Hint' }), panel(page).getByRole('button', { name: 'Show solution' })];
      return Promise.all(parts.map((part) => part.boundingBox()));
    };
    const before = await places();
    for (const box of before) {
      expect.soft((box?.y ?? 9999) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
      expect.soft((box?.x ?? 9999) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
    }
    const least = { 390: 350, 1366: 540, 1440: 690, 2560: 1120 }[viewport.width] ?? 0;
    expect.soft(before[0]?.width).toBeGreaterThanOrEqual(least);
    await panel(page).getByRole('button', { name: 'Hint' }).click();
    await panel(page).getByText('Move the queen on h5.').waitFor();
    expect.soft(await places()).toEqual(before);
    for (const name of ['h5', 'f7']) {
      const box = await square(page, name).boundingBox();
      const [x, y] = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2];
      await (viewport.width < 500 ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
    }
    await panel(page).getByRole('heading', { name: 'Solved' }).waitFor();
    expect.soft(await page.locator('cg-board').boundingBox()).toEqual(before[0]);
    const next = await panel(page).getByRole('button', { name: 'Next puzzle' }).boundingBox();
    expect.soft((next?.y ?? 9999) + (next?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
  });
});
