import { VouchError } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import { parseClock, parseDuration } from '../../../mock/control/clock.ts';
import type { Mock } from '../../../mock/mock.ts';
import type { ControlCall, ControlRoute } from '../control-parts.ts';
import { json } from '../control-response.ts';
import { anyOf, clockView, text } from '../control-schemas.ts';
import { readFields } from '../fields.ts';

/** A change of the clock: exactly one of these members. */
export interface ClockChange {
  /** Stops the clock: `2030-12-06`, or a timestamp with its time zone. */
  readonly now?: string;
  /** Sets the clock ahead of the clock of the start, or behind it: `P1D`, `-2h`. */
  readonly offset?: string;
  /** Advances the clock: `1d`, `PT30M`. */
  readonly advance?: string;
}

const answers = { 200: { description: 'The clock as it is now', schema: clockView } };

/** The date of the mock, which applies to tokens, timestamps and removal dates. */
export const clockRoutes: readonly ControlRoute[] = [
  {
    id: 'getClock',
    method: 'GET',
    path: '/clock',
    summary: "The mock's present",
    answers,
    answer: async ({ parts }) => json(showClock(parts.mock)),
  },
  {
    id: 'setClock',
    method: 'PUT',
    path: '/clock',
    summary: 'Stops the clock at a date, shifts it, or moves it on: one of the three',
    body: anyOf({ now: text, offset: text, advance: text }),
    answers,
    answer: async ({ parts, request }: ControlCall) => {
      const fields = readFields(request.body, changes);
      const given = changes.flatMap((change) => {
        const value = fields.text(change);
        return value === undefined ? [] : [[change, value] as const];
      });
      moveClock(parts.mock, Object.fromEntries(given));
      return json(showClock(parts.mock));
    },
  },
  {
    id: 'resetClock',
    method: 'DELETE',
    path: '/clock',
    summary: 'Back to the clock that the mock was started with: real time, or the date of --clock',
    answers,
    answer: async ({ parts }) => {
      parts.mock.clock.reset();
      return json(showClock(parts.mock));
    },
  },
];

const changes = ['now', 'offset', 'advance'] as const satisfies readonly (keyof ClockChange)[];

/** Sets the clock. Throws `usage` without a change if the input is not exactly one valid change. */
export function moveClock({ clock }: Pick<Mock, 'clock'>, change: ClockChange): void {
  const given = changes.filter((name) => change[name] !== undefined);
  const [kind] = given;
  const value = kind === undefined ? undefined : change[kind];
  if (given.length !== 1 || kind === undefined || value === undefined) {
    throw new VouchError('usage', 'A clock is set by one of now, offset and advance.', {
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
    throw new VouchError(
      'usage',
      `With ${kind} ${value.slice(0, 40)} the clock would leave the years 0 to 9999.`,
    );
}

function readMoment(written: string): Date {
  const moment = parseClock(written);
  if (moment !== undefined) return moment;
  throw new VouchError('usage', `${written.slice(0, 40)} is no date.`, {
    hint: 'Write it like 2030-12-06 or 2030-12-06T08:00:00Z.',
  });
}

function readSpan(written: string): number {
  const span = parseDuration(written);
  if (span !== undefined) return span;
  throw new VouchError('usage', `${written.slice(0, 40)} is no span of time.`, {
    hint: 'Write it like P1D, PT2H30M, 1d or 2h30m; months and years have no length of their own.',
  });
}

/** The clock in the control API; `offsetMs` is the difference to the clock of the start. */
export function showClock({ clock }: Pick<Mock, 'clock'>): JsonObject {
  const { setting } = clock;
  return {
    now: clock.now().toISOString(),
    mode: setting.kind,
    offsetMs: setting.kind === 'offset' ? setting.milliseconds : 0,
  };
}
