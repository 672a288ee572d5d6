// The PGN of a game, wherever it is.

import { text } from './api';
import { writeHere } from './offline/here';
import { isHere } from './offline/shelf';
import { seatOf } from './seats';

export async function pgnOf(id: string): Promise<string> {
  return isHere(id) ? (await writeHere(id)).pgn : text(`/api/games/${id}/pgn`, seatOf(id));
}

/** Saves a game as a file. */
export async function download(id: string): Promise<void> {
  saveAs(`riga-${id}.pgn`, await pgnOf(id));
}

export function saveAs(name: string, pgn: string): void {
  saveFile(name, pgn, 'application/vnd.chess-pgn');
}

export function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
