// The position editor, by mouse, touch, keyboard and text.

import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { click, drag, expectBoard, square, START } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const EMPTY = '8/8/8/8/8/8/8/8';

async function edit(options = {}): Promise<Page> {
  const page = await riga.open('/analysis', options);
  await page.locator('cg-board piece').first().waitFor();
  await page.keyboard.press('e');
  await expectBoard(page, START);
  return page;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const palette = (page: Page, name: string) => page.getByRole('group', { name: 'Pieces' }).getByRole('button', { name });
const fen = (page: Page) => page.getByLabel('FEN').inputValue();
const expectFen = (page: Page, text: string) => expect.poll(() => fen(page)).toBe(text);
const castling = (page: Page, name: string) => page.getByRole('group', { name: 'Castling' }).getByLabel(name, { exact: true });

async function middle(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox();
  if (!box) throw new Error('it is not on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags from one place on the page to another. */
async function carry(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  const { x, y } = await middle(from);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move((x + to.x) / 2, (y + to.y) / 2, { steps: 5 });
  await page.mouse.move(to.x, to.y, { steps: 5 });
  await page.mouse.up();
}

test('men are dragged about, off the board and onto it', async () => {
  const page = await edit();
  await drag(page, 'e2', 'e5');
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR');
  // A king dropped on a rook replaces it: there is no castling in the editor.
  await drag(page, 'e1', 'h1');
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQ1BNK');
  await carry(page, square(page, 'd8'), await middle(page.getByRole('heading', { name: 'Set up position' })));
  await expectBoard(page, 'rnb1kbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQ1BNK');
  await carry(page, palette(page, 'Black queen'), await middle(square(page, 'e5')));
  await carry(page, palette(page, 'White pawn'), await middle(square(page, 'a4')));
  await expectBoard(page, 'rnb1kbnr/pppppppp/8/4q3/P7/8/PPPP1PPP/RNBQ1BNK');
  await carry(page, palette(page, 'White pawn'), { x: 5, y: 5 });
  await expectBoard(page, 'rnb1kbnr/pppppppp/8/4q3/P7/8/PPPP1PPP/RNBQ1BNK');
  expect(await palette(page, 'White pawn').getAttribute('aria-pressed')).toBe('false');
  await expectFen(page, 'rnb1kbnr/pppppppp/8/4q3/P7/8/PPPP1PPP/RNBQ1BNK w kq - 0 1');
});

test('a man that is chosen is put on squares and taken from them', async () => {
  const page = await edit();
  await click(page, 'e2', 'e4');
  await expectBoard(page, START);
  await palette(page, 'White queen').click();
  await click(page, 'e4', 'e7');
  await expectBoard(page, 'rnbqkbnr/ppppQppp/8/8/4Q3/8/PPPPPPPP/RNBQKBNR');
  await click(page, 'e4', 'd1');
  await expectBoard(page, 'rnbqkbnr/ppppQppp/8/8/8/8/PPPPPPPP/RNB1KBNR');
  await drag(page, 'e7', 'e5');
  await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4Q3/8/8/PPPPPPPP/RNB1KBNR');
  await palette(page, 'Remove pieces').click();
  await click(page, 'e5', 'a1', 'd4');
  await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/1NB1KBNR');
  await palette(page, 'Remove pieces').click();
  await click(page, 'b1');
  const { x, y } = await middle(square(page, 'h8'));
  await page.mouse.click(x, y, { button: 'right' });
  await expectBoard(page, 'rnbqkbn1/pppp1ppp/8/8/8/8/PPPPPPPP/1NB1KBNR');
});

test('the board is turned, and squares are where they are seen', async () => {
  const page = await edit();
  const before = await middle(square(page, 'a1'));
  await button(page, 'Flip board').click();
  await expect.poll(() => middle(square(page, 'h8'))).toEqual(before);
  await drag(page, 'e2', 'e4');
  await palette(page, 'Black knight').click();
  await click(page, 'a6');
  await expectBoard(page, 'rnbqkbnr/pppppppp/n7/8/4P3/8/PPPP1PPP/RNBQKBNR');
});

test('a position is set up with the keyboard alone', async () => {
  const page = await edit();
  await button(page, 'Empty board').press('Enter');
  await expectBoard(page, EMPTY);
  const put = async (man: string, ...keys: string[]) => {
    await palette(page, man).press('Space');
    await page.locator('[data-square][tabindex="0"]').focus();
    for (const key of keys) await page.keyboard.press(key);
  };
  await put('White king', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
  await put('Black king', ...Array<string>(7).fill('ArrowUp'), 'Space');
  await put('White rook', 'ArrowLeft', 'Enter', 'ArrowLeft', 'Enter', 'Enter');
  expect(await square(page, 'e1').getAttribute('aria-label')).toBe('e1, White king');
  expect(await square(page, 'c8').getAttribute('aria-label')).toBe('c8, empty');
  expect(await page.locator('[data-square]:focus').getAttribute('data-square')).toBe('c8');
  await page.getByLabel('To move').selectOption('Black');
  await button(page, 'Done').press('Enter');
  await button(page, 'More tools').waitFor();
  await expectBoard(page, '3Rk3/8/8/8/8/8/8/4K3');
});

test('castling and en passant are offered where they are possible', async () => {
  const page = await edit();
  await drag(page, 'h1', 'h3');
  await expect.poll(() => castling(page, 'White O-O').isDisabled()).toBe(true);
  expect(await castling(page, 'White O-O').isChecked()).toBe(false);
  await castling(page, 'Black O-O-O').uncheck();
  await expectFen(page, 'rnbqkbnr/pppppppp/8/8/8/7R/PPPPPPPP/RNBQKBN1 w Qk - 0 1');
  await drag(page, 'h3', 'h1');
  await expectFen(page, `${START} w Qk - 0 1`);
  await drag(page, 'e2', 'e5');
  await drag(page, 'd7', 'd5');
  await page.getByLabel('En passant').selectOption('d6');
  expect(await page.getByLabel('En passant').locator('option').allInnerTexts()).toEqual(['-', 'd6']);
  await expectFen(page, 'rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w Qk d6 0 1');
  await page.getByLabel('To move').selectOption('Black');
  await expectFen(page, 'rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b Qk - 0 1');
});

test('a FEN is taken over as it is pasted', async () => {
  const page = await edit();
  await page.getByLabel('FEN').fill('4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 30');
  await expectBoard(page, '4k3/8/8/3pP3/8/8/8/4K2R');
  expect(await page.getByLabel('En passant').inputValue()).toBe('d6');
  expect(await castling(page, 'White O-O').isChecked()).toBe(true);
  await button(page, 'Done').click();
  await button(page, 'More tools').waitFor();
  await drag(page, 'e5', 'd6');
  await expectBoard(page, '4k3/8/3P4/8/8/8/8/4K2R');
});

test('what is wrong with a position is said, and it can be mended', async () => {
  riga.expectFault(/422.*\/api\/positions/);
  const page = await edit();
  await page.getByLabel('FEN').fill('4k3/8/8/8/8/8/8 w');
  await expectBoard(page, START);
  await button(page, 'Done').click();
  await page.getByRole('alert').filter({ hasText: /8 ranks/ }).waitFor();
  expect(await page.getByLabel('FEN').getAttribute('aria-invalid')).toBe('true');
  await expectFen(page, '4k3/8/8/8/8/8/8 w');
  await page.getByLabel('FEN').fill('4k3/8/8/8/8/8/8/R7 w');
  await expectBoard(page, '4k3/8/8/8/8/8/8/R7');
  await button(page, 'Done').click();
  await page.getByRole('alert').filter({ hasText: /king/ }).waitFor();
  await carry(page, palette(page, 'White king'), await middle(square(page, 'e1')));
  await page.getByRole('alert').filter({ hasText: /king/ }).waitFor({ state: 'detached' });
  await expectFen(page, '4k3/8/8/8/8/8/8/R3K3 w - - 0 1');
  await button(page, 'Done').click();
  await button(page, 'More tools').waitFor();
  await expectBoard(page, '4k3/8/8/8/8/8/8/R3K3');
});

test('cancelling leaves the board as it was', async () => {
  const page = await edit();
  await button(page, 'Empty board').click();
  await expectBoard(page, EMPTY);
  await button(page, 'Cancel').click();
  await expectBoard(page, START);
});

test('men are dragged and put by touch', async () => {
  const page = await edit({ viewport: { width: 360, height: 640 }, hasTouch: true });
  const devtools = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  const carryByTouch = async (from: Locator, to: Locator) => {
    const [start, end] = [await middle(from), await middle(to)];
    await touch('touchStart', start);
    for (const part of [0.2, 0.5, 0.8, 1, 1]) {
      // After a fling, the next tap only stops the fling.
      if (part === 1) await page.waitForTimeout(100);
      await touch('touchMove', { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part });
    }
    await touch('touchEnd');
  };
  const tap = async (place: Locator) => {
    const { x, y } = await middle(place);
    await page.touchscreen.tap(x, y);
  };
  await carryByTouch(square(page, 'e2'), square(page, 'e4'));
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  await carryByTouch(palette(page, 'Black pawn'), square(page, 'd4'));
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR');
  await tap(palette(page, 'White queen'));
  await tap(square(page, 'd5'));
  await tap(square(page, 'd1'));
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/3Q4/3pP3/8/PPPP1PPP/RNB1KBNR');
  expect(await page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0]);
});

test.each([
  [360, 640],
  [640, 360],
  [1280, 800],
])('nothing is wider than its place at %i × %i', async (width, height) => {
  const page = await edit({ viewport: { width, height } });
  const wide = await page.evaluate(() =>
    ['html', '.room', '.panel'].filter((name) => {
      const element = document.querySelector(name);
      return !element || element.scrollWidth > element.clientWidth || element.getBoundingClientRect().right > innerWidth;
    }),
  );
  expect(wide).toEqual([]);
});
