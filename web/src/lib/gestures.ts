// Stepping with the mouse wheel and with a swipe over the board.

type Step = (by: 1 | -1) => void;

/** How far the wheel turns for a step; a trackpad scrolls in small pieces. */
const NOTCH = 60;
/** How far a finger moves for a swipe, in pixels. */
const FAR = 40;

interface Options {
  step: Step;
  /** Whether a touch at this place would pick up a piece. */
  takes: (x: number, y: number) => boolean;
}

export function gestures(node: HTMLElement, options: Options): { destroy: () => void; update: (options: Options) => void } {
  let now = options;
  let turned = 0;
  let last = 0;
  let start: { x: number; y: number } | undefined;

  const wheel = (event: WheelEvent) => {
    if (event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    // Wheels that count lines or pages turn one notch at a time.
    const delta = event.deltaMode === 0 ? event.deltaY : Math.sign(event.deltaY) * NOTCH;
    if (event.timeStamp - last > 300 || Math.sign(delta) !== Math.sign(turned)) turned = 0;
    last = event.timeStamp;
    turned += delta;
    if (Math.abs(turned) < NOTCH) return;
    turned = 0;
    now.step(delta > 0 ? 1 : -1);
  };
  const down = (event: PointerEvent) => {
    const touches = event.pointerType === 'touch' && event.isPrimary;
    start = touches && !now.takes(event.clientX, event.clientY) ? { x: event.clientX, y: event.clientY } : undefined;
  };
  const up = (event: PointerEvent) => {
    if (!start) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    start = undefined;
    if (Math.abs(dx) >= FAR && Math.abs(dx) > 2 * Math.abs(dy)) now.step(dx < 0 ? 1 : -1);
  };
  const cancel = () => (start = undefined);

  node.addEventListener('wheel', wheel, { passive: false });
  node.addEventListener('pointerdown', down, { capture: true });
  node.addEventListener('pointerup', up, { capture: true });
  node.addEventListener('pointercancel', cancel);
  return {
    update: (options) => (now = options),
    destroy: () => {
      node.removeEventListener('wheel', wheel);
      node.removeEventListener('pointerdown', down, { capture: true });
      node.removeEventListener('pointerup', up, { capture: true });
      node.removeEventListener('pointercancel', cancel);
    },
  };
}
