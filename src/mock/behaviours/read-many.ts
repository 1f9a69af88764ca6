import { inferList } from '../../contract/infer/infer-list.ts';
import type { ListShape } from '../../contract/model.ts';
import { isJsonArray, type JsonObject } from '../../json/value.ts';
import { answerFromContract } from '../answer/responder.ts';
import { protocolsOf } from '../../contract/protocols/read-protocols.ts';
import type { Behaviour, OperationPlan } from '../model/request.ts';
import { collectionOf, getRecord, notFound, textOf } from '../records/find-record.ts';
import { parameterKey } from '../request/read-request.ts';
import { showMany } from './create-many.ts';

/**
 * The records that a request names, in the order of the names; 404 if one of them is not there, or
 * below another parent (AIP-231).
 */
export const readMany: Behaviour = async ({ request, resource, store }) => {
  const { batchReads: named } = protocolsOf(request.plan.contract, resource);
  const names = named && request.parameters.get(parameterKey(named.parameter));
  if (named === undefined || !isJsonArray(names)) return answerFromContract(request);
  const records: JsonObject[] = [];
  for (const name of names.map(textOf)) {
    const id = named.takesAddresses ? (name.split('/').at(-1) ?? name) : name;
    const found = await getRecord(collectionOf(request, resource), id, store);
    if (found === undefined) return notFound(resource, name);
    records.push(found.record);
  }
  return showMany(records, { request, resource, shows: request.plan.derive(shapeOf) });
};

function shapeOf({ operation }: OperationPlan): ListShape | undefined {
  return inferList(operation)?.shape;
}
