import type { Resource } from '../../../contract/model.ts';
import type { BatchRead } from '../../../contract/protocols/batch-read.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { showValue } from '../../model/phrases.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import { roleOf } from '../../model/step.ts';
import { draftOf, type PlanContext, unlessAip } from '../../plan/plan-context.ts';
import { draftOn, type Made, nameOf, relationTo, Story } from '../../plan/story.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { check } from '../check.ts';

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
  const shownName = (record: JsonValue | undefined): JsonValue =>
    (record !== undefined && isJsonObject(record) ? record[field] : undefined) ?? null;
  const names = of.map((step) => shownName(jsonOf(step.answer)));
  if (names.includes(null)) return undefined;
  const places = names.map((name) => records.findIndex((one) => equalJson(shownName(one), name)));
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
      actual: showValue(records.map(shownName)),
      cause: missing === -1 ? 'other order' : 'missing',
    },
  ];
}

function isTaken(related: Related): readonly RelationFault[] | undefined {
  const isDone = related.of.every((step) => isSuccess(step.exchange.response?.status ?? 0));
  return isDone ? notRefused(related) : undefined;
}

/**
 * Batch reads of two new records in another order than they were made, of one that was deleted, and
 * below another parent (AIP-231).
 */
function planBatchReads(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const { batchReads } = protocolsOf(context.contract, resource);
    return batchReads === undefined ? [] : storyOf(context, resource, batchReads);
  });
}

function storyOf(context: PlanContext, resource: Resource, batch: BatchRead): Sequence[] {
  const read = draftOf(context, batch.operation);
  const remove = draftOn(context, resource, 'delete');
  if (read === undefined) return [];
  const doubt = unlessAip(context);
  const story = new Story(context, `the batch read ${batch.operation.id}`);
  const parents = story.makeNamed(read);
  const [first, second, third] = [1, 2, 3].map((count) =>
    story.make(resource, { of: parents, title: `record ${String(count)} of a batch is created` }),
  );
  if (first === undefined || second === undefined || third === undefined) return [];
  const names = (...of: readonly Made[]): Argument => ({
    parameter: batch.parameter,
    source: { kind: 'list', of: of.map((made) => nameIn(batch, made)) },
  });
  const at = batch.parameter.pointer;
  story.step(read, {
    title: 'a batch read of two records',
    of: parents,
    extra: [names(second, first)],
    intent: relationTo(read, {
      rule: 'in-order-of-names',
      of: [second.title, first.title],
      at,
      ...doubt,
    }),
  });
  if (remove !== undefined) {
    const deletion = 'a deletion of one record of the batch';
    story.step(remove, { title: deletion, of: [third, ...parents] });
    story.step(read, {
      title: 'a batch read of a record and a deleted one',
      of: parents,
      extra: [names(first, third)],
      intent: relationTo(read, { rule: 'batch-refused', of: [deletion], at, ...doubt }),
    });
  }
  const others = story.makeNamed(read);
  if (others.length > 0)
    story.step(read, {
      title: 'a batch read of a record of another parent',
      of: others,
      extra: [names(first)],
      intent: relationTo(read, { rule: 'batch-refused', of: [first.title], at, ...doubt }),
    });
  return story.sequences();
}

/** What a record is called in a batch: by its address as its create showed it, or by its key. */
function nameIn({ takesAddresses }: BatchRead, made: Made): Source {
  const { title, operation, resource } = made;
  if (!takesAddresses) return nameOf(made);
  const expression = `$response.body#${joinPointer('', resource.identifier.field)}`;
  return { kind: 'link', operation: operation.id, expression, step: title };
}
