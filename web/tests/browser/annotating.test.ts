// Annotating on the analysis board: comments, glyphs, drawings, variations and headers, by mouse and by keyboard.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, dismiss, drag, expectBoard, pasteAnywhere, square, START, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

/** Everything that must survive: nested variations, glyphs, clocks, scores, drawings and headers. */
const FULL = `[Event "Club \\"A\\""]
[Site "Riga"]
[Date "2024.05.01"]
[Round "3"]
[White "Anna"]
[Black "Boris"]
[Result "1/2-1/2"]
[Annotator "C. D."]

{ On the whole a draw } 1. e4 $1 { [%clk 0:05:00] } 1... e5 { [%eval 0.30] best } (1... c5
{ [%csl Gd4] [%cal Rd2d4] } 2. Nf3 (2. c3 d5 $5) 2... d6) 2. Nf3 $14 $36 { [%emt 0:00:07] } 2... Nc6
1/2-1/2
`;

const tree = (page: Page) => page.getByRole('group', { name: 'Moves' });
const move = (page: Page, san: string) => tree(page).getByRole('button', { name: new RegExp(`^${san}`) }).first();
const current = (page: Page) => tree(page).locator('.move[aria-current]');

async function open(text: string): Promise<Page> {
  const page = await riga.open('/analysis', { permissions: ['clipboard-read', 'clipboard-write'] });
  await expectBoard(page, START);
  await pasteAnywhere(page, text);
  await tree(page).getByRole('button').first().waitFor();
  return page;
}

async function copied(page: Page): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.keyboard.press('Control+c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('');
  return page.evaluate(() => navigator.clipboard.readText());
}

const words = (pgn: string) => pgn.split(/\s+/).filter(Boolean);

test('what is pasted and copied is the same game', async () => {
  const page = await open(FULL);
  expect(words(await copied(page)).sort()).toEqual(words(FULL).sort());
});

test('an edit leaves the rest as it was, and can be undone', async () => {
  const page = await open(FULL);
  const before = await copied(page);
  await move(page, 'Nc6').click();
  await page.keyboard.press('2');
  await page.keyboard.press('c');
  await page.keyboard.type('careless');
  await tree(page).getByText('careless').waitFor();
  await move(page, 'Nc6').click();
  const after = await copied(page);
  expect(after.replace(/\s+/g, ' ')).toContain('2... Nc6 $2 { careless } 1/2-1/2');
  expect(words(after).filter((word) => !words(before).includes(word))).toEqual(['$2', 'careless']);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect.poll(() => copied(page)).toBe(before);
  await page.keyboard.press('Control+y');
  await page.keyboard.press('Control+y');
  await expect.poll(() => copied(page)).toBe(after);
});

test('variations are rearranged from the menu and by keyboard', async () => {
  const page = await open('1. e4 e5 (1... c5 2. Nf3) (1... e6) 2. Nc3 *');
  const line = async () => (await copied(page)).split('\n\n')[1]?.replace(/\s+/g, ' ').trim();
  await move(page, 'e6').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Promote variation' }).click();
  await expect.poll(line).toBe('1. e4 e6 (1... e5 2. Nc3) (1... c5 2. Nf3) *');
  await page.keyboard.press('z');
  await expect.poll(line).toBe('1. e4 e5 (1... c5 2. Nf3) (1... e6) 2. Nc3 *');
  await move(page, 'c5').focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Make main line' }).waitFor();
  await page.keyboard.press('Escape');
  await move(page, 'Nf3').click();
  await page.keyboard.press('Control+Shift+ArrowUp');
  await expect.poll(line).toBe('1. e4 c5 (1... e5 2. Nc3) (1... e6) 2. Nf3 *');
  await move(page, 'e6').click();
  await page.keyboard.press('Delete');
  await expect.poll(line).toBe('1. e4 c5 (1... e5 2. Nc3) 2. Nf3 *');
  await expect.poll(() => current(page).innerText()).toMatch(/^e4/);
});

test('arrows and circles stay with the move', async () => {
  const page = await open('1. e4 e5 *');
  await page.keyboard.press('ArrowRight');
  const [from, to] = await Promise.all(['g1', 'f3'].map(async (name) => (await square(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }));
  if (!from || !to) throw new Error('there are no squares');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  await expect.poll(() => copied(page)).toContain('[%cal Gg1f3]');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => copied(page)).toContain('[%cal Gg1f3]');
  await page.reload();
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  expect(await copied(page)).toContain('[%cal Gg1f3]');
});

test('headers are edited', async () => {
  const page = await open('1. e4 e5 *');
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Game details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Game details' });
  await dialog.getByLabel('White', { exact: true }).fill('Clara');
  await dialog.getByLabel('White’s rating').fill('1850');
  await dialog.getByLabel('Result').selectOption('1-0');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.locator('.player').getByText('Clara').waitFor();
  const pgn = await copied(page);
  for (const line of ['[White "Clara"]', '[WhiteElo "1850"]', '[Result "1-0"]']) expect(pgn).toContain(line);
});

test('annotations are stored with a game that was played', async () => {
  const page = await riga.open('/', { permissions: ['clipboard-read', 'clipboard-write'] });
  const address = await begin(page);
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  await page.goto(address.replace('/play', '/analysis'));
  await move(page, 'g4').click();
  await page.keyboard.press('4');
  await page.keyboard.press('c');
  await page.keyboard.type('loses at once');
  await tree(page).getByText('loses at once').waitFor();
  await move(page, 'g4').click();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved').waitFor();
  const fresh = await (await riga.visitor({ storageState: await page.context().storageState() })).newPage();
  await fresh.goto(address.replace('/play', '/analysis'));
  await tree(fresh).getByText('loses at once').waitFor();
  const pgn = await fresh.evaluate((path) => fetch(path).then((found) => found.text()), `/api/games/${address.split('/').pop() ?? ''}/pgn`);
  expect(pgn.replace(/\s+/g, ' ')).toContain('2. g4 $4 { loses at once } 2... Qh4# 0-1');
});

