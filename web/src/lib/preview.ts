// Where the small board of a hovered line is shown.

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const GAP = 8;

/** The corner of a square beside a list: wholly in the window, and off the list if there is room on any side of it. */
export function placeBeside(list: Box, size: number, screen: { width: number; height: number }): { left: number; top: number } {
  const fit = (at: number, length: number) => Math.max(0, Math.min(at, length - size));
  const [left, top] = [fit(list.left, screen.width), fit(list.bottom - size, screen.height)];
  const above = list.top - GAP - size;
  const places = [
    { left, top: list.bottom + GAP },
    { left, top: above },
    { left: list.left - GAP - size, top },
    { left: list.right + GAP, top },
  ];
  const isInside = (place: { left: number; top: number }) =>
    place.left >= 0 && place.top >= 0 && place.left + size <= screen.width && place.top + size <= screen.height;
  return places.find(isInside) ?? { left, top: fit(above, screen.height) };
}
