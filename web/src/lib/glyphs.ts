// Annotation glyphs: moves have one of the first group, positions one of the second; others can be combined.

export const GLYPHS = [
  { nag: 1, sign: '!' },
  { nag: 2, sign: '?' },
  { nag: 3, sign: '!!' },
  { nag: 4, sign: '??' },
  { nag: 5, sign: '!?' },
  { nag: 6, sign: '?!' },
  { nag: 7, sign: '□' },
  { nag: 10, sign: '=' },
  { nag: 13, sign: '∞' },
  { nag: 14, sign: '+/=' },
  { nag: 15, sign: '=/+' },
  { nag: 16, sign: '±' },
  { nag: 17, sign: '∓' },
  { nag: 18, sign: '+−' },
  { nag: 19, sign: '−+' },
  { nag: 22, sign: '⨀' },
  { nag: 36, sign: '↑' },
  { nag: 40, sign: '→' },
  { nag: 44, sign: '=∞' },
  { nag: 132, sign: '⇆' },
  { nag: 138, sign: '⊕' },
  { nag: 146, sign: 'N' },
] as const;

const isMove = (nag: number) => nag >= 1 && nag <= 6;
const isVerdict = (nag: number) => nag >= 10 && nag <= 19;

/** The glyphs after one has been switched on or off. */
export function toggled(nags: number[], nag: number): number[] {
  if (nags.includes(nag)) return nags.filter((one) => one !== nag);
  const rivals = [isMove, isVerdict].find((group) => group(nag));
  const others = rivals ? nags.filter((one) => !rivals(one)) : nags;
  // Those of the move come first, as in PGN.
  return isMove(nag) ? [nag, ...others] : [...others, nag];
}

const SIGNS: Record<number, string> = Object.fromEntries(GLYPHS.map(({ nag, sign }) => [nag, sign]));

/** The symbols of a move; those that we don't offer come as the file has them. */
export function signsOf({ nags, signs }: { nags: number[]; signs: string[] }): string {
  const own = nags.map((nag) => SIGNS[nag]);
  return nags.length > 0 && own.every((sign) => sign !== undefined) ? own.join('') : signs.join('');
}
