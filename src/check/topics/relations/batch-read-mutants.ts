import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Contract, ListShape, Operation, Parameter } from '../../../contract/model.ts';
import { inferList } from '../../../contract/infer/infer-list.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isJsonArray, type JsonArray, type JsonValue } from '../../../json/value.ts';
import type { HttpRequest } from '../../../http/message.ts';
import { isRefusal } from '../../../http/status.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { editAt } from '../../mutants/places.ts';

const mutant = mutantsOf('state');

interface BatchPlace extends Place {
  readonly parameter: Parameter;
  readonly shape: ListShape;
}

/** The reads of several records by their names, which clients create. */
function batchReads(contract: Contract): BatchPlace[] {
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
  return batchReads(contract).filter(({ operation }) => deleting.includes(operation));
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
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const target = isRefusal(reply.response?.status ?? 0) ? firstAlone(request, place) : undefined;
    const other = target === undefined ? undefined : await service.respond({ ...request, target });
    if (other === undefined || isRefusal(other.response?.status ?? 0)) return reply;
    fired();
    return other;
  };
}

/** Mutations of reads of several records; without the AIPs, a check only doubts them. */
export const batchReadMutants: readonly Mutator[] = [
  mutant('reads-all-but-last', {
    rule: 'A read of several records shows all but the last of them.',
    killedBy: 'warning',
    where: batchReads,
    says: 'shows all but the last of the records that it names',
    body: withRecords((records) => records.slice(0, -1)),
  }),
  mutant('reads-in-other-order', {
    rule: 'A read of several records shows them in another order than that of their names.',
    killedBy: 'warning',
    where: batchReads,
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
