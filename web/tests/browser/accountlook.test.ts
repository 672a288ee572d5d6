// What the account page looks like. Apart from what it does: a server takes ten attempts to sign in at once.

import { expect, test } from 'vitest';
import { signUp } from './hands';
import { useRiga } from './riga';

const riga = useRiga((origin) => ['--public', '--origin', origin, '--requests-per-second', '200']);

test('neither the account page nor the form to sign in scrolls sideways', async () => {
  const page = await riga.open();
  const expectNarrow = async () => {
    for (const [width, height] of [[390, 844], [1366, 657], [1440, 900], [2560, 1440]] as const) {
      await page.setViewportSize({ width, height });
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  };
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await expectNarrow();
  await signUp(page, 'Frieda');
  await page.goto('/account');
  await page.getByRole('heading', { name: 'Change password' }).waitFor();
  await expectNarrow();
});

test('the page is German in German', async () => {
  const page = await riga.open('/', { locale: 'de-DE' });
  await page.getByRole('button', { name: 'Konto erstellen' }).click();
  await page.getByLabel('Name').fill('Christa');
  await page.getByLabel('Passwort').fill('correct horse');
  await page.getByRole('button', { name: 'Konto erstellen' }).click();
  await page.getByRole('link', { name: 'Konto verwalten' }).click();
  await page.getByRole('heading', { name: 'Passwort ändern' }).waitFor();
  await page.getByRole('button', { name: 'Konto löschen' }).waitFor();
});
