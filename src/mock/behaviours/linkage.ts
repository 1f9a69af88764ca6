import { groupsOf } from '../../contract/infer/record-view.ts';
import type { Relationship } from '../../contract/protocols/linkage.ts';
import { equalJson } from '../../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { answerFromContract } from '../answer/responder.ts';
import { generateBody } from '../answer/generate-body.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import { makeReply, type Reply } from '../model/reply.ts';
import { collectionOf, findRecord, notFound, textOf } from '../records/find-record.ts';
import { visible } from '../records/show/present-record.ts';
import type { Store } from '../../store/store.ts';
import { strayLinkage } from './linked.ts';
import { refer } from './reference.ts';
import { touched } from './update.ts';

/**
 * Reads, replaces, adds to or takes from what a relationship of a record names (JSON:API 1.1,
 * section 9.3): the record shows the same from then on. Also reads the one record that it names.
 */
export const link: Behaviour = async (request, resource, store) => {
  const relationship = request.plan.role?.relationship;
  if (relationship === undefined) return answerFromContract(request);
  if (relationship.form.kind === 'address') return refer(request, resource, store);
  const found = await findRecord(request, resource, store);
  if (found.kind === 'fault') return found;
  const member = groupsOf(resource.record)?.relations?.member ?? 'relationships';
  const all = objectIn(found.record, member);
  const own = objectIn(all, relationship.name);
  const before = own['data'] ?? (relationship.many ? [] : null);
  if (request.plan.operation === relationship.read) return show(before, request);
  if (request.plan.operation === relationship.related)
    return showRelated(before, { relationship, request, store });
  const stray = await strayLinkage(request, store);
  if (stray !== undefined) return stray;
  const given = isJsonObject(request.body) ? (request.body['data'] ?? null) : null;
  const data = changed(before, given, { relationship, request });
  const linked = { ...all, [relationship.name]: { ...own, data } };
  const record = touched({ ...found.record, [member]: linked }, request, resource);
  const collection = collectionOf(request, resource);
  return (await store.replace(collection, { id: found.id, record }))
    ? show(data, request)
    : notFound(resource, found.id);
};

interface Relating extends Change {
  readonly store: Store;
}

/** The record that a relationship names (JSON:API 1.1, section 8.1): null if it names none. */
async function showRelated(
  linkage: JsonValue,
  { relationship: { named }, request, store }: Relating,
): Promise<Reply | Fault> {
  const id = isJsonObject(linkage) ? linkage['id'] : undefined;
  const collection = { session: request.session, name: named.collection };
  const record = id === undefined ? undefined : await store.get(collection, textOf(id));
  return show(record === undefined ? null : visible(record), request);
}

function objectIn(record: JsonObject, name: string): JsonObject {
  const member = Object.hasOwn(record, name) ? record[name] : undefined;
  return member !== undefined && isJsonObject(member) ? member : {};
}

interface Change {
  readonly relationship: Relationship;
  readonly request: ValidRequest;
}

function changed(
  before: JsonValue,
  given: JsonValue,
  { relationship: { add, remove }, request: { plan } }: Change,
): JsonValue {
  if (!isJsonArray(before) || !isJsonArray(given)) return given;
  const isIn = (list: readonly JsonValue[], one: JsonValue): boolean =>
    list.some((other) => isSame(one, other));
  if (plan.operation === remove) return before.filter((one) => !isIn(given, one));
  return plan.operation === add ? [...before, ...given.filter((one) => !isIn(before, one))] : given;
}

/** Whether two identifier objects name one record: their `meta` does not count. */
function isSame(left: JsonValue, right: JsonValue): boolean {
  return isJsonObject(left) && isJsonObject(right)
    ? ['type', 'id'].every((name) => equalJson(left[name] ?? null, right[name] ?? null))
    : equalJson(left, right);
}

function show(data: JsonValue, request: ValidRequest): Reply | Fault {
  const { content, plan } = request;
  if (content === undefined) return makeReply(plan.status, undefined);
  const body = { data };
  if (content.schema?.validate(body, 'response').length === 0) return makeReply(plan.status, body);
  const made = generateBody(content, request, body);
  return made.kind === 'fault' ? made : makeReply(plan.status, made.value);
}
