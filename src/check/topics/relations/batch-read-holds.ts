import type {
  Resource,
  Contract,
  ListShape,
  Operation,
  Parameter,
} from '../../../contract/model.ts';
import type { BatchRead } from '../../../contract/protocols/batch-read.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { type HttpRequest, isRefusal, isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer, splitPointer } from '../../../json/pointer.ts';
import type { JsonValue, JsonArray } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, memberOf } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { hasSuccess, roleOf, showValue } from '../../model/step.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import { draftOf, type PlanContext, unlessAip } from '../../plan/plan-context.ts';
import { draftOn, foundIn, type Made, nameOf, Story } from '../../plan/story.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import {
  notRefused,
  type Related,
  type RelationFault,
  type RelationFaults,
} from '../../reading/related.ts';
import { check } from '../check.ts';
import { inferList } from '../../../contract/infer/infer-list.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { editAt } from '../../mutants/places.ts';
import { editAnswers } from '../../mutants/edit-service.ts';

/** A batch read shows the records that it names, in their order, or fails. */
export const batchReadHolds = check({
  id: 'batch-read-holds',
  basis: 'inferred',
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
  plan: [{ at: 'stories', resource: planBatchReads }],
  mutants: [() => batchReadMutants],
  relations: { 'in-order-of-names': isOtherOrder, 'batch-refused': isTaken },
});

/** The records of a batch in another order than their names, or without one of them. */
function isOtherOrder({ subject, of, status }: Related): RelationFaults {
  const body = jsonOf(subject.answer);
  const records = isJsonObject(body) ? Object.values(body).find(isJsonArray) : undefined;
  const [first] = of;
  const field = first && roleOf(subject.contract, first.case.operation)?.resource.identifier.field;
  if (!isSuccess(status) || records === undefined || field === undefined) return undefined;
  const shownName = (record: JsonValue | undefined): JsonValue => memberOf(record, field) ?? null;
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
  return {
    message: `The answer to ${subject.case.title} ${what}.`,
    expected: 'the records in the order of the names',
    actual: showValue(records.map(shownName)),
    cause: missing === -1 ? 'other order' : 'missing',
  };
}

function isTaken(related: Related): readonly RelationFault[] | undefined {
  const isDone = related.of.every(hasSuccess);
  return isDone ? notRefused(related) : undefined;
}

/**
 * Batch reads of two new records in another order than they were made, of one that was deleted, and
 * below another parent (AIP-231).
 */
function planBatchReads(context: PlanContext, resource: Resource): Sequence[] {
  const { batchReads: batch } = protocolsOf(context.contract, resource);
  if (batch === undefined) return [];
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
    relation: { rule: 'in-order-of-names', of: [second.title, first.title], at, ...doubt },
  });
  if (remove !== undefined) {
    const deletion = 'a deletion of one record of the batch';
    story.step(remove, { title: deletion, of: [third, ...parents] });
    story.step(read, {
      title: 'a batch read of a record and a deleted one',
      of: parents,
      extra: [names(first, third)],
      relation: { rule: 'batch-refused', of: [deletion], at, ...doubt },
    });
  }
  const others = story.makeNamed(read);
  if (others.length > 0)
    story.step(read, {
      title: 'a batch read of a record of another parent',
      of: others,
      extra: [names(first)],
      relation: { rule: 'batch-refused', of: [first.title], at, ...doubt },
    });
  return story.sequences();
}

/** What a record is called in a batch: by its address as its create showed it, or by its key. */
function nameIn({ takesAddresses }: BatchRead, made: Made): Source {
  if (!takesAddresses) return nameOf(made);
  return foundIn(made, `$response.body#${joinPointer('', made.resource.identifier.field)}`);
}

const mutant = mutantsOf('state');

interface BatchPlace extends Place {
  readonly parameter: Parameter;
  readonly shape: ListShape;
}

/** The reads of several records by their names, which clients create. */
function readsOfBatches(contract: Contract): BatchPlace[] {
  return contract.resources.flatMap((resource) => {
    const { operation, parameter } = protocolsOf(contract, resource).batchReads ?? {};
    const shape = operation && inferList(operation)?.shape;
    return resource.operations.create === undefined ||
      operation === undefined ||
      parameter === undefined ||
      shape === undefined
      ? []
      : [{ operation, parameter, shape }];
  });
}

/** Places where what was named can be deleted. */
function shrinking(contract: Contract): BatchPlace[] {
  const deleting = contract.resources.flatMap((resource): Operation[] => {
    const { batchReads: batch } = protocolsOf(contract, resource);
    return batch === undefined || resource.operations.delete === undefined ? [] : [batch.operation];
  });
  return readsOfBatches(contract).filter(({ operation }) => deleting.includes(operation));
}

function withRecords(edit: (records: JsonArray) => JsonArray) {
  return (body: JsonValue, { shape }: BatchPlace): JsonValue | undefined =>
    editAt(body, splitPointer(shape.records), (records) =>
      isJsonArray(records) && records.length > 1 ? edit(records) : undefined,
    );
}

/** The request with its first name alone. */
function firstAlone({ target }: HttpRequest, { parameter }: BatchPlace): string | undefined {
  const [path = '', query = ''] = target.split('?', 2);
  const isOwn = (pair: string): boolean => pair.startsWith(`${parameter.name}=`);
  const pairs = query.split('&');
  const own = pairs.filter(isOwn);
  const [first] = own;
  if (first === undefined || own.length < 2) return undefined;
  return `${path}?${[first, ...pairs.filter((pair) => !isOwn(pair))].join('&')}`;
}

/** Leaves out what is not there, instead of failing. */
function leavingOut(place: BatchPlace): Plant {
  return (service, fired) =>
    editAnswers(service, fired, { status: 'any' }, async ({ status }, request) => {
      const target = isRefusal(status) ? firstAlone(request, place) : undefined;
      if (target === undefined) return undefined;
      const { response: other } = await service.respond({ ...request, target });
      return isRefusal(other?.status ?? 0) ? undefined : other;
    });
}

/** Mutations of reads of several records; without the AIPs, a check only doubts them. */
const batchReadMutants: readonly Mutator[] = [
  mutant('reads-all-but-last', {
    rule: 'A read of several records shows all but the last of them.',
    killedBy: 'warning',
    where: readsOfBatches,
    says: 'shows all but the last of the records that it names',
    body: withRecords((records) => records.slice(0, -1)),
  }),
  mutant('reads-in-other-order', {
    rule: 'A read of several records shows them in another order than that of their names.',
    killedBy: 'warning',
    where: readsOfBatches,
    says: 'shows the records in another order than their names',
    body: withRecords((records) => records.toReversed()),
  }),
  mutant('reads-without-missing', {
    rule: 'A read of several records succeeds although one of them is not there.',
    killedBy: 'warning',
    where: shrinking,
    says: 'leaves out what is not there',
    act: leavingOut,
  }),
];
