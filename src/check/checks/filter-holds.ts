import type { Filter } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { pageOf, type ListPage } from '../evidence/list-page.ts';
import { countWords, showValue } from '../evidence/phrases.ts';
import type { Subject } from '../subject.ts';
import type { Check, Violation } from './check.ts';

/** A filtered list holds only records that match. */
export const filterHolds = {
  id: 'filter-holds',
  basis: 'inferred',
  severity: 'error',
  rule: 'Every record in a list that was asked for by a field has that value in the field.',
  reason: 'A filter that is ignored shows users what they asked not to see, and no client filters twice.',
  proof: 'again',
  inspect(subject) {
    const page = pageOf(subject, subject);
    const filters = page?.resource.list?.filters.filter(({ parameter }) => isAsked(subject.sent.arguments.get(parameter))) ?? [];
    return page === undefined || filters.length === 0 ? undefined : filters.flatMap((filter) => inspectFilter(subject, page, filter));
  },
} as const satisfies Check;

/** A list without items leaves nothing in a query: the server cannot know that it was asked for nothing. */
function isAsked(value: JsonValue | undefined): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function inspectFilter({ sent }: Subject, { records, resource }: ListPage, filter: Filter): Violation[] {
  const wanted = sent.arguments.get(filter.parameter) ?? null;
  const declared = resource.record.flatten().properties.get(filter.field);
  // A record that does not show the field, or shows what the field can never be, says nothing about the filter.
  const shown = records.map((record) => record[filter.field]).filter((value) => value !== undefined && value !== null);
  const strangers = shown.filter((value) => !matches(value, wanted) && (declared === undefined || resource.record.part(declared).validate(value, 'response').length === 0));
  const [stranger] = strangers;
  if (stranger === undefined) return [];
  const exact = isExact(filter);
  if (!exact && strangers.every((value) => resembles(value, wanted))) return [];
  return [
    {
      at: filter.parameter.pointer,
      message: `The list filtered by ${filter.parameter.name}=${String(wanted)} holds ${countWords(strangers.length, 'record')} with another ${filter.field}, such as ${showValue(stranger)}.`,
      expected: `only records whose ${filter.field} is ${showValue(wanted)}`,
      actual: `${filter.field} is ${showValue(stranger)} in ${String(strangers.length)} of ${countWords(records.length, 'record')}`,
      ...(exact ? {} : { severity: 'warning' }),
    },
  ];
}

function matches(value: JsonValue, wanted: JsonValue): boolean {
  if (Array.isArray(value)) return value.some((item: JsonValue) => matches(item, wanted));
  if (Array.isArray(wanted)) return wanted.some((item: JsonValue) => matches(value, item));
  return equalJson(value, wanted) || String(value) === String(wanted);
}

/** Free text may be searched rather than compared. */
function isExact({ parameter }: Filter): boolean {
  const { node, types } = parameter.schema.flatten();
  return !types.includes('string') || node.enum !== undefined || node.const !== undefined || node.format !== undefined;
}

function resembles(value: JsonValue, wanted: JsonValue): boolean {
  return String(value).toLowerCase().includes(String(wanted).toLowerCase());
}
