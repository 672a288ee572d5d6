// What the eye checks, at four sizes of screen: nothing is cut off, covered, or jumps.

import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { box, expectInside, meets, type Box } from './boxes';
import { begin, click, moveList, square, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const SIZES = [
  { width: 390, height: 844 },
  { width: 1366, height: 657 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];

const OPENING = ['e4', 'c5', 'Nf3', 'd6', 'd4', 'cxd4', 'Nxd4', 'Nf6', 'Nc3', 'a6', 'Bg5', 'e6', 'f4', 'Be7', 'Qf3', 'Qc7'];

/** A position with pieces in every corner, and a knight that takes on e5 or goes elsewhere. */
const TAKES = 'rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1';

/** The boxes of the step buttons and the button to flip the board. */
function steps(page: Page): Promise<Box[]> {
  return page.locator('.steps button').evaluateAll((buttons) =>
    buttons.filter((button) => button.checkVisibility()).map((button) => {
      const { x, y, width, height } = button.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
}

/** The controls in sight whose upper edge is covered by something else. */
function covered(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.panel :is(button, a, input):not([disabled])')]
      .filter((one) => {
        const { x, y, width, bottom } = one.getBoundingClientRect();
        if (width < 2 || bottom > window.innerHeight || one.closest('.lines, .tree, .moves, .body, .glyphs')) return false;
        const top = document.elementFromPoint(x + width / 2, y + 3);
        return top !== null && !one.contains(top) && !top.contains(one);
      })
      .map((one) => `${one.tagName} ${one.innerText}`),
  );
}

/** Whether the tab of the game in front is wholly in sight. */
function tabInSight(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const find = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
    const [tab, tabs] = [find('.tab.current'), find('.tabs')];
    return tab.width > 0 && tab.left >= tabs.left - 1 && tab.right <= tabs.right + 1;
  });
}

/** Waits until a page has settled. */
async function settle(page: Page, path: string): Promise<void> {
  if (/play|analysis|review\/./.test(path)) await page.locator('cg-board piece').first().waitFor();
  if (/review\/./.test(path)) await page.getByRole('tab').first().waitFor({ timeout: 30_000 });
  await page.locator('h1, .room').first().waitFor({ state: 'attached' });
  await page.waitForTimeout(300);
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settle(page, path);
}

interface Player {
  /** The browser's storage, which holds the seats. */
  state: Awaited<ReturnType<BrowserContext['storageState']>>;
  finished: string;
  waiting: string;
  /** Two games in progress; the last one has moves. */
  games: string[];
}

/** A profile with a finished and rated game, one that waits for a friend, and two in progress. */
async function newPlayer(): Promise<Player> {
  const page = await riga.open();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Maximiliane Schwarzenberger');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  await page.getByLabel('Rated game').check();
  const finished = await begin(page, { opponent: 'Engine', level: 1, side: 'White', minutes: 5 });
  await type(page, 'e4');
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
  const waiting = await begin(page, { opponent: 'Friend via link' });
  const games = [await begin(page, { opponent: 'Engine', level: 1, side: 'White' }), await begin(page, { minutes: 60 })];
  await type(page, ...OPENING);
  return { state: await page.context().storageState(), finished, waiting, games };
}

let created: Promise<Player> | undefined;
const player = () => (created ??= newPlayer());

/** The paths of all pages. */
async function pages(): Promise<string[]> {
  const { finished, waiting, games } = await player();
  const play = games.at(-1) ?? '';
  const others = ['/review', finished.replace('play', 'review'), '/games', '/puzzles', '/statistics', '/settings', '/account', '/help', '/nowhere'];
  return ['/', play, waiting, finished, '/analysis', play.replace('play', 'analysis'), ...others];
}

/** Texts that are cut off. Names in narrow strips and columns, engine lines and openings may be. */
function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.checkVisibility() && getComputedStyle(one).overflowX === 'hidden')
      .filter((one) => !one.matches('.unseen') && !one.closest('.lines, .opening, .strip, .player'))
      .map((one) => `${one.tagName}.${one.className} ${one.innerText}`),
  );
}

