import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import type { LocatedNode, Schema } from '../model.ts';

/** A period of a record: the moments at which it starts and ends, in milliseconds. */
export type Period = readonly [start: number, end: number];

/** The fields of a record that hold its period, and how it recurs. */
export interface PeriodFields {
  readonly start: string;
  readonly end: string;
  /** The field with the rule by which it recurs (RFC 8984, section 4.3.3). */
  readonly recurrence?: string | undefined;
}

/**
 * The field of a record with a rule of recurrence as JSCalendar has it: an object with `frequency`
 * and `count`, and `interval`, which is 1 by default (RFC 8984, section 4.3.3).
 */
export function recurrenceIn(record: Schema): string | undefined {
  const found = [...record.flatten().properties].find(([, place]) =>
    formsAt(record, place).some((form) => isRule(record, form)),
  );
  return found?.[0];
}

/** What a member may be: its schema, or one of the alternatives. */
function formsAt(record: Schema, place: LocatedNode): LocatedNode[] {
  const { node, pointer } = record.flatten(place.node, place.pointer);
  const branches = (['anyOf', 'oneOf'] as const).flatMap((keyword) =>
    (node[keyword] ?? []).map((branch, index) => ({
      node: branch,
      pointer: joinPointer(pointer, keyword, index),
    })),
  );
  return [place, ...branches];
}

function isRule(record: Schema, { node, pointer }: LocatedNode): boolean {
  const { properties } = record.flatten(node, pointer);
  const frequency = properties.get('frequency');
  if (frequency === undefined || !properties.has('count')) return false;
  const { enum: listed = [] } = record.flatten(frequency.node, frequency.pointer).node;
  return listed.some((value) => typeof value === 'string' && stepOf(value) !== undefined);
}

const day = 86_400_000;

/** The frequencies whose steps have one length in UTC. */
const steps: Readonly<Record<string, number>> = { hourly: day / 24, daily: day, weekly: 7 * day };

function stepOf(frequency: string): number | undefined {
  return Object.hasOwn(steps, frequency) ? steps[frequency] : undefined;
}

const most = 1_000;

/** The period of a record and its recurrences; none if it has no period. */
export function periodsOf(record: JsonObject, fields: PeriodFields): readonly Period[] {
  const [start = NaN, end = NaN] = [fields.start, fields.end].map((name) =>
    Date.parse(String(record[name] ?? '')),
  );
  if (!(start < end)) return [];
  const rule = record[fields.recurrence ?? ''] ?? null;
  const { frequency, interval = 1, count = 1 } = isJsonObject(rule) ? rule : {};
  const step = stepOf(String(frequency));
  if (step === undefined || typeof interval !== 'number' || typeof count !== 'number')
    return [[start, end]];
  return Array.from({ length: Math.min(count, most) }, (_, index) => {
    const later = index * interval * step;
    return [start + later, end + later] as const;
  });
}
