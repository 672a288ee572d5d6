// The shapes of icons: paths in a box of 24 by 24.

export const ICONS = {
  flip: 'M8 20V5l-4 4M8 5l4 4M16 4v15l-4-4M16 19l4-4',
  threat: 'M12 3v4M12 17v4M3 12h4M17 12h4M12 6a6 6 0 1 0 0 12a6 6 0 0 0 0-12M12 11.5v1',
  note: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  undo: 'M9 6L4 11l5 5M4 11h10a6 6 0 0 1 0 9h-3',
  redo: 'M15 6l5 5-5 5M20 11H10a6 6 0 0 0 0 9h3',
  menu: 'M5 11.5v1M12 11.5v1M19 11.5v1',
  gear: 'M4 7h9M17 7h3M15 5v4M4 12h3M11 12h9M9 10v4M4 17h11M19 17h1M17 15v4',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  engine: 'M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4',
  book: 'M12 6c-2-1.5-5-2-8-1.5v13c3-.5 6 0 8 1.5c2-1.5 5-2 8-1.5v-13c-3-.5-6 0-8 1.5zM12 6v13',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  mistake: 'M12 4v10M12 18v1.5M20 8l-3 4 3 4',
  question: 'M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.2-1.5 2.3M12 18v.5',
  close: 'M6 6l12 12M18 6L6 18',
} as const;
