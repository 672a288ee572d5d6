// Keyboard shortcuts, disabled while typing.

const STEPS = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/** Handles a shortcut. The arrow keys also work in an empty text field. */
export function press(event: KeyboardEvent, actions: Record<string, () => void>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
  if (event.target.closest('textarea, select, dialog')) return;
  const field = event.target.closest<HTMLInputElement>('input:not([type="checkbox"])');
  if (field && (field.value !== '' || !STEPS.includes(event.key))) return;
  // Space presses what has the focus; only moves and steps leave it alone, which are pressed with Enter, too.
  if (event.key === ' ' && event.target.closest('button:not(.move, .tool), a, input, [role="menu"]')) return;
  const letter = event.key.length === 1 && event.getModifierState('CapsLock');
  act(event, actions[letter ? event.key.toLowerCase() : event.key]);
}

/** Handles a shortcut with Ctrl, or Cmd on a Mac, such as `z` or `shift+z`. */
export function pressWithCtrl(event: KeyboardEvent, actions: Record<string, () => void>): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || isField(event.target)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  act(event, actions[event.shiftKey ? `shift+${key}` : key]);
}

function act(event: KeyboardEvent, action: (() => void) | undefined): void {
  if (!action || event.defaultPrevented) return;
  event.preventDefault();
  action();
}

/** Whether something is typed there, or it is part of a dialog. */
export function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input:not([type="checkbox"]), textarea, select, dialog') !== null;
}
