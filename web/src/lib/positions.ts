// Positions from the core module, or from the server where it is missing.

import * as api from './api';
import { boards } from './boards';

export async function position(fen: string | undefined, moves: string[], rules: api.Schemas['Rules'] = 'standard'): Promise<api.PositionView> {
  return (await boards()).call('position', { fen: fen ?? null, moves, rules });
}

/** What a board that is being set up allows. */
export async function setUp(board: string): Promise<api.Schemas['SetupView']> {
  return (await boards()).call('set_up', { board });
}

/** Whether a position has standard castling. */
export const rulesOf = (fen: string) => api.rulesOf(fen, position);
