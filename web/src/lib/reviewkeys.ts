// The keys of the review page.

import { press } from './keys';
import type { ReviewDesk } from './reviewdesk.svelte';

export function pressAtReview(event: KeyboardEvent, desk: ReviewDesk): void {
  // Enter presses what has the focus.
  if (event.key === 'Enter' && event.target instanceof Element && event.target.closest('button, a, input, summary, select')) return;
  press(event, {
    ArrowLeft: () => desk.step(-1),
    ArrowRight: () => desk.step(1),
    Home: () => desk.first(),
    End: () => desk.last(),
    ArrowUp: () => desk.first(),
    ArrowDown: () => desk.last(),
    Enter: () => desk.nextMoment(),
    n: () => desk.nextMistake(),
    p: () => playLine(desk),
    x: () => desk.flip(),
    Escape: () => desk.leave(),
  });
}

/** Plays the first line of the explanation that is shown. */
function playLine(desk: ReviewDesk): void {
  const ply = desk.quiz ? desk.quiz.ply : desk.shown - 1;
  const move = desk.review.report?.moves[ply];
  if (!move || (desk.quiz?.isOpen ?? false)) return;
  if (desk.playing) desk.pause();
  else void desk.play(ply, move.claims[0]);
}
