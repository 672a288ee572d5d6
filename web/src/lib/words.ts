// Formats moves, scores, clocks and errors for display and for screen readers.

import { ProblemError, Refused, Told, Unreachable, type Schemas } from './api';
import { t } from './i18n.svelte';
import { language, settings } from './settings.svelte';
import { men, type Role } from './squares';

/** A move as read aloud: "knight g1 to f3, check". */
export function spoken(san: string, uci: string, before: string): string {
  const words = t().spoken;
  if (san.startsWith('O-O-O')) return words.castlesLong + suffix(san);
  if (san.startsWith('O-O')) return words.castlesShort + suffix(san);
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const role: Role = men(before).get(from)?.role ?? 'pawn';
  const verb = san.includes('x') ? words.takes : words.to;
  const promoted = /=([NBRQ])/.exec(san)?.[1];
  const roles: Record<string, Role> = { N: 'knight', B: 'bishop', R: 'rook', Q: 'queen' };
  const becomes = promoted ? `, ${words.becomes} ${t().pieces[roles[promoted] ?? 'queen']}` : '';
  return `${t().pieces[role]} ${from} ${verb} ${to}${becomes}${suffix(san)}`;
}

function suffix(san: string): string {
  if (san.endsWith('#')) return `, ${t().spoken.mate}`;
  return san.endsWith('+') ? `, ${t().spoken.check}` : '';
}

/** A move with the language's piece letters: `Nf3` is `Sf3` in German. */
export function notation(san: string): string {
  const { letters } = t();
  return san.replace(/[KQRBN]/g, (letter) => letters[letter as keyof typeof letters]);
}

/** A player's name; guests may have none. */
export function playerName({ name, level }: Schemas['Player']): string {
  if (level != null) return t().play.engineName(level);
  return name === '?' || name === 'Guest' ? t().app.guest : name;
}

/** The name of an engine level; the server's English name if the catalogue has none. */
export function levelName({ number, name }: Schemas['LevelView']): string {
  const names: Record<number, string> = t().levels;
  return names[number] ?? name;
}

/** How a game ended; without an outcome it was aborted. */
export function ended(outcome: Schemas['OutcomeView'] | null | undefined): string {
  if (!outcome) return t().play.aborted;
  const { winner, ending } = outcome;
  const { wins, draws, sides } = t();
  if (ending in draws) return draws[ending as keyof typeof draws];
  return wins[ending as keyof typeof wins](sides[winner ?? 'white']);
}

/** Problems whose kind alone doesn't say enough: the server's detail is shown, too. */
const DETAILED = ['invalid-request', 'forbidden', 'taken', 'changed', 'invalid-position', 'illegal-move'];

/** How the server begins the detail of a request that it can't decode. It names fields by their paths in the request,
 * and a player can do nothing about it. */
const UNDECODED = 'Failed to ';

/** The text of a problem. The detail of a field is shown without the field's name, which is an API name. */
export function problem({ type, title, detail, fields }: Schemas['Problem']): string {
  const kind = type.replace('/problems/', '');
  const words: Record<string, string> = t().problems;
  const known = words[kind];
  if (known === undefined) return `${title}: ${detail}`;
  if (!DETAILED.includes(kind) || detail.startsWith(UNDECODED)) return known;
  const [field] = fields ?? [];
  return `${known}: ${(field?.fault && fault(field.fault)) ?? field?.detail ?? detail}`;
}

/** What is wrong with a FEN or a move; nothing if the catalogue doesn't know the code. */
function fault({ code, arguments: given }: Schemas['Fault']): string | undefined {
  const { faults, sides } = t();
  const words: Record<string, (...given: string[]) => string> = faults;
  const sentence = words[code];
  const named = (given ?? []).map((text) => (text === 'white' || text === 'black' ? sides[text] : text));
  return sentence?.(...named);
}

/** The text of an error. */
export function explain(error: unknown): string {
  if (error instanceof ProblemError) return problem(error.problem);
  if (error instanceof Told) return error.message;
  if (error instanceof Refused) return t().refusals[error.reason];
  return error instanceof Unreachable ? t().app.unreachable : `${t().app.error}: ${String(error)}`;
}

