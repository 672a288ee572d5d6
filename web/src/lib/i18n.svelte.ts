// All words that are shown, by language.

import { de } from './words.de';
import { en, type Catalogue } from './words.en';
import { language } from './settings.svelte';

const CATALOGUES: Record<'en' | 'de', Catalogue> = { en, de };

/** The words of the language that is set. */
export function t(): Catalogue {
  return CATALOGUES[language()];
}
