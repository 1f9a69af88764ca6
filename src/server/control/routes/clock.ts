import type { JsonObject } from '../../../json/value.ts';
import { clockChanges, moveClock } from '../../../mock/control/move-clock.ts';
import type { Mock } from '../../../mock/mock.ts';
import type { ControlCall, ControlRoute } from '../control-parts.ts';
import { json } from '../control-response.ts';
import { anyOf, clockView, text } from '../control-schemas.ts';
import { readFields } from '../fields.ts';

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
      const fields = readFields(request.body, clockChanges);
      const given = clockChanges.flatMap((change) => {
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

/** The clock in the control API; `offsetMs` is the difference to the clock of the start. */
export function showClock({ clock }: Pick<Mock, 'clock'>): JsonObject {
  const { setting } = clock;
  return {
    now: clock.now().toISOString(),
    mode: setting.kind,
    offsetMs: setting.kind === 'offset' ? setting.milliseconds : 0,
  };
}