/** The result of a game: `1–0`. */
export function result({ winner }: Schemas['OutcomeView']): string {
  if (!winner) return '½–½';
  return winner === 'white' ? '1–0' : '0–1';
}

/** A score: `+1.25`, `−0.30`, `#5`; in German `+1,25`. */
export function score(score: Schemas['Score']): string {
  if ('mate' in score) return score.mate < 0 ? `−#${-score.mate}` : `#${score.mate}`;
  const pawns = Math.abs(score.cp) / 100;
  const text = decimal(pawns, pawns >= 10 ? 1 : 2);
  return score.cp < 0 ? `−${text}` : `+${text}`;
}

/** A score in the little space of the evaluation bar: its size, to a tenth of a pawn. */
export function roughly(score: Schemas['Score']): string {
  if ('mate' in score) return `#${Math.abs(score.mate)}`;
  const pawns = Math.abs(score.cp) / 100;
  return pawns >= 9.95 ? String(Math.round(pawns)) : decimal(Math.round(Math.abs(score.cp) / 10) / 10);
}

/** White's share of the evaluation bar, from 0 to 1: a logistic curve over the score. */
export function share(score: Schemas['Score']): number {
  if ('mate' in score) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-0.00368208 * score.cp));
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number with one decimal, or another count of them, in the current language. All numbers with decimals are written
 * by this function, so that no two differ in their separators. */
export function decimal(number: number, digits = 1): string {
  const key = `${language()} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(key, format);
  }
  return format.format(number);
}

/** A whole number with separators, in the current language. */
export const whole = (number: number) => decimal(Math.round(number), 0);

/** A clock: `1:05:09`, `5:09`, with tenths below ten seconds. */
export function clock(milliseconds: number): string {
  if (milliseconds < 10_000) return `0:0${decimal(Math.floor(milliseconds / 100) / 10)}`;
  const seconds = Math.ceil(milliseconds / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** A number with at most two decimals. */
const short = (number: number) => decimal(number, [0, 1].find((digits) => Number(number.toFixed(2)) === Number(number.toFixed(digits))) ?? 2);

const FRACTIONS: Record<number, string> = { 0.25: '¼', 0.5: '½', 0.75: '¾' };

/** A time control in minutes: `5 + 3` for `300+3`. */
export function timeControl(text: string | null | undefined): string {
  if (!text) return t().time.none;
  const found = /^(\d+(?:\.\d+)?)(?:([+d])(\d+(?:\.\d+)?))?$/.exec(text);
  if (!found) return text;
  const minutes = Number(found[1]) / 60;
  const shown = FRACTIONS[minutes] ?? short(minutes);
  if (!found[2]) return `${shown} + 0`;
  const more = short(Number(found[3]));
  return found[2] === 'd' ? `${shown} d${more}` : `${shown} + ${more}`;
}

/** A month such as `2026-11`, in the current language. */
export function month(text: string): string {
  const [year, number] = text.split('-').map(Number);
  if (!year || !number) return text;
  return new Date(year, number - 1).toLocaleDateString(locale(), { year: 'numeric', month: 'long' });
}

function locale(): string | undefined {
  return settings.language === 'system' ? undefined : settings.language;
}

/** A date, in the current language. */
export function date(milliseconds: number): string {
  return new Date(milliseconds).toLocaleDateString(locale(), { year: 'numeric', month: 'short', day: 'numeric' });
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A time in relation to now: "in 3 days", "5 hours ago". */
export function fromNow(milliseconds: number): string {
  const away = milliseconds - Date.now();
  const [unit, length] = UNITS.find(([, size]) => Math.abs(away) >= size) ?? UNITS[2];
  return new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(Math.round(away / length), unit);
}

/** A kind of mistake: what was allowed, or what was missed. */
export function habit(motif: Schemas['WorkOn']['motif'], whose: Schemas['WorkOn']['whose']): string {
  const { chances, insights, themes } = t();
  const missed: Partial<Record<string, string>> = chances;
  return insights[whose]((whose === 'missed' ? missed[motif] : undefined) ?? themes[motif]);
}
