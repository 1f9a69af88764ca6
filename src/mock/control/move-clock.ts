import { usage } from '../../errors.ts';
import type { Mock } from '../mock.ts';
import { parseClock, parseDuration } from './clock.ts';

/** A change of the clock: exactly one of these members. */
export interface ClockChange {
  /** Stops the clock: `2030-12-06`, or a timestamp with its time zone. */
  readonly now?: string;
  /** Sets the clock ahead of the clock of the start, or behind it: `P1D`, `-2h`. */
  readonly offset?: string;
  /** Advances the clock: `1d`, `PT30M`. */
  readonly advance?: string;
}

/** The members of a change. */
export const clockChanges = [
  'now',
  'offset',
  'advance',
] as const satisfies readonly (keyof ClockChange)[];

/** Sets the clock. Throws `usage` without a change if the input is not exactly one valid change. */
export function moveClock({ clock }: Pick<Mock, 'clock'>, change: ClockChange): void {
  const given = clockChanges.filter((name) => change[name] !== undefined);
  const [kind] = given;
  const value = kind === undefined ? undefined : change[kind];
  if (given.length !== 1 || kind === undefined || value === undefined) {
    throw usage('A clock is set by one of now, offset and advance.', {
      hint: 'Send {"now": "2030-12-06"}, {"offset": "P1D"} or {"advance": "1d"}.',
    });
  }
  const moved =
    kind === 'now'
      ? clock.fix(readMoment(value))
      : kind === 'offset'
        ? clock.shift(readSpan(value))
        : clock.advance(readSpan(value));
  if (!moved)
    throw usage(`With ${kind} ${value.slice(0, 40)} the clock would leave the years 0 to 9999.`);
}

function readMoment(written: string): Date {
  const moment = parseClock(written);
  if (moment !== undefined) return moment;
  throw usage(`${written.slice(0, 40)} is no date.`, {
    hint: 'Write it like 2030-12-06 or 2030-12-06T08:00:00Z.',
  });
}

function readSpan(written: string): number {
  const span = parseDuration(written);
  if (span !== undefined) return span;
  throw usage(`${written.slice(0, 40)} is no span of time.`, {
    hint: 'Write it like P1D, PT2H30M, 1d or 2h30m; months and years have no length of their own.',
  });
}
