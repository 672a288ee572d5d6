// Player actions: starting games, moving pieces, reading the board.

import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export interface NewGame {
  opponent?: 'Engine' | 'Someone at this board' | 'Friend via link';
  level?: number;
  side?: 'White' | 'Random' | 'Black';
  /** Minutes for each side. */
  minutes?: number;
  fen?: string;
}

export function choice(page: Page, question: string, answer: string): Locator {
  return page.getByRole('group', { name: question }).getByRole('radio', { name: answer, exact: true });
}

/** Creates an account on a public server. */
export async function signUp(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Starts a game from the start page and returns its path. */
export async function begin(page: Page, game: NewGame = {}): Promise<string> {
  if (new URL(page.url()).pathname !== '/') await page.goto('/');
  await choice(page, 'Opponent', game.opponent ?? 'Someone at this board').check();
  if (game.level !== undefined) await page.getByRole('slider', { name: 'Level' }).fill(String(game.level));
  await choice(page, 'Color', game.side ?? 'White').check();
  if (game.minutes === undefined) {
    await choice(page, 'Time control', 'No clock').check();
  } else {
    await choice(page, 'Time control', 'Custom …').check();
    await page.getByLabel('Minutes').fill(String(game.minutes));
    await page.getByLabel('Seconds per move').fill('0');
  }
  if (game.fen !== undefined) {
    await choice(page, 'Variant', 'From position').check();
    await page.getByLabel('FEN').fill(game.fen);
  }
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL(/\/play\/.+/);
  await page.locator('cg-board piece').first().waitFor();
  return new URL(page.url()).pathname;
}

/** Closes the open dialog. Keys pressed before it is gone would still go to it. */
export async function dismiss(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

export function square(page: Page, name: string): Locator {
  return page.locator(`[data-square="${name}"]`);
}

async function middle(page: Page, name: string): Promise<{ x: number; y: number }> {
  const box = await square(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags a piece with the mouse. */
export async function drag(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await middle(page, from), await middle(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

/** Clicks a piece and then its destination. */
export async function click(page: Page, ...squares: string[]): Promise<void> {
  for (const name of squares) {
    const { x, y } = await middle(page, name);
    await page.mouse.click(x, y);
  }
}

/** Types moves, waiting for each to be played. */
export async function type(page: Page, ...moves: string[]): Promise<void> {
  for (const move of moves) {
    const before = (await moveList(page)).length;
    await page.getByLabel('Type a move').fill(move);
    await page.getByLabel('Type a move').press('Enter');
    await expect.poll(() => moveList(page).then((list) => list.length), { message: move }).toBeGreaterThan(before);
  }
}

/** The moves in the move list. */
export function moveList(page: Page): Promise<string[]> {
  return page.locator('ol.moves [data-ply]').allInnerTexts();
}

export async function expectMoves(page: Page, ...moves: string[]): Promise<void> {
  await expect.poll(() => moveList(page)).toEqual(moves);
}

/** The board as drawn, as the first field of a FEN. */
export function drawn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const letters: Record<string, string> = { pawn: 'p', knight: 'n', bishop: 'b', rook: 'r', queen: 'q', king: 'k' };
    const men = new Map<string, string>();
    for (const piece of document.querySelectorAll<HTMLElement & { cgKey?: string }>('cg-board piece')) {
      const classes = [...piece.classList];
      const letter = letters[classes.find((name) => name in letters) ?? ''];
      if (!letter || !piece.cgKey || classes.includes('fading') || classes.includes('ghost')) continue;
      men.set(piece.cgKey, classes.includes('white') ? letter.toUpperCase() : letter);
    }
    return placement((name) => men.get(name));

    function placement(man: (name: string) => string | undefined): string {
      const rank = (n: string) => [...'abcdefgh'].map((file) => man(file + n) ?? '1').join('');
      return [...'87654321'].map(rank).join('/').replace(/1+/g, (empty) => String(empty.length));
    }
  });
}

/** The board as read by screen readers, as the first field of a FEN. */
export function told(page: Page): Promise<string> {
  return page.evaluate(() => {
    const letters: Record<string, string> = { pawn: 'p', knight: 'n', bishop: 'b', rook: 'r', queen: 'q', king: 'k' };
    const man = (name: string) => {
      const label = document.querySelector(`[data-square="${name}"]`)?.getAttribute('aria-label') ?? '';
      const [, side, role] = /(White|Black) (\w+)/.exec(label) ?? [];
      const letter = letters[role ?? ''] ?? '1';
      return side === 'White' ? letter.toUpperCase() : letter;
    };
    const rank = (n: string) => [...'abcdefgh'].map((file) => man(file + n)).join('');
    return [...'87654321'].map(rank).join('/').replace(/1+/g, (empty) => String(empty.length));
  });
}

export const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';

/** Waits until both the drawn board and the screen reader grid show a position. */
export async function expectBoard(page: Page, placement: string): Promise<void> {
  await expect.poll(() => told(page)).toBe(placement);
  await expect.poll(() => drawn(page)).toBe(placement);
}

/** Waits for the text of the game-over dialog. */
export async function expectResult(page: Page, words: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Game over' });
  await dialog.waitFor({ timeout: 15_000 });
  expect(await dialog.innerText()).toMatch(words);
}

/** The last screen reader announcement. */
export function lastSpoken(page: Page): Promise<string> {
  return page.locator('[aria-live="assertive"]').innerText();
}

/** Pastes a text on the page itself, not into a field. */
export async function pasteAnywhere(page: Page, text: string): Promise<void> {
  await page.evaluate((given) => {
    const data = new DataTransfer();
    data.setData('text', given);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}
