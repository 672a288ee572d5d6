// Scrolls a list to one of its items without scrolling the page and its board.

/**
 * Keeps an item in sight, when the list is resized, too; returns the function to stop. Without one, shows the top. What
 * belongs to the item is shown as far as there is room for it.
 */
export function keepInSight(list: Element, selector: string, belonging?: (item: Element) => Element | null): () => void {
  const show = () => {
    const item = list.querySelector(selector);
    const more = item && belonging?.(item);
    if (more) scrollTo(list, more);
    if (item) scrollTo(list, item);
    else list.scrollTop = 0;
  };
  show();
  const resized = new ResizeObserver(show);
  resized.observe(list);
  return () => resized.disconnect();
}

/** By whole pixels: a fraction of one would still cut the edge. */
function scrollTo(list: Element, item: Element): void {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= Math.ceil(outer.top - inner.top);
  else if (inner.bottom > outer.bottom) list.scrollTop += Math.ceil(inner.bottom - outer.bottom);
  if (inner.left < outer.left) list.scrollLeft -= Math.ceil(outer.left - inner.left);
  else if (inner.right > outer.right) list.scrollLeft += Math.ceil(inner.right - outer.right);
}
