// Reviewed games of a user, made without a browser: what puzzles and statistics come from.

import { execFileSync } from 'node:child_process';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The report of a game, as `riga review` writes it. */
function reportOf(pgn: string): unknown {
  const binary = process.env['RIGA'] ?? '../target/debug/riga';
  const options = ['review', '-', '--nodes', '4000', '--threads', '1', '--hash', '4', '--quiet', '--json', '-'];
  const line = execFileSync(binary, options, { input: pgn, encoding: 'utf8' });
  return (JSON.parse(line) as { report: unknown }).report;
}

/** The same game has the same report. */
const reports = new Map<string, unknown>();

async function send(page: Page, method: string, path: string, data: unknown, type = 'application/json') {
  const answer = await page.request.fetch(path, { method, data, headers: { 'content-type': type } });
  expect(answer.ok(), `${method} ${path}: ${await answer.text()}`).toBe(true);
  return answer;
}

/** Selects a new profile. */
export async function enrol(page: Page, name: string): Promise<void> {
  await send(page, 'POST', '/api/users', { name });
  await send(page, 'POST', '/api/session', { name });
}

/** Imports games of a player and stores their reviews. */
export async function study(page: Page, name: string, games: ((name: string) => string)[]): Promise<void> {
  for (const write of games) {
    const key = write('');
    if (!reports.has(key)) reports.set(key, reportOf(key));
    const imported = await send(page, 'POST', '/api/games/import', write(name), 'application/vnd.chess-pgn');
    const { game } = (await imported.json()) as { game: string };
    await send(page, 'PUT', `/api/games/${game}/review`, reports.get(key));
  }
}
