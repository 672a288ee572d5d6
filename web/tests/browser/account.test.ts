// Managing an account on a public server: name, password, deletion.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, signUp } from './hands';
import { useRiga } from './riga';

const riga = useRiga((origin) => ['--public', '--origin', origin, '--requests-per-second', '200']);

async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('name and password are changed, and the account is deleted with the password only', async () => {
  riga.expectFault(/400|401/);
  const page = await riga.open();
  await signUp(page, 'Anna');
  await page.getByRole('link', { name: 'Manage account' }).click();
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
  await page.getByLabel('Name').fill('Anna Maria');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByText('Renamed').waitFor();

  await page.getByLabel('Current password').fill('wrong horse');
  await page.getByLabel('New password').fill('another horse');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The current password is wrong.').waitFor();
  await page.getByLabel('Current password').fill('correct horse');
  await page.getByLabel('New password').fill('password1');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('too easy to guess').waitFor();
  await page.getByLabel('New password').fill('another horse');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Password changed.').waitFor();

  await page.getByLabel('Password', { exact: true }).fill('another horse');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await signIn(page, 'Anna Maria', 'another horse');
  await page.getByText('Wrong name or password.').waitFor();
});

test('signing out removes the seats from the browser', async () => {
  const page = await riga.open();
  await signUp(page, 'Boris');
  await begin(page);
  const kept = () => page.evaluate(() => localStorage.getItem('riga-seats'));
  expect(await kept()).not.toBeNull();
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await kept()).toBeNull();
});

test('signing out gives up the seats of open games, in other tabs of the browser, too', async () => {
  const page = await riga.open();
  await signUp(page, 'Clara');
  const game = await begin(page);
  const other = await page.context().newPage();
  await other.goto(game);
  await other.getByRole('button', { name: 'Abort' }).waitFor();
  // Not a page load, which would forget everything anyway.
  await page.getByRole('link', { name: 'Riga', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.goBack();
  for (const tab of [page, other]) {
    await tab.getByText('You are watching.').waitFor();
    expect(await tab.getByRole('button', { name: 'Abort' }).count()).toBe(0);
    await tab.locator('header').getByText('Guest').waitFor();
  }
});
