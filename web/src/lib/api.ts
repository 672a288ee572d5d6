// Requests to the server. Responses are typed by the OpenAPI document; errors are problem documents.

import type { components } from '../api';

export type Schemas = components['schemas'];
export type GameView = Schemas['GameView'];
export type PositionView = Schemas['PositionView'];
export type LegalMove = Schemas['LegalMove'];
export type PlayedMove = Schemas['PlayedMove'];
export type Side = Schemas['Side'];
export type AnalysedLines = Schemas['AnalysedLines'];
export type Me = Schemas['Me'];
export type Problem = Schemas['Problem'];

/** A problem document from the server. */
export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** A game refused what we asked of it. */
export class Refused extends Error {
  constructor(readonly reason: Schemas['Refusal']) {
    super(reason);
  }
}

/** An error whose text is for the player. */
export class Told extends Error {}

/** The server can't be reached. */
export class Unreachable extends Error {}

/** The CSRF token; undefined until it is known, null if there is none. */
let csrf: string | null | undefined;
let asking: Promise<Me> | undefined;

/** Stores the CSRF token. */
export function trust(me: Me): Me {
  csrf = me.csrf ?? null;
  return me;
}

/** Fetches the current user. */
export function whoAmI(): Promise<Me> {
  asking ??= call<Me>('GET', '/api/me')
    .then(trust)
    .finally(() => (asking = undefined));
  return asking;
}

let reach: (reached: boolean) => void = () => undefined;

/** Calls back after each request, with whether the server was reached. */
export function onReach(heard: (reached: boolean) => void): void {
  reach = heard;
}

/** What a proxy says while the server is away. */
const AWAY = [502, 503, 504];

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Request {
  body?: BodyInit | undefined;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Sends a request, with the token if needed. Retries with a new token after a sign-in in another tab. */
async function send(method: Method, path: string, request: Request = {}): Promise<Response> {
  if (method !== 'GET' && csrf === undefined) await whoAmI();
  try {
    return await attempt(method, path, request);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.problem.type !== '/problems/foreign-origin') throw error;
    await whoAmI();
    return attempt(method, path, request);
  }
}

async function attempt(method: Method, path: string, { body, headers = {}, signal }: Request): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: csrf ? { ...headers, 'x-csrf-token': csrf } : headers,
      body: body ?? null,
      signal: signal ?? null,
    });
  } catch (error) {
    if (!signal?.aborted) reach(false);
    throw new Unreachable(String(error));
  }
  if (response.ok) {
    reach(true);
    return response;
  }
  const text = await response.text();
  let problem: Problem;
  try {
    problem = JSON.parse(text) as Problem;
    reach(true);
  } catch {
    if (AWAY.includes(response.status)) {
      reach(false);
      throw new Unreachable(response.statusText);
    }
    problem = { type: 'about:blank', title: response.statusText, status: response.status, detail: text };
  }
  throw new ProblemError(problem);
}

const PGN = { 'content-type': 'application/vnd.chess-pgn' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** Sends and receives JSON. `T` must be the type that the OpenAPI document gives this route. */
export async function call<T>(method: Method, path: string, body?: unknown, seat?: string): Promise<T> {
  const headers = { ...(body === undefined ? {} : JSON_TYPE), ...(seat === undefined ? {} : { 'x-seat': seat }) };
  const response = await send(method, path, { headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Fetches text. */
export async function text(path: string, seat?: string): Promise<string> {
  return (await send('GET', path, { headers: seat === undefined ? {} : { 'x-seat': seat } })).text();
}

/** Whether a game doesn't exist, or isn't ours; false if the server can't be reached. */
export function isGone(id: string, seat?: string): Promise<boolean> {
  return call('GET', `/api/games/${id}`, undefined, seat).then(
    () => false,
    (error: unknown) => error instanceof ProblemError && [400, 403, 404].includes(error.problem.status),
  );
}

/** Stores a game's comments, glyphs, drawings and variations with it. */
export async function putPgn(id: string, pgn: string, seat?: string): Promise<void> {
  await send('PUT', `/api/games/${id}/pgn`, { body: pgn, headers: { ...PGN, ...(seat === undefined ? {} : { 'x-seat': seat }) } });
}

/** Uploads a PGN file. */
export async function importPgn(pgn: Blob | string): Promise<Schemas['ImportReport']> {
  const response = await send('POST', '/api/games/import', { body: pgn, headers: PGN });
  return (await response.json()) as Schemas['ImportReport'];
}

/** Parses a PGN without storing it. */
export async function readPgn(pgn: string): Promise<Schemas['ReadGame']> {
  const response = await send('POST', '/api/pgn', { body: pgn, headers: PGN });
  return (await response.json()) as Schemas['ReadGame'];
}

/** Analyses a position and returns the final result. */
export async function think(request: Schemas['AnalysisRequest'], signal?: AbortSignal): Promise<AnalysedLines | undefined> {
  const ask = () => send('POST', '/api/analysis', { body: JSON.stringify(request), headers: JSON_TYPE, signal });
  const response = await ask().catch(async (error: unknown) => {
    // Rate limited: retry a little later.
    if (!(error instanceof ProblemError) || ![429, 503].includes(error.problem.status)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return ask();
  });
  const last = (await response.text()).split('\n').findLast((line) => line.startsWith('data:'));
  return last ? (JSON.parse(last.slice(5)) as AnalysedLines) : undefined;
}

/** Whether a position has standard castling. An unreadable FEN counts as standard; the error comes with the next question. */
export async function rulesOf(fen: string, ask = position): Promise<Schemas['Rules']> {
  const fits = (rules: Schemas['Rules']) =>
    ask(fen, [], rules).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ProblemError && [400, 422].includes(error.problem.status)) return false;
        throw error;
      },
    );
  return !(await fits('standard')) && (await fits('chess960')) ? 'chess960' : 'standard';
}

/** The URL of a WebSocket on this server. */
export function socketAddress(path: string): string {
  const { protocol, host } = window.location;
  return `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}${path}`;
}

/** The position after some moves, from the server. */
export function position(fen: string | undefined, moves: string[], rules: Schemas['Rules'] = 'standard'): Promise<PositionView> {
  return call<PositionView>('POST', '/api/positions', { fen, moves, rules });
}

export function setUp(setup: Schemas['SetupRequest']): Promise<Schemas['SetupView']> {
  return call('POST', '/api/setups', setup);
}
