// The keys of the analysis board.

import type { Desk } from './desk.svelte';
import { press, pressWithCtrl } from './keys';
import { router } from './router.svelte';

/** What the panel does itself. */
interface Fields {
  comment: () => void;
  type: () => void;
}

export function pressAtDesk(event: KeyboardEvent, desk: Desk, fields: Fields): void {
  if (desk.dialog !== undefined) return;
  press(event, {
    ArrowLeft: () => desk.step(-1),
    ArrowRight: () => desk.step(1),
    ArrowUp: () => desk.vary(-1),
    ArrowDown: () => desk.vary(1),
    Home: () => desk.first(),
    End: () => desk.last(),
    ' ': () => desk.playBest(),
    Delete: () => desk.rearrange('remove'),
    x: () => desk.flip(),
    f: () => (desk.dialog = 'paste'),
    r: () => (desk.dialog = 'fresh'),
    z: () => desk.undo(),
    h: () => desk.hint(),
    m: fields.type,
    c: fields.comment,
    l: () => desk.toggleEngine(),
    t: () => (desk.threat = !desk.threat),
    e: () => (desk.dialog = 'editor'),
    '?': () => router.go('/help'),
    ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((nag) => [String(nag), () => desk.glyph(nag)])),
  });
  pressWithCtrl(event, {
    z: () => desk.undo(),
    y: () => desk.redo(),
    'shift+z': () => desk.redo(),
    ArrowUp: () => desk.rearrange('promote'),
    ArrowDown: () => desk.rearrange('demote'),
    'shift+ArrowUp': () => desk.rearrange('make_main'),
    s: () => desk.save(),
    ...(window.getSelection()?.isCollapsed === false ? {} : { c: () => desk.copy() }),
  });
}
