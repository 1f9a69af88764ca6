import type { FindingFacts } from '../../model/finding-facts.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { limitOf, type ListPage, pageOf } from '../../reading/list-page.ts';
import { countWords } from '../../model/step.ts';
import type { CheckInput, Violation, Violations } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { requestedParameters } from '../../reading/list-query.ts';

/** A page has no more records than its limit, and a limit does not change which records match. */
export const limitHolds = check({
  id: 'limit-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A page has at most as many records as its limit, or as the default limit, and the ' +
    'limit is applied after the filters.',
  reason: 'Pages of an unexpected size break layouts, memory limits and totals.',
  example: ['> GET /items?limit=2', '< [{"id": 1}, {"id": 2}, {"id": 3}]'],
  traits: ['lists', 'machinery'],
  explains: [
    {
      // A server that cuts the list before it filters shows too few records,
      findings: ['filter-holds', 'created-is-readable', 'page-holds'],
      leads: isCutFirst,
      explains: ({ operation }, other) => other.operation === operation,
    },
    {
      // and counts them wrongly.
      findings: ['total-holds'],
      leads: isCutFirst,
      explains: ({ operation }, other) => other.operation === operation && other.cause === 'count',
    },
    {
      // Pages that hold too many records overlap.
      findings: ['page-holds'],
      explains: ({ operation }, other) => other.operation === operation,
    },
    {
      // A list that nothing limits outgrows what the schema of its page allows, as others do.
      findings: ['body-matches-schema'],
      explains: (_leader, { keyword }) => keyword === 'maxItems',
    },
  ],
  intents: ['valid'],
  actions: ['list'],
  mutants: [async () => (await import('./list-mutants.ts')).limitMutants],
  inspect(subject) {
    const page = pageOf(subject, subject);
    const limit = page && limitOf(page.resource, subject);
    if (page === undefined) return undefined;
    const early = limitedTooEarly(subject, page);
    if (limit === undefined) return early;
    return page.records.length <= limit.value ? (early ?? []) : tooMany(page, limit);
  },
});

function tooMany(
  { records }: ListPage,
  { parameter, value, asked }: NonNullable<ReturnType<typeof limitOf>>,
): Violation {
  const schema = parameter.schema.flatten().pointer;
  const limit = asked
    ? `with ${parameter.name}=${String(value)}`
    : `without ${parameter.name}, whose default is ${String(value)},`;
  return {
    at: asked ? parameter.pointer : joinPointer(schema, 'default'),
    message: `A list ${limit} holds ${countWords(records.length, 'record')}.`,
    expected: `at most ${countWords(value, 'record')}`,
    actual: countWords(records.length, 'record'),
    ...(asked ? { cause: 'asked' } : { cause: 'default', impliedBy: 'asked' }),
  };
}

/**
 * A page of one record, between two non-empty pages with the same filters, has one record too: a
 * server that applies the limit before the filter returns none.
 */
function limitedTooEarly(subject: CheckInput, after: ListPage): Violations {
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
    requestedParameters(first) !== requestedParameters(subject) ||
    before.records.length === 0 ||
    after.records.length === 0
  )
    return undefined;
  if (limited.records.length > 0) return [];
  return {
    at: asked.parameter.pointer,
    message:
      `A filtered list holds ${countWords(after.records.length, 'record')}, ` +
      `but none when ${asked.parameter.name} is 1: the limit is applied before ` +
      'the filter.',
    expected: '1 record',
    actual: '0 records',
    cause: 'before the filter',
    momentary: true,
  };
}

function isCutFirst({ cause }: FindingFacts): boolean {
  return cause === 'before the filter';
}
