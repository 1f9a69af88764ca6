import { joinPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { showJson } from '../show-json.ts';
import type { LintRule } from './rule.ts';

export const dateReadable = {
  id: 'vouch/date-readable',
  severity: 'warning',
  reason: 'vouch announces and judges the removal of an operation by these dates.',
  inspect: (context) =>
    context.nodes('operation').flatMap(({ value, pointer }) =>
      ['x-sunset', 'x-deprecated-at'].flatMap((key) => {
        const date = value[key];
        if (date === undefined || isDay(date)) return [];
        return [
          {
            pointer: joinPointer(pointer, key),
            message: `${key} is ${showJson(date)}, which is no date.`,
            hint: "Write it as '2030-12-31': year, month, day.",
          },
        ];
      }),
    ),
} as const satisfies LintRule;

function isDay(value: JsonValue): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  // A day that the month does not have rolls over into the next one.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}
