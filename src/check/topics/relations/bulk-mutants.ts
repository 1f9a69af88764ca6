import type { Batch, Contract } from '../../../contract/model.ts';
import { readJson } from '../../../http/media-type.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isJsonArray, type JsonArray } from '../../../json/value.ts';
import type { HttpRequest } from '../../../http/message.ts';
import { isRefusal } from '../../../http/status.ts';
import { withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { editAt } from '../../mutants/places.ts';
import { isAtomic } from './plan-bulk.ts';

const mutant = mutantsOf('state');

interface BulkPlace extends Place {
  readonly batch: Batch;
}

/** The operations that create several records of a collection that a list shows. */
function bulks({ inference }: Contract): BulkPlace[] {
  return inference.bulkActions.flatMap((batch) =>
    batch.does === 'create' &&
    batch.operation.method === 'POST' &&
    (batch.shows ?? batch.resource.operations.list) !== undefined
      ? [{ operation: batch.operation, batch }]
      : [],
  );
}

/** The request with other entries; undefined if it has fewer than two. */
function withEntries(
  request: HttpRequest,
  { records }: Batch,
  edit: (entries: JsonArray) => JsonArray,
): HttpRequest | undefined {
  const body = readJson(request);
  if (body === undefined) return undefined;
  const edited = editAt(body, splitPointer(records), (entries) =>
    isJsonArray(entries) && entries.length > 1 ? edit(entries) : undefined,
  );
  return edited === undefined ? undefined : withJson(request, edited);
}

/** Makes the first of the entries whose request is refused, and refuses the request still. */
function makingFirst({ batch, operation }: BulkPlace): Plant {
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const isRefused = isRefusal(reply.response?.status ?? 0);
    const first = isRefused
      ? withEntries(request, batch, (entries) => entries.slice(0, 1))
      : undefined;
    if (first === undefined || service.operationOf(request) !== operation) return reply;
    const { response } = await service.respond(first);
    if (!isRefusal(response?.status ?? 0)) fired();
    return reply;
  };
}

/** Mutations of requests that create several records. */
export const bulkMutants: readonly Mutator[] = [
  mutant('forgets-last-entry', {
    rule: 'A request that creates several records makes all but the last.',
    where: bulks,
    says: 'makes all of its records but the last',
    request: (request, { batch }) => withEntries(request, batch, (entries) => entries.slice(0, -1)),
  }),
  mutant('makes-half', {
    rule: 'A request that creates several records, or none, is refused and makes some of them.',
    where: (contract) => bulks(contract).filter(({ operation }) => isAtomic(contract, operation)),
    says: 'is refused and makes the first of its records',
    act: makingFirst,
  }),
];