test('a stored game with other headers is saved as another game', async () => {
  const page = await riga.open('/');
  const address = await begin(page);
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  await page.goto(address.replace('/play', '/analysis'));
  await move(page, 'g4').click();
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Game details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Game details' });
  await dialog.getByLabel('White', { exact: true }).fill('Clara of the headers');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved').waitFor();
  const get = (path: string) => page.evaluate((path) => fetch(path).then((found) => found.text()), path);
  expect(await get('/api/games/export')).toContain('[White "Clara of the headers"]');
  expect(await get(`/api/games/${address.split('/').pop() ?? ''}/pgn`)).not.toContain('Clara');
});

test('the keyboard steps, chooses at forks, switches variations and plays the best move', async () => {
  const page = await open('1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *');
  await page.keyboard.press('ArrowRight');
  const fork = page.getByRole('group', { name: 'Continue with' });
  await fork.getByText('1… c5').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => current(page).innerText()).toMatch(/^c5/);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => current(page).innerText()).toMatch(/^e5/);
  await page.keyboard.press('End');
  await expect.poll(() => current(page).innerText()).toMatch(/^Nc3/);
  // Lines of the position before may still be there.
  await page.locator('.lines').getByText('2…').first().waitFor();
  const before = await tree(page).locator('.move').count();
  // The engine may just have begun again, and know no move yet.
  const press = async () => {
    await page.keyboard.press(' ');
    return tree(page).locator('.move').count();
  };
  await expect.poll(press, { interval: 200 }).toBeGreaterThan(before);
  await page.keyboard.press('x');
  await page.keyboard.press('m');
  await page.keyboard.type('Nc6');
  expect(await page.getByLabel('Type a move').inputValue()).toBe('Nc6');
});

test('the wheel steps through the game', async () => {
  const page = await open('1. e4 e5 2. Nf3 *');
  const middle = (await square(page, 'd4').boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(middle.x + 5, middle.y + 5);
  await page.mouse.wheel(0, 100);
  await expect.poll(() => current(page).innerText()).toMatch(/^e4/);
  await page.mouse.wheel(0, 100);
  await expect.poll(() => current(page).innerText()).toMatch(/^e5/);
  await page.mouse.wheel(0, -100);
  await expect.poll(() => current(page).innerText()).toMatch(/^e4/);
});

test('the engine runs in the browser, and stops at once', async () => {
  const page = await open('1. e4 e5 2. Nf3 *');
  const engine = page.getByRole('region', { name: 'Engine' });
  await engine.getByText('in this browser').waitFor();
  await page.locator('.lines .score').first().waitFor();
  await engine.getByRole('switch').uncheck();
  await engine.getByText('The engine is off').waitFor();
  expect(await page.locator('.lines').count()).toBe(0);
  await engine.getByRole('switch').check();
  await engine.getByRole('button', { name: 'Engine settings' }).click();
  await page.getByRole('radio', { name: 'on the server' }).check({ force: true });
  await dismiss(page);
  await engine.getByText('on the server').waitFor();
  await page.locator('.lines .score').first().waitFor();
});

test('a line that was played on after a draw is analysed', async () => {
  const repeated = Array.from({ length: 5 }, (_, index) => `${2 * index + 1}. Nf3 Nf6 ${2 * index + 2}. Ng1 Ng8`).join(' ');
  const page = await open(`${repeated} 11. e4 *`);
  await page.keyboard.press('End');
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  await drag(page, 'e7', 'e5');
  await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR');
});

test('without the module the server shows games, which is said once', async () => {
  riga.expectFault(/net::ERR_FAILED/);
  const context = await riga.visitor();
  await context.route(/core.*\.wasm/, (route) => route.abort());
  const page = await context.newPage();
  await page.goto('/analysis');
  await page.getByText('This build of Riga can’t edit games').waitFor();
  await pasteAnywhere(page, '1. e4 {best} e5 (1... c5) 2. Nf3 *');
  await tree(page).getByText('best').waitFor();
  await page.keyboard.press('End');
  await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
  await drag(page, 'b8', 'c6');
  await expect.poll(() => current(page).innerText()).toMatch(/^Nc6/);
  expect(await page.getByRole('button', { name: 'Annotate' }).isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Help' }).click();
  await page.getByRole('link', { name: 'Analysis' }).click();
  await expectBoard(page, START);
});

test('on a phone a swipe over the board steps', async () => {
  const page = await riga.open('/analysis', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await expectBoard(page, START);
  await pasteAnywhere(page, '1. e4 e5 *');
  await move(page, 'e4').waitFor();
  const swipe = (by: number) =>
    page.evaluate((dx) => {
      const board = document.querySelector('.stage')?.getBoundingClientRect() ?? new DOMRect();
      const [x, y] = [board.x + board.width / 2, board.y + board.height / 2];
      const target = document.elementFromPoint(x, y);
      const at = (clientX: number) => ({ pointerType: 'touch', isPrimary: true, bubbles: true, clientX, clientY: y });
      target?.dispatchEvent(new PointerEvent('pointerdown', at(x)));
      target?.dispatchEvent(new PointerEvent('pointerup', at(x + dx)));
    }, by);
  await swipe(-80);
  await expect.poll(() => current(page).innerText()).toMatch(/^e4/);
  await swipe(-80);
  await expect.poll(() => current(page).innerText()).toMatch(/^e5/);
  await swipe(80);
  await expect.poll(() => current(page).innerText()).toMatch(/^e4/);
});
