// Appearance: square colors.

import { expect, test } from 'vitest';
import { begin, square } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

/** The brightness of a square's corner, which no piece covers, from 0 to 255. */
async function brightness(page: Awaited<ReturnType<typeof riga.open>>, name: string): Promise<number> {
  const box = await square(page, name).boundingBox();
  if (!box) throw new Error(`${name} is not on the page`);
  const clip = { x: box.x + 2, y: box.y + box.height - 5, width: 3, height: 3 };
  const picture = (await page.screenshot({ clip })).toString('base64');
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas?.drawImage(image, 0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = canvas?.getImageData(0, 0, 1, 1).data ?? [];
    return (red + green + blue) / 3;
  }, picture);
}

test('the square at a player\'s right hand is light, for both of them', async () => {
  const page = await riga.open();
  await begin(page);
  for (const [dark, light] of [
    ['a1', 'h1'],
    ['h8', 'a8'],
    ['d4', 'e4'],
  ] as const) {
    expect(await brightness(page, dark), dark).toBeLessThan(await brightness(page, light));
  }
});