describe.each(SIZES)('at $width x $height', (viewport) => {
  const screen = { x: 0, y: 0, ...viewport };
  const visit = async (path = '/', locale = 'en-GB') => {
    const page = await riga.open(path, { viewport, locale, storageState: (await player()).state });
    await settle(page, path);
    return page;
  };

  // German words are the longer ones; where there is room for them, there is room for English.
  const locales = viewport.width < 1400 ? ['en-GB', 'de-DE'] : ['de-DE'];
  test.each(locales)('no page scrolls sideways, cuts off a text or control, or moves the navigation (%s)', async (locale) => {
    const page = await visit('/', locale);
    const items = () => page.locator('nav li').evaluateAll((all) => all.map((item) => item.getBoundingClientRect().toJSON() as Box));
    const navigation = await items();
    for (const path of await pages()) {
      await open(page, path);
      const width = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, document.body.scrollWidth));
      expect.soft(width, path).toBe(viewport.width);
      const cut = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('main :is(button, .button, .link, label.check)')]
          .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && !one.closest('.lines, .unseen'))
          .map((one) => `${one.tagName} ${one.innerText}`),
      );
      expect.soft(cut, path).toEqual([]);
      expect.soft(await covered(page), path).toEqual([]);
      expect.soft(await clipped(page), path).toEqual([]);
      expect.soft(await items(), path).toEqual(navigation);
    }
  });

  test('choosing an option moves none of the others', async () => {
    const page = await riga.open('/settings', { viewport });
    const options = page.locator('fieldset').first().locator('label');
    const places = () => options.evaluateAll((all) => all.map((option) => option.getBoundingClientRect().toJSON() as Box));
    const before = await places();
    for (const name of ['Slate', 'High contrast', 'Amber']) {
      await page.getByRole('radio', { name }).check();
      expect.soft(await places(), name).toEqual(before);
    }
  });

  test('board and step buttons are in one screen, and stay where they are', async () => {
    const play = (await player()).games.at(-1) ?? '';
    const page = await visit();
    for (const path of [play, play.replace('play', 'analysis')]) {
      await open(page, path);
      const board = await box(page, 'cg-board');
      expectInside(board, screen, `${path} board`);
      const before = await steps(page);
      const moves = await box(page, 'ol.moves, .tree');
      before.forEach((button, index) => expectInside(button, screen, `${path} step ${index}`));
      for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'End', 'ArrowLeft']) {
        await page.keyboard.press(key);
        await page.waitForTimeout(120);
        expect.soft(await box(page, 'cg-board'), `${path} board after ${key}`).toEqual(board);
        expect.soft(await steps(page), `${path} steps after ${key}`).toEqual(before);
        const { list, move } = await page.evaluate(() => {
          const find = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().toJSON() as Box;
          return { list: find('ol.moves, .tree'), move: find('.move[aria-current]') };
        });
        expect.soft(list.y, `${path} moves after ${key}`).toBe(moves.y);
        if (key !== 'Home') expectInside(move, list, `${path} move after ${key}`);
      }
    }
  });

  test('the board gets what the screen has', async () => {
    const page = await visit((await player()).games[0]);
    await open(page, (await player()).games[1] ?? '');
    const { width, height } = await box(page, 'cg-board');
    expect(width).toBe(height);
    const least = { 390: 350, 1366: 540, 1440: 690, 2560: 1120 }[viewport.width];
    expect(width).toBeGreaterThanOrEqual(least ?? 0);
    for (const strip of await page.locator('.strip').all()) expectInside((await strip.boundingBox()) ?? screen, screen, 'player');
    // Of several tabs, that of the game in front is in sight, and the page doesn't grow with them.
    for (const game of (await player()).games) {
      await page.locator(`.tab a[href="${game}"]`).click();
      await expect.poll(() => page.locator('.tab.current a').getAttribute('href')).toBe(game);
      await expect.poll(() => tabInSight(page)).toBe(true);
      const more = (await page.getByRole('link', { name: 'Another game' }).boundingBox()) ?? screen;
      expectInside(more, screen, 'another game');
      expect.soft(meets(more, await box(page, '.tab.current')), 'another game').toBe(false);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width);
    }
  });

  test('the analysis board has room for board and moves, and its tools are in reach', async () => {
    const page = await visit((await player()).games.at(-1)?.replace('play', 'analysis'));
    const [board, moves, tools] = [await box(page, 'cg-board'), await box(page, '.tree'), await box(page, '.steps')];
    const least = { 390: 384, 1366: 540, 1440: 690, 2560: 1120 }[viewport.width];
    expect(board.width).toBeGreaterThanOrEqual(least ?? 0);
    for (const [what, where] of Object.entries({ board, moves, tools })) expectInside(where, screen, what);
    expect(moves.height).toBeGreaterThanOrEqual(150);
    for (const strip of await page.locator('.player').all()) expectInside((await strip.boundingBox()) ?? screen, screen, 'player');
    if (viewport.width > 1000) {
      const text = await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
      expect((await box(page, '.panel')).width).toBeCloseTo(30 * text, 0);
    } else {
      // A bar at the bottom; what is opened lies above it and leaves the board alone.
      expect(tools.y + tools.height).toBeCloseTo(viewport.height, 0);
      for (const name of ['Engine', 'Openings', 'Annotate']) {
        await page.getByRole('toolbar').getByRole('button', { name }).click();
        const sheet = await box(page, '.box.open');
        expect.soft(sheet.y + sheet.height, name).toBeLessThanOrEqual(tools.y + 1);
        expect.soft(sheet.y, name).toBeGreaterThan(board.y + board.height / 2);
      }
    }
  });

  test('the review has board, explanation and steps in one screen, and nothing jumps from move to move', async () => {
    const page = await visit((await player()).finished.replace('play', 'review'));
    await page.getByRole('tab', { name: 'Moves' }).click();
    const board = await box(page, 'cg-board');
    const least = { 390: 384, 1366: 540, 1440: 690, 2560: 1120 }[viewport.width];
    expect(board.width).toBeGreaterThanOrEqual(least ?? 0);
    for (const selector of ['cg-board', '.steps', '.say > :first-child', '.graph']) expectInside(await box(page, selector), screen, selector);
    for (const strip of await page.locator('.player').all()) expectInside((await strip.boundingBox()) ?? screen, screen, 'player');
    const [before, tabs] = [await steps(page), await box(page, '[role=tablist]')];
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) {
      await page.keyboard.press(key);
      await page.waitForTimeout(120);
      expect.soft(await box(page, 'cg-board'), `board after ${key}`).toEqual(board);
      expect.soft(await steps(page), `steps after ${key}`).toEqual(before);
      // On a phone, what is below a long explanation moves down.
      if (viewport.width > 1000) expect.soft(await box(page, '[role=tablist]'), `tabs after ${key}`).toEqual(tabs);
    }
  });

  test('squares, dots and rings are where the pieces stand, and the letters are inside the board', async () => {
    const page = await riga.open('/', { viewport });
    await begin(page, { fen: TAKES });
    const board = await box(page, 'cg-board');
    const size = board.width / 8;
    for (const name of ['a1', 'h1', 'a8', 'h8', 'e4']) {
      const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
      const where = (await square(page, name).boundingBox()) ?? screen;
      expect.soft(where.x, name).toBeCloseTo(board.x + file * size, 0);
      expect.soft(where.y, name).toBeCloseTo(board.y + (7 - rank) * size, 0);
      expect.soft(where.width, name).toBeCloseTo(size, 0);
    }
    await click(page, 'f3');
    await page.locator('cg-board square.selected').waitFor();
    const marks = await page.locator('cg-board square').evaluateAll((all) =>
      all.map((mark) => ({ name: (mark as HTMLElement & { cgKey?: string }).cgKey ?? '', ...mark.getBoundingClientRect().toJSON() as Box })),
    );
    expect(marks.map(({ name }) => name).sort()).toEqual(['d4', 'e5', 'f3', 'g1', 'g5', 'h4']);
    for (const mark of marks) {
      const where = (await square(page, mark.name).boundingBox()) ?? screen;
      for (const side of ['x', 'y', 'width', 'height'] as const) expect.soft(mark[side], `${mark.name} ${side}`).toBeCloseTo(where[side], 0);
    }
    const letters = await page.locator('coords coord').evaluateAll((all) =>
      all.map((letter) => {
        const range = document.createRange();
        range.selectNodeContents(letter);
        return range.getBoundingClientRect().toJSON() as Box;
      }),
    );
    expect(letters).toHaveLength(16);
    for (const letter of letters) expectInside(letter, board, 'letter');
  });

  test('a message covers neither the board nor its buttons', async () => {
    const page = await riga.open('/', { viewport, permissions: ['clipboard-read', 'clipboard-write'] });
    await begin(page);
    await page.getByRole('button', { name: 'Copy PGN' }).click();
    await page.getByText('Copied').waitFor();
    await page.evaluate(() => window.scrollTo(0, 0));
    const message = await box(page, '.notice');
    expectInside(message, screen, 'message');
    for (const control of await page.locator('main :is(button, a, input, cg-board)').all()) {
      const where = await control.boundingBox();
      if (where) expect.soft(meets(message, where), await control.innerText()).toBe(false);
    }
  });

  test('the end of a game leaves the board in sight', async () => {
    const page = await riga.open('/', { viewport });
    await begin(page, { minutes: 5 });
    await page.getByRole('button', { name: 'Abort' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
    await page.getByRole('dialog', { name: 'Game over' }).waitFor();
    const [dialog, board] = [await box(page, 'dialog'), await box(page, 'cg-board')];
    expectInside(dialog, screen, 'dialog');
    expect(meets(dialog, board)).toBe(false);
  });

  test('a game starts without scrolling, and its board is whole if it is there', async () => {
    const page = await visit();
    const preview = page.locator('.preview .board');
    await page.getByRole('heading', { name: 'Games in progress' }).waitFor();
    const visible = viewport.height >= 900;
    if (visible) expectInside((await preview.boundingBox()) ?? screen, screen, 'board');
    else expect(await preview.isVisible()).toBe(false);
    expectInside((await page.getByRole('button', { name: 'Start', exact: true }).boundingBox()) ?? { ...screen, y: -1 }, screen, 'Start');
  });

  test('icons grow with the text', async () => {
    const page = await riga.open('/analysis', { viewport });
    const text = await page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
    await page.locator('.steps svg').first().waitFor({ state: 'attached' });
    expect((await box(page, '.steps .big svg')).width).toBeCloseTo(1.25 * text, 0);
  });
});

