// Every page: accessibility, light and dark themes, small phones.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findings } from './axe';
import { begin, click, dismiss, expectMoves, moveList, square, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const PAGES = ['/', '/play/ID', '/analysis', '/analysis/ID', '/review', '/review/DONE', '/games', '/puzzles', '/statistics', '/settings', '/account', '/help'];

/** A visitor with a profile, a finished game and one in progress, so that no page is empty. */
async function player(page: Page): Promise<(path: string) => Promise<void>> {
  const name = `Player ${Math.random().toString(36).slice(2)}`;
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  const over = await begin(page, { opponent: 'Engine', level: 1, side: 'White', minutes: 5 });
  await type(page, 'e4');
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
  const address = await begin(page, { minutes: 5 });
  await type(page, 'e4', 'd5', 'exd5');
  return async (path) => {
    await page.goto(path.replace('/play/ID', address).replace('/ID', address.replace('/play', '')).replace('/DONE', over.replace('/play', '')));
    if (/play|analysis|DONE/.test(path)) await page.locator('cg-board piece').first().waitFor();
    if (path.includes('DONE')) await page.getByRole('tab').first().waitFor({ timeout: 30_000 });
    await page.locator('h1, .room').first().waitFor({ state: 'attached' });
    await page.waitForLoadState('load');
    await page.waitForTimeout(400);
  };
}

test.each(['light', 'dark'] as const)('no page has a serious finding of accessibility, in %s colors', async (colorScheme) => {
  const page = await riga.open('/', { colorScheme });
  const go = await player(page);
  for (const path of PAGES) {
    await go(path);
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe(colorScheme);
    expect.soft(await findings(page), path).toEqual([]);
  }
});

describe.each(['light', 'dark'] as const)('in %s colors', (colorScheme) => {
  test('no part of a review has a serious finding', async () => {
    const page = await riga.open('/review', { colorScheme });
    await page.getByLabel('Game (PGN)').fill('1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0');
    await page.getByRole('button', { name: 'Start review' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    expect.soft(await findings(page), 'running').toEqual([]);
    await page.getByText('How accuracy is computed').click({ timeout: 40_000 });
    expect.soft(await findings(page), 'overview').toEqual([]);
    await page.getByRole('tab', { name: 'Moves' }).click();
    await page.locator('ol.moves [data-ply="6"]').click();
    expect.soft(await findings(page), 'moves').toEqual([]);
    await page.getByRole('button', { name: 'Key moments' }).click();
    await page.getByRole('button', { name: 'Show solution' }).click();
    expect.soft(await findings(page), 'question').toEqual([]);
  });

  test('no dialog has one', async () => {
    const page = await riga.open('/', { colorScheme });
    await begin(page, { fen: '8/P6k/8/8/8/8/p6K/8 w - - 0 1' });
    await click(page, 'a7', 'a8');
    await page.getByRole('dialog', { name: 'Promote to' }).waitFor();
    expect.soft(await findings(page), 'promotion').toEqual([]);
    await dismiss(page);
    await page.keyboard.press('f');
    await page.getByRole('dialog', { name: 'FEN' }).waitFor();
    expect.soft(await findings(page), 'FEN').toEqual([]);
    await dismiss(page);
    await page.getByRole('button', { name: 'Abort' }).click();
    expect.soft(await findings(page), 'abort').toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
    await page.getByRole('dialog', { name: 'Game over' }).waitFor();
    expect.soft(await findings(page), 'over').toEqual([]);
    await page.goto('/analysis');
    await page.getByRole('button', { name: 'More tools' }).click();
    expect.soft(await findings(page), 'menu').toEqual([]);
    await page.getByRole('menuitem', { name: 'Set up position' }).click();
    await page.getByRole('button', { name: 'Empty board' }).waitFor();
    expect.soft(await findings(page), 'editor').toEqual([]);
  });
});

describe('on a small phone', () => {
  const phone = { viewport: { width: 360, height: 640 }, hasTouch: true };

  test('no page scrolls sideways', async () => {
    const page = await riga.open('/', phone);
    const go = await player(page);
    for (const path of PAGES) {
      await go(path);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll('*')]
          .filter((element) => element.getBoundingClientRect().right > 361 && !element.closest('nav, svg, .unseen'))
          .map((element) => `${element.tagName}.${element.className}`),
      );
      const width = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth));
      expect.soft(width, `${path} ${wide.join(', ')}`).toBe(360);
    }
  });

  test('a move is made by touch', async () => {
    const page = await riga.open('/', phone);
    await begin(page);
    for (const name of ['e2', 'e4']) {
      const box = await square(page, name).boundingBox();
      await page.touchscreen.tap((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    }
    await expectMoves(page, 'e4');
  });
});
