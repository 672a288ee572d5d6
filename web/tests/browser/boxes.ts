// Where things are on the screen.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export async function box(page: Page, selector: string): Promise<Box> {
  const found = await page.locator(selector).first().boundingBox();
  if (!found) throw new Error(`${selector} is not on the page`);
  return found;
}

export function expectInside(inner: Box, outer: Box, what: string): void {
  expect.soft(inner.x, `${what}, left`).toBeGreaterThanOrEqual(outer.x - 0.5);
  expect.soft(inner.y, `${what}, top`).toBeGreaterThanOrEqual(outer.y - 0.5);
  expect.soft(inner.x + inner.width, `${what}, right`).toBeLessThanOrEqual(outer.x + outer.width + 0.5);
  expect.soft(inner.y + inner.height, `${what}, bottom`).toBeLessThanOrEqual(outer.y + outer.height + 0.5);
}

export const meets = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
