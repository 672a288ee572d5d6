// Settings persist.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, choice, drag, moveList } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

async function expectLook(page: Page): Promise<void> {
  await page.locator('.board.sea.letters').waitFor();
  const root = page.locator('html');
  await expect.poll(() => root.getAttribute('data-theme')).toBe('dark');
  await expect.poll(() => root.getAttribute('lang')).toBe('de');
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  await page.getByRole('link', { name: 'Partien' }).waitFor();
}

async function set(page: Page): Promise<void> {
  await choice(page, 'Board', 'Sea').check();
  await choice(page, 'Pieces', 'Letters').check();
  await choice(page, 'Theme', 'Dark').check();
  await page.getByLabel('Coordinates').uncheck();
  await choice(page, 'Language', 'Deutsch').check();
}

test('board, pieces, theme and language are kept over a reload', async () => {
  const page = await riga.open('/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await set(page);
  await expectLook(page);
  await page.reload();
  await expectLook(page);
  expect(await page.getByLabel('Koordinaten').isChecked()).toBe(false);
  for (const name of ['Meer', 'Buchstaben', 'Dunkel', 'Deutsch']) {
    expect(await page.getByRole('radio', { name, exact: true }).isChecked(), name).toBe(true);
  }
});

test('German words are shown on every page', async () => {
  const page = await riga.open('/', { locale: 'de-DE' });
  for (const [path, heading] of [
    ['/', 'Neue Partie'],
    ['/analysis', 'Analysebrett'],
    ['/games', 'Alle Partien'],
    ['/statistics', 'Meine Statistik'],
    ['/settings', 'Einstellungen'],
    ['/help', 'Hilfe'],
  ] as const) {
    await page.goto(path);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor({ state: 'attached' });
  }
});

test('settings go with a profile into another browser', async () => {
  const page = await riga.open();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Anna');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  await page.getByRole('link', { name: 'Settings' }).click();
  const sent: number[] = [];
  page.on('response', (response) => response.request().method() === 'PATCH' && sent.push(response.status()));
  await set(page);
  await expectLook(page);
  // Wait until the profile on the server has the last change.
  await expect
    .poll(() => page.evaluate(() => fetch('/api/me').then((me) => me.json()).then((me: { settings: object }) => JSON.stringify(me.settings))))
    .toContain('"language":"de"');
  expect(sent.every((status) => status < 300)).toBe(true);

  const other = await riga.open();
  await other.getByRole('button', { name: 'Anna' }).click();
  await other.getByRole('link', { name: 'Einstellungen' }).click();
  await expectLook(other);
});

test('a weak level takes as long as a person, if that is wanted', async () => {
  const page = await riga.open('/settings');
  await page.getByLabel('Weak levels take their time').check();
  await begin(page, { opponent: 'Engine', level: 1 });
  await drag(page, 'e2', 'e4');
  const moved = Date.now();
  await expect.poll(async () => (await moveList(page)).length, { interval: 10 }).toBe(2);
  // Nobody answers faster than in 400 milliseconds; some have passed before `drag` returns.
  expect(Date.now() - moved).toBeGreaterThan(200);
});
