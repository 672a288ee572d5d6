// The clipboard. Browsers lend theirs only to pages that come from this machine or over TLS.

import { t } from './i18n.svelte';
import { notices } from './notices.svelte';

export async function copy(text: string): Promise<void> {
  try {
    if (window.isSecureContext) await navigator.clipboard.writeText(text);
    else copyByHand(text);
    notices.say(t().play.copied);
  } catch {
    notices.say(t().play.notCopied, true);
  }
}

/** The old way: a field with the text, selected and copied. */
function copyByHand(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  // A dialog lets nothing outside it be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way without TLS
  const done = document.execCommand('copy');
  field.remove();
  if (!done) throw new Error('the browser does not copy');
}
