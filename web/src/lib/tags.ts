// The tags of a game as fields of a form, and back.

import type { Schemas } from './api';

type Tag = Schemas['Tag'];

/** The tags that have a field of their own. */
export const USUAL = ['White', 'WhiteElo', 'Black', 'BlackElo', 'Event', 'Round', 'Site', 'Date'] as const;
export type Usual = Record<(typeof USUAL)[number], string>;

const isUsual = (name: string): name is keyof Usual => (USUAL as readonly string[]).includes(name);

/** The tags with a field, and all others as text: one per line. */
export function splitTags(tags: Tag[]): { usual: Usual; others: string } {
  const usual = Object.fromEntries(USUAL.map((name) => [name, ''])) as Usual;
  const others: string[] = [];
  for (const { name, value } of tags) {
    if (isUsual(name)) usual[name] = value;
    else others.push(`${name} ${value}`);
  }
  return { usual, others: others.join('\n') };
}

/** The tags in their former order, with new ones at the end; empty ones are dropped. */
export function joinTags(before: Tag[], usual: Usual, others: string): Tag[] {
  const wanted = new Map<string, string>();
  for (const name of USUAL) if (usual[name].trim()) wanted.set(name, usual[name].trim());
  for (const line of others.split('\n')) {
    const [, name, value] = /^\s*([A-Za-z0-9_]+)\s+(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) wanted.set(name, value);
  }
  const order = [...before.map(({ name }) => name).filter((name) => wanted.has(name)), ...wanted.keys()];
  return [...new Set(order)].map((name) => ({ name, value: wanted.get(name) ?? '' }));
}
