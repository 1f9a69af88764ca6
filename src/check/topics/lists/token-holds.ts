import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject } from '../../../json/value.ts';
import { countWords } from '../../model/phrases.ts';
import { roleOf } from '../../model/step.ts';
import { nextArgument } from '../../reading/next-page.ts';
import { pagesOf } from '../../reading/promised-next.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { planTokens } from './plan-tokens.ts';

/** A list refuses tokens that it did not give, and knows what a size of 0 means. */
export const tokenHolds = check({
  id: 'token-holds',
  basis: 'inferred',
  severity: 'error',
  harm: 'results',
  rule:
    'A token that no list gave is refused where the contract (invalid_cursor) or AIP-158 says ' +
    'so, which also refuses one beside another filter; and it is not the first page where ' +
    'tokens come from pages only. A page size of 0 is the default size ' +
    '(AIP-158), and $top=0 is no record (OData 4.01, section 11.2.6.3).',
  reason:
    'A client with a token that was cut off gets the first page again, and never learns why it ' +
    'reads records twice.',
  example: [
    '> GET /items?page_token=zzz',
    '< 200 OK',
    '< {"items": [{"id": 1}], "next_page_token": "b2"}',
  ],
  confirm: 'again',
  traits: ['machinery'],
  plan: [{ at: 'lists', all: planTokens }],
  intents: ['relation'],
  mutants: [async () => (await import('./token-mutants.ts')).tokenMutants],
  relations: {
    'unknown-token': notRefused,
    'made-up-token': takenForFirst,
    'foreign-token': notRefused,
    'size-zero': zeroMisread,
  },
});

/**
 * Where the contract says only that pages give the token, a service may read another one as a
 * position, above all if it consists of what the records hold. One that shows the first page again
 * has not read it.
 */
function takenForFirst(related: Related): readonly RelationFault[] | undefined {
  const { subject, of } = related;
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  const token = resource && pagesOf(subject, resource)?.token;
  const [before] = of;
  if (resource === undefined || token === undefined || before === undefined) return undefined;
  const [first, again] = [before, subject].map(({ answer }) => listedRecords(resource, answer));
  const given = String(nextArgument(resource, token.name, subject.earlier) ?? '');
  if (first === undefined || first.length === 0 || isMadeOf(given, first)) return undefined;
  return equalJson([...first], [...(again ?? [])]) ? notRefused(related) : [];
}

/** A shorter text is in a token by chance. */
const shortest = 3;

/** Whether a token has a text of these records, as one that continues behind them. */
function isMadeOf(token: string, records: readonly JsonObject[]): boolean {
  return records
    .flatMap((record) => Object.values(record))
    .some((text) => typeof text === 'string' && text.length >= shortest && token.includes(text));
}

function zeroMisread({ subject, of, status }: Related): RelationFault[] | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  const zero = resource && pagesOf(subject, resource)?.zero;
  const [before] = of;
  if (resource === undefined || zero === undefined || before === undefined) return undefined;
  const all = listedRecords(resource, before.answer)?.length ?? 0;
  const shown = isSuccess(status) ? (listedRecords(resource, subject.answer)?.length ?? 0) : -1;
  const isRight = zero === 'default' ? shown > 0 : shown <= 0;
  if (all === 0 || isRight) return [];
  const expected = zero === 'default' ? 'as many records as without it' : 'no records';
  const got = shown < 0 ? String(status) : countWords(shown, 'record');
  return [
    {
      message: `A list of ${countWords(all, 'record')}, where ${subject.case.title}, has ${got}.`,
      expected,
      actual: got,
      momentary: true,
    },
  ];
}
