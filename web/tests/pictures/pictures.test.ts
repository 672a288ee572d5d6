// Takes the screenshots in docs/pictures: every page, on desktop and phone.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, moveList, type } from '../browser/hands';
import { useRiga } from '../browser/riga';

const riga = useRiga();
const FOLDER = '../docs/pictures';

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 640 } };

/** A lost game against the engine, so that there is something to show. */
async function lose(page: Page, level: number, side: 'White' | 'Black', moves: string[]): Promise<void> {
  await begin(page, { opponent: 'Engine', level, side, minutes: 5 });
  for (const move of moves) {
    await type(page, move);
    await expect.poll(() => moveList(page).then((list) => list.length % 2), { timeout: 20_000 }).toBe(0);
  }
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
}

test('every page on a desk and on a phone', async () => {
  const page = await riga.open('/', { viewport: SIZES.desktop });
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Misha');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  await lose(page, 1, 'White', ['e4']);
  await lose(page, 2, 'White', ['d4']);
  // One game won and one drawn against a friend.
  const won = await begin(page, { minutes: 5 });
  await type(page, 'e4', 'e5', 'Bc4', 'Nc6', 'Qh5', 'Nf6', 'Qxf7');
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
  await begin(page, { minutes: 15 });
  await type(page, 'd4', 'd5', 'c4');
  await page.getByRole('button', { name: 'Offer draw' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
  const play = await begin(page, { minutes: 5 });
  await type(page, 'e4', 'c5', 'Nf3', 'd6', 'd4', 'cxd4', 'Nxd4', 'Nf6', 'Nc3', 'a6', 'Bg5');
  const analysis = play.replace('/play', '/analysis');
  for (const [name, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    for (const [what, path] of Object.entries({
      start: '/',
      play,
      analysis,
      review: won.replace('/play', '/review'),
      games: '/games',
      statistics: '/statistics',
      settings: '/settings',
      help: '/help',
    })) {
      await page.goto(path);
      if (what === 'review') {
        await page.getByRole('tab', { name: 'Moves' }).click({ timeout: 60_000 });
        await page.locator('ol.moves [data-ply="6"]').click();
        await page.evaluate(() => window.scrollTo(0, 0));
      }
      await page.waitForTimeout(what === 'analysis' ? 6_000 : 2_000);
      await page.screenshot({ path: `${FOLDER}/${what}-${name}.png` });
    }
  }
});
