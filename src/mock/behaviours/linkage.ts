import { speaksJsonApi } from '../../contract/infer/conventions/envelope-styles.ts';
import { readAddress } from '../../contract/infer/read-address.ts';
import { groupsOf } from '../../contract/infer/record-view.ts';
import type { Resource } from '../../contract/model.ts';
import { referenceField, type Relationship } from '../../contract/protocols/linkage.ts';
import { objectsIn } from '../../contract/protocols/inclusion.ts';
import { typeOf } from '../../contract/protocols/projection.ts';
import { equalJson } from '../../json/equal-json.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, memberOf, objectOf } from '../../json/value.ts';
import type { MaybePromise, Store, StoredRecord } from '../../store/store.ts';
import { generateBody } from '../answer/generate-body.ts';
import { answerFromContract } from '../answer/responder.ts';
import type { Asking, Behaviour, OperationPlan, ValidRequest } from '../model/request.ts';
import { type Fault, makeFault, makeReply, type Reply } from '../model/reply.ts';
import { withoutValue } from '../records/clear-references.ts';
import { collectionOf, findRecord, getRecord, notFound, textOf } from '../records/find-record.ts';
import { presentRecord, visible } from '../records/show/present-record.ts';
import { touched } from './update.ts';

/**
 * Reads, replaces, adds to or takes from what a relationship of a record names (JSON:API 1.1,
 * section 9.3): the record shows the same from then on. Also reads the one record that it names.
 */
export const link: Behaviour = async (on) => {
  const { request, resource, store } = on;
  const relationship = request.plan.role?.relationship;
  if (relationship === undefined) return answerFromContract(request);
  if (relationship.form.kind === 'address') return refer(on);
  const found = await findRecord(on);
  if (found.kind === 'fault') return found;
  const member = groupsOf(resource.record)?.relations?.member ?? 'relationships';
  const all = objectOf(memberOf(found.record, member));
  const own = objectOf(memberOf(all, relationship.name));
  const before = own['data'] ?? (relationship.many ? [] : null);
  if (request.plan.operation === relationship.read) return show(before, request);
  if (request.plan.operation === relationship.related)
    return showRelated(before, { relationship, request, store });
  const stray = await strayLinkage(on);
  if (stray !== undefined) return stray;
  const given = memberOf(request.body, 'data') ?? null;
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
  const id = memberOf(linkage, 'id');
  const collection = { session: request.session, name: named.collection };
  const record = id === undefined ? undefined : await store.get(collection, textOf(id));
  return show(record === undefined ? null : visible(record), request);
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

/**
 * Reads the record that a reference of a record names, sets the reference to an address, or clears
 * it (OData 4.01, protocol, sections 11.2.6 and 11.4.6): a field of the record holds what it names.
 */
const refer: Behaviour = async (on) => {
  const { request, resource, store } = on;
  const relationship = request.plan.role?.relationship;
  const field = relationship && referenceField(relationship);
  if (relationship === undefined || field === undefined) return answerFromContract(request);
  const found = await findRecord(on);
  if (found.kind === 'fault') return found;
  const { operation, status } = request.plan;
  const { named, set, related } = relationship;
  if (operation === related) return showNamed(found.record[field], { named, request, store });
  const other = operation === set ? await findNamed(request, relationship, store) : undefined;
  if (other?.kind === 'fault') return other;
  const pointed =
    other === undefined
      ? withoutValue(found.record, field, resource)
      : { ...found.record, [field]: other.record[named.identifier.field] ?? other.id };
  const record = touched(pointed, request, resource);
  return (await store.replace(collectionOf(request, resource), { id: found.id, record }))
    ? makeReply(status, undefined, { state: record })
    : notFound(resource, found.id);
};

interface Shown {
  readonly named: Resource;
  readonly request: ValidRequest;
  readonly store: Store;
}

/** The record with an identifier; without one, that there is none: 204, where it is documented. */
async function showNamed(
  value: JsonValue | undefined,
  { named, request, store }: Shown,
): Promise<Reply | Fault> {
  const { plan, content, seed } = request;
  const id = textOf(value ?? '');
  const found = id === '' ? undefined : await recordOf(named, id, { request, store });
  if (found === undefined) {
    const isEmpty = plan.answerPlan(204).response?.status === '204';
    return isEmpty ? makeReply(204, undefined) : notFound(named, id);
  }
  if (content?.schema === undefined) return makeReply(plan.status, visible(found.record));
  const shown = presentRecord(content.schema, found.record, `${seed} ${named.name} ${id}`);
  const made = shown === undefined ? generateBody(content, request, found.record) : undefined;
  if (made?.kind === 'fault') return made;
  return makeReply(plan.status, shown ?? made?.value, { state: found.record });
}

function recordOf(
  { collection: name }: Resource,
  id: string,
  { request: { session }, store }: Pick<Shown, 'request' | 'store'>,
): MaybePromise<StoredRecord | undefined> {
  return getRecord({ session, name }, id, store);
}

/** The record at the address in the body: `{ "@odata.id": "Categories('toys')" }`. */
async function findNamed(
  request: ValidRequest,
  { named, form }: Relationship,
  store: Store,
): Promise<(StoredRecord & { readonly kind: 'named' }) | Fault> {
  const { body = null } = request;
  const member = form.kind === 'address' ? form.member : '';
  const address = memberOf(body, member);
  const values = readAddress(named.itemPath ?? '', typeof address === 'string' ? address : '');
  const [id] = values?.values() ?? [];
  const found = id === undefined ? undefined : await recordOf(named, id, { request, store });
  return found === undefined ? strayAddress(member, address, named) : { ...found, kind: 'named' };
}

function strayAddress(member: string, address: JsonValue = null, { name }: Resource): Fault {
  const shown = quoteExcerpt(textOf(address));
  const message = `The body's ${member} must be the address of a record of ${name}, not ${shown}.`;
  return makeFault('reference', 'invalid_reference', message, {
    issues: [{ location: 'body', name: member, rule: 'reference', message }],
  });
}

/**
 * The fault of a request that adds to a relationship, or replaces it, and names a record that does
 * not exist (JSON:API 1.1, sections 9.3 and 9.1.3); undefined for other requests.
 */
export function strayLinkage(on: Asking): MaybePromise<Fault | undefined> {
  const { body, plan } = on.request;
  return isJsonObject(body) && plan.derive(isLinking) ? judge(body, on) : undefined;
}

function isLinking({ operation }: OperationPlan): boolean {
  return (
    ['POST', 'PATCH'].includes(operation.method) &&
    /\/relationships\/[^/{}]+$/.test(operation.path) &&
    speaksJsonApi(operation)
  );
}

async function judge(
  body: JsonObject,
  { request: { plan, session }, store }: Asking,
): Promise<Fault | undefined> {
  for (const { type, id } of objectsIn(body['data'])) {
    const named = plan.contract.resources.find(
      (one) => one.parents.length === 0 && typeOf(one) === type,
    );
    if (named === undefined || typeof id !== 'string') continue;
    if ((await store.get({ session, name: named.collection }, id)) !== undefined) continue;
    const shown = quoteExcerpt(id);
    const message = `The body must name a record of ${named.name}, and none has the id ${shown}.`;
    return makeFault('reference', 'invalid_reference', message, {
      issues: [{ location: 'body', name: 'data', rule: 'reference', message }],
    });
  }
  return undefined;
}
