import { expect, test } from 'vitest';
import { de } from '../../src/lib/words.de';
import { en } from '../../src/lib/words.en';

/** Every entry with its path: what kind it is, and how many parameters it has. */
function shape(value: unknown, path = ''): string[] {
  if (typeof value === 'function') return [`${path}(${value.length})`];
  if (typeof value !== 'object' || value === null) return [`${path}: ${typeof value}`];
  return Object.entries(value).flatMap(([key, entry]) => shape(entry, `${path}.${key}`));
}

/** Every text, with 2, 3 and so on for what functions are given. */
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
])('no text is empty in %s, and none lacks what it was given', (_, catalogue) => {
  for (const [path, text] of texts(catalogue)) {
    expect(text.trim(), path).not.toBe('');
    expect(text, path).not.toMatch(/undefined|NaN|\[object/);
  }
});

test('every function says all that it is given', () => {
  for (const catalogue of [en, de]) {
    const functions = new Map(texts(catalogue));
    for (const entry of shape(catalogue)) {
      const [, path = '', count = ''] = /^(.*)\((\d)\)$/.exec(entry) ?? [];
      for (let given = 2; given < 2 + Number(count); given++) expect(functions.get(path), path).toContain(String(given));
    }
  }
});
