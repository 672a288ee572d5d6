// Wörter zu Partiensammlungen.

import type { library as english } from './words.library.en';

export const library: typeof english = {
  title: 'Sammlungen',
  none: 'Keine passenden Partien',
  games: (n) => `${n} Partien`,
  player: 'Spieler',
  side: 'Als',
  sides: { either: 'beide Farben', white: 'Weiß', black: 'Schwarz' },
  opponent: 'Gegner',
  minRating: 'Wertung ab',
  maxRating: 'Wertung bis',
  from: 'Ab (Jahr)',
  to: 'Bis (Jahr)',
  result: 'Ergebnis',
  speed: 'Bedenkzeit',
  any: 'beliebig',
  order: 'Reihenfolge',
  orders: { newest: 'Neueste zuerst', strongest: 'Stärkste zuerst' },
  filter: 'Filter',
  clear: 'Filter leeren',
  more: 'Mehr',
  position: 'Partien mit dieser Stellung',
  anywhere: 'Alle Partien',
  asWhite: 'Mit Weiß',
  asBlack: 'Mit Schwarz',
  opening: 'Eröffnung',
  unnamed: 'Ohne Namen',
  score: (percent) => `${percent} %`,
  unknown: 'Unbekannt',
};
