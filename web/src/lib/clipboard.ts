// The clipboard. Browsers expose it only to pages served from localhost or over TLS.

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

/** Fallback: select the text in a temporary field and copy it. */
function copyByHand(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  // While a dialog is open, nothing outside it can be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- there is no other way without TLS
  const done = document.execCommand('copy');
  field.remove();
  if (!done) throw new Error('the browser does not copy');
}
