import { joinPointer } from '../../json/pointer.ts';
import { limitOf, type ListPage, pageOf } from '../evidence/list/list-page.ts';
import { countWords } from '../evidence/phrases.ts';
import type { CheckInput } from '../model/knowledge.ts';
import type { Step } from '../model/step.ts';
import type { Check, Violation } from './check.ts';

/**
 * A page holds no more records than were asked for, and a limit does not change which records
 * match.
 */
export const limitHolds = {
  id: 'limit-holds',
  basis: 'inferred',
  severity: 'error',
  rule:
    'A page holds at most as many records as its limit (the default where ' +
    'none is sent), and a limit is applied after the filters.',
  reason:
    'Pages of another size than asked for break layouts, memory budgets and every sum over pages.',
  proof: 'again',
  intents: ['valid'],
  actions: ['list'],
  inspect(subject) {
    const page = pageOf(subject, subject);
    const limit = page && limitOf(page.resource, subject);
    if (page === undefined) return undefined;
    const early = limitedTooEarly(subject, page);
    if (limit === undefined) return early;
    return page.records.length <= limit.value ? (early ?? []) : [tooMany(page, limit)];
  },
} as const satisfies Check;

function tooMany(
  { records }: ListPage,
  { parameter, value, asked }: NonNullable<ReturnType<typeof limitOf>>,
): Violation {
  const schema = parameter.schema.flatten().pointer;
  return {
    at: asked ? parameter.pointer : joinPointer(schema, 'default'),
    message:
      `A list ${asked ? `with ${parameter.name}=${String(value)}` : `without ${parameter.name}, which is then ${String(value)},`} ` +
      `holds ${countWords(records.length, 'record')}.`,
    expected: `at most ${countWords(value, 'record')}`,
    actual: countWords(records.length, 'record'),
    ...(asked ? { cause: 'asked' } : { cause: 'default', impliedBy: 'asked' }),
  };
}

/**
 * A page of one, between two of the same filters that hold records, holds one too: whoever limits
 * first and filters then shows none.
 */
function limitedTooEarly(subject: CheckInput, after: ListPage): Violation[] | undefined {
  if (subject.earlier.length < 2) return undefined;
  const [first, middle] = [subject.earlier.at(-2), subject.earlier.at(-1)];
  const before = first && pageOf(subject, first);
  const limited = middle && pageOf(subject, middle);
  if (first === undefined || middle === undefined || before === undefined || limited === undefined)
    return undefined;
  const asked = limitOf(limited.resource, middle);
  if (
    asked?.value !== 1 ||
    !asked.asked ||
    !sameFilters(first, subject) ||
    before.records.length === 0 ||
    after.records.length === 0
  )
    return undefined;
  if (limited.records.length > 0) return [];
  return [
    {
      at: asked.parameter.pointer,
      message:
        `A filtered list holds ${countWords(after.records.length, 'record')}, ` +
        `but none when ${asked.parameter.name} is 1: the limit is applied before ` +
        'the filter.',
      expected: '1 record',
      actual: '0 records',
      cause: 'before the filter',
      momentary: true,
    },
  ];
}

function sameFilters(first: Step, last: Step): boolean {
  const show = ({ sent }: Step): string =>
    [...sent.arguments].map(([{ name }, value]) => `${name}=${String(value)}`).join('&');
  return show(first) === show(last);
}
