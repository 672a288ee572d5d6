import { expect, test } from 'vitest';
import { de } from '../../src/lib/words.de';
import { en } from '../../src/lib/words.en';

/** Every entry with its path, type and number of parameters. */
function shape(value: unknown, path = ''): string[] {
  if (typeof value === 'function') return [`${path}(${value.length})`];
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`];
  return Object.entries(value).flatMap(([key, entry]) => shape(entry, `${path}.${key}`));
}

/** Every text; functions are called with 2, 3 and so on. */
function texts(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'function') {
    const given = Array.from({ length: value.length }, (_, index) => index + 2);
    return [[path, String((value as (...all: number[]) => unknown)(...given))]];
  }
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, entry]) => texts(entry, `${path}.${key}`));
}

test('German has exactly the entries of English, and every function as many parameters', () => {
  expect(shape(de).sort()).toEqual(shape(en).sort());
});

test.each([
  ['English', en],
  ['German', de],
])('no text in %s is empty or has a missing argument', (_, catalogue) => {
  for (const [path, text] of texts(catalogue)) {
    expect(text.trim(), path).not.toBe('');
    expect(text, path).not.toMatch(/undefined|NaN|\[object/);
  }
});

test('every function uses all its arguments', () => {
  for (const catalogue of [en, de]) {
    const functions = new Map(texts(catalogue));
    for (const entry of shape(catalogue)) {
      const [, path = '', count = ''] = /^(.*)\((\d)\)$/.exec(entry) ?? [];
      for (let given = 2; given < 2 + Number(count); given++) expect(functions.get(path), path).toContain(String(given));
    }
  }
});