test('the columns of running and finished games are in line', async () => {
  const page = await riga.open('/games', { storageState: (await player()).state });
  const results = page.locator('li .result');
  await expect.poll(() => results.allInnerTexts()).toContain('live');
  expect(await results.allInnerTexts()).toContain('0-1');
  const places = await results.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  expect(new Set(places).size).toBe(1);
});

describe('on a phone', () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

  test('the links beneath a game are in line', async () => {
    const page = await riga.open('/', phone);
    await begin(page);
    const off = await page.locator('.panel > .row > .link').evaluateAll((links) =>
      links.map((link) => {
        const [outer, range] = [link.getBoundingClientRect(), document.createRange()];
        range.selectNodeContents(link);
        const inner = range.getBoundingClientRect();
        return Math.abs(inner.top + inner.bottom - outer.top - outer.bottom) / 2;
      }),
    );
    expect(off.length).toBeGreaterThan(3);
    expect(Math.max(...off)).toBeLessThan(1.5);
  });

  test('in landscape, the end of a game leaves the board in sight', async () => {
    const page = await riga.open('/', { ...phone, viewport: { width: 844, height: 390 } });
    await begin(page);
    await page.getByRole('button', { name: 'Abort' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
    await page.getByRole('dialog', { name: 'Game over' }).waitFor();
    expect(meets(await box(page, 'dialog'), await box(page, 'cg-board'))).toBe(false);
  });
});
