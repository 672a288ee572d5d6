// Where the small board of a hovered line is shown.

import { expect, test } from 'vitest';
import { placeBeside } from '../../src/lib/preview';

const SCREEN = { width: 1000, height: 600 };
const list = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });

test('a preview is below its list, or above it if there is no room', () => {
  expect(placeBeside(list(600, 100, 980, 200), 240, SCREEN)).toEqual({ left: 600, top: 208 });
  expect(placeBeside(list(600, 400, 980, 550), 240, SCREEN)).toEqual({ left: 600, top: 152 });
});

test('beside a high list it is on the left or on the right', () => {
  expect(placeBeside(list(600, 200, 980, 500), 240, SCREEN)).toEqual({ left: 352, top: 260 });
  expect(placeBeside(list(20, 200, 400, 500), 240, SCREEN)).toEqual({ left: 408, top: 260 });
});

test('it never leaves the window', () => {
  expect(placeBeside(list(900, 100, 1200, 200), 240, SCREEN)).toEqual({ left: 760, top: 208 });
  expect(placeBeside(list(0, 100, 1000, 600), 240, SCREEN)).toEqual({ left: 0, top: 0 });
});
