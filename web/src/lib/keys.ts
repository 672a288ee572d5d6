// Keys that do something on a page, unless somebody is typing.

const STEPS = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];

/** Does what a key means here. In a field that is empty the arrows have nothing else to do. */
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
