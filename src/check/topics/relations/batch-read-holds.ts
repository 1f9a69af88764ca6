import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { showValue } from '../../model/phrases.ts';
import { roleOf } from '../../model/step.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { check } from '../check.ts';
import { planBatchReads } from './plan-batch-reads.ts';

/** A batch read shows the records that it names, in their order, or fails. */
export const batchReadHolds = check({
  id: 'batch-read-holds',
  basis: 'inferred',
  severity: 'error',
  harm: 'results',
  rule:
    'A batch read shows the records that it names in the order of the names, and fails if one of ' +
    'them is not there or belongs to another parent (AIP-231).',
  reason: 'A client takes the second record for the second name, whatever the first one is.',
  example: [
    '> GET /items:batchGet?names=items/2&names=items/1',
    '< 200 OK',
    '< {"items": [{"name": "items/1"}, {"name": "items/2"}]}',
  ],
  confirm: 'again',
  plan: [{ at: 'stories', all: planBatchReads }],
  intents: ['relation'],
  mutants: [async () => (await import('./batch-read-mutants.ts')).batchReadMutants],
  relations: { 'in-order-of-names': isOtherOrder, 'batch-refused': isTaken },
});

/** The records of a batch in another order than their names, or without one of them. */
function isOtherOrder({ subject, of, status }: Related): RelationFault[] | undefined {
  const body = jsonOf(subject.answer);
  const records = isJsonObject(body) ? Object.values(body).find(isJsonArray) : undefined;
  const [first] = of;
  const field = first && roleOf(subject.contract, first.case.operation)?.resource.identifier.field;
  if (!isSuccess(status) || records === undefined || field === undefined) return undefined;
  const nameIn = (record: JsonValue | undefined): JsonValue =>
    (record !== undefined && isJsonObject(record) ? record[field] : undefined) ?? null;
  const names = of.map((step) => nameIn(jsonOf(step.answer)));
  if (names.includes(null)) return undefined;
  const places = names.map((name) => records.findIndex((one) => equalJson(nameIn(one), name)));
  const missing = places.indexOf(-1);
  if (missing === -1 && places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0)))
    return [];
  const what =
    missing === -1
      ? 'shows them in another order than their names'
      : `lacks number ${String(missing + 1)} of them`;
  return [
    {
      message: `The answer to ${subject.case.title} ${what}.`,
      expected: 'the records in the order of the names',
      actual: showValue(records.map(nameIn)),
      cause: missing === -1 ? 'other order' : 'missing',
    },
  ];
}

function isTaken(related: Related): readonly RelationFault[] | undefined {
  const isDone = related.of.every((step) => isSuccess(step.exchange.response?.status ?? 0));
  return isDone ? notRefused(related) : undefined;
}
