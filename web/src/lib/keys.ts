// Keyboard shortcuts, disabled while typing.

const STEPS = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/** Handles a shortcut. The arrow keys also work in an empty text field. */
export function press(event: KeyboardEvent, actions: Record<string, () => void>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return;
  if (event.target.closest('textarea, select, dialog')) return;
  const field = event.target.closest<HTMLInputElement>('input:not([type="checkbox"])');
  if (field && (field.value !== '' || !STEPS.includes(event.key))) return;
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}
