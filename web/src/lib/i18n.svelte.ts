// User-visible texts by language.

import { de } from './words.de';
import { en, type Catalogue } from './words.en';
import { language } from './settings.svelte';

const CATALOGUES: Record<'en' | 'de', Catalogue> = { en, de };

/** The texts in the current language. */
export function t(): Catalogue {
  return CATALOGUES[language()];
}
