// Positions from the core module, or from the server where it is missing.

import * as api from './api';
import { boards } from './boards';

export async function position(fen: string | undefined, moves: string[], rules: api.Schemas['Rules'] = 'standard'): Promise<api.PositionView> {
  return (await boards()).call('position', { fen: fen ?? null, moves, rules });
}

/** Whether a position has standard castling. */
export const rulesOf = (fen: string) => api.rulesOf(fen, position);
