import { pathKeyOf } from '../../contract/infer/path-key.ts';
import { oncePerResource } from '../../contract/infer/record-fields.ts';
import type { Resource, Schema } from '../../contract/model.ts';
import { fieldsWhenDone, jobStateOf } from '../../contract/words/read-job.ts';
import type { HeaderList } from '../../http/message.ts';
import { isJsonObject, type JsonObject, type JsonValue, membersWhere } from '../../json/value.ts';
import { type MaybePromise, type StoredRecord, whenReady } from '../../store/store.ts';
import { plainValue } from '../../values/plain-value.ts';
import { impossible } from '../answer/generate-body.ts';
import { storeFull } from '../errors/write-error-response.ts';
import type { Acting, Behaviour, Concern, ValidRequest } from '../model/request.ts';
import type { Fault, Reply } from '../model/reply.ts';
import { collectionOf, textOf } from '../records/find-record.ts';
import {
  firstIdentifier,
  type IdentifierNeed,
  identifierRules,
  isFit,
  isReachable,
  otherIdentifiers,
} from '../records/identifier/identifier-rules.ts';
import { namedInQuery } from '../records/identifier/named-in-query.ts';
import { fullestForm, makeRecord, repairRecord } from '../records/make/make-record.ts';
import { withStateMoments } from '../records/make/state-moments.ts';
import {
  givenMembers,
  pairedRecord,
  requestFields,
  withPaired,
} from '../records/make/request-members.ts';
import { judgeAddresses, withTakenFields } from '../records/seed/named-records.ts';
import {
  hasReferences,
  judgeReferences,
  pointReferences,
} from '../records/seed/settle-references.ts';
import { absoluteUrl } from '../records/show/envelope.ts';
import { settleRecord } from '../records/keep-rules.ts';
import { itemUrl, selfLink } from '../records/show/item-url.ts';
import { shapeOf } from '../records/record-fields.ts';
import { showRecord, visible } from '../records/show/present-record.ts';
import { taken, takenValue } from './taken.ts';
import { bodySchema } from '../../contract/model/operation.ts';
import { memberSchema } from '../../contract/schema/member-schema.ts';
import { uniqueFields, uniqueOfService } from '../../contract/words/read-unique.ts';
import { fieldValue } from '../../store/field-values.ts';
import { withField } from '../records/parent-fields.ts';

/**
 * Adds a record with an identifier of the mock, or of the client if the contract allows it. A taken
 * identifier is a conflict if only the client can choose it, or if the contract documents a
 * conflict; otherwise the mock chooses another one.
 */
export const create: Behaviour = (on) => {
  const { request, resource } = on;
  const given = givenMembers(request, resource);
  const refused = whenReady(
    judgeAddresses(on),
    (fault) =>
      fault ?? (resource.foreignKeys.length === 0 ? undefined : judgeReferences(given, on)),
  );
  return whenReady(refused, (fault) => fault ?? addOne(creationOf(given, on)));
};

function creationOf(given: JsonObject, on: Acting): Creation {
  const { makeId, now } = on.request;
  return { ...on, collection: collectionOf(on.request, on.resource), given, makeId, now };
}

/**
 * Adds a copy of a record, with the members of the body in place of its own: `POST
 * /things/{thingId}/clone`. The service sets the identifier, the times and what is read-only.
 */
export function addCopy(original: JsonObject, on: Acting): MaybePromise<Reply | Fault> {
  const { request, resource } = on;
  const { fields } = shapeOf(resource);
  const copied = Object.entries(visible(original)).filter(([name]) => {
    const field = fields.get(name);
    const isOwn = field?.readOnly === true || field?.moment !== undefined;
    return name !== resource.identifier.field && !isOwn;
  });
  const given = { ...Object.fromEntries(copied), ...givenMembers(request, resource) };
  return addNext(creationOf(given, on));
}

/** With a synchronous store, everything from here on is atomic. */
function addOne(creation: Creation): MaybePromise<Reply | Fault> {
  const shown = pairedRecord(creation.request, creation.resource);
  const id = shown?.[creation.resource.identifier.field];
  if (shown !== undefined && id !== undefined)
    return whenReady(add(id, creation, shown), (reply) => reply ?? addUnpaired(creation));
  return addUnpaired(creation);
}

function addUnpaired(creation: Creation): MaybePromise<Reply | Fault> {
  const named = namedInQuery(creation.request, creation.resource);
  if (named !== undefined)
    return whenReady(add(named, creation), (reply) => reply ?? taken(creation.resource, named));
  const chosen = chosenIdentifier(creation);
  if (chosen === undefined) return addNext(creation);
  const { request, resource } = creation;
  return whenReady(
    add(chosen, creation),
    (reply) =>
      reply ?? (isClients(request, resource) ? taken(resource, chosen) : addNext(creation)),
  );
}

/** Adds the record with the next identifier, or another one. */
function addNext(creation: Creation): MaybePromise<Reply | Fault> {
  const added = whenReady(firstIdentifier(creation), (first) =>
    first === undefined ? undefined : add(first, creation),
  );
  return whenReady(added, (reply) => reply ?? addSomehow(creation));
}

/** The parts of a new record. */
interface Creation extends IdentifierNeed {
  readonly request: ValidRequest;
  /** The members of the body that are stored. */
  readonly given: JsonObject;
}

/** Adds the record with any free identifier. */
async function addSomehow(creation: Creation): Promise<Reply | Fault> {
  for await (const id of otherIdentifiers(creation)) {
    const reply = await add(id, creation);
    if (reply !== undefined) return reply;
  }
  return impossible(
    `no identifier is left that ${creation.resource.identifier.field} may have`,
    'Delete records, or reset the mock.',
  );
}

/**
 * The identifier in the body, if the operation declares that member, or no member at all, and
 * leaves it to the client. A body may call it as the path of an item does: `user_id` of a member.
 */
function chosenIdentifier({ request, resource, given }: Creation): JsonValue | undefined {
  const { field, parameter = field } = resource.identifier;
  const fields = requestFields(request.plan);
  const isItem = pathKeyOf(resource) === undefined && !fields.has(field) && fields.has(parameter);
  const name = isItem ? parameter : field;
  const declared = fields.get(name);
  const isService = declared === undefined ? fields.size > 0 : declared.readOnly;
  const sent = name === field || !isJsonObject(request.body) ? given : request.body;
  if (isService || !Object.hasOwn(sent, name)) return undefined;
  // An identifier that no record can have or no path can contain could not be read: the mock
  // chooses one if it may.
  const [chosen, rules] = [sent[name], identifierRules(resource)];
  return chosen !== undefined &&
    isFit(rules, chosen) &&
    (isReachable(rules, chosen) || isClients(request, resource))
    ? chosen
    : undefined;
}

function isClients(request: ValidRequest, { identifier }: Resource): boolean {
  const required = requestFields(request.plan).get(identifier.field)?.required === true;
  return required || request.plan.operation.responses.some(({ status }) => status === '409');
}

/**
 * The response after the record is stored; undefined if the identifier is taken. A record that
 * cannot be shown is not kept.
 */
function add(
  id: JsonValue,
  creation: Creation,
  shown?: JsonObject,
): MaybePromise<Reply | Fault | undefined> {
  const { request, resource, given } = creation;
  const fresh = makeRecord({ request, resource, id, given });
  const made = withTakenFields(withStateMoments(fresh, { request, resource }), creation);
  return whenReady(made, (usual) => {
    // The example of the contract is the whole record, with the parents that the path names.
    const whole =
      shown === undefined ? withPaired(usual, request, resource) : { ...hiddenOf(usual), ...shown };
    return addWhole({ id: textOf(id), record: whole }, fresh, creation);
  });
}

/** Adds a record, with what the mock made up of it. */
function addWhole(
  { id, record: whole }: StoredRecord,
  madeUp: JsonObject,
  creation: Creation,
): MaybePromise<Reply | Fault | undefined> {
  const { request, resource, store } = creation;
  const repaired = repairRecord(whole, { request, resource });
  const made = settleRecord(repaired, { request, resource });
  // A record that needed no repair keeps its form.
  if (!hasReferences(resource, request.plan))
    return keep(
      { id, record: made, form: made === whole ? fullestForm(resource) : undefined },
      creation,
    );
  return pointReferences(made, { request, resource, store, madeUp }).then((record) =>
    keep({ id, record, form: undefined }, creation),
  );
}

function hiddenOf({ '': hidden }: JsonObject): JsonObject {
  return hidden === undefined ? {} : { '': hidden };
}

/** A record to add, and a schema under which it is known to be valid. */
interface NewRecord extends StoredRecord {
  readonly form: Schema | undefined;
}

function keep(added: NewRecord, creation: Creation): MaybePromise<Reply | Fault | undefined> {
  const { resource } = creation;
  return whenReady(withFreeValues(added.record, resource, creation), (record) =>
    keepFree(record === added.record ? added : { ...added, record, form: undefined }, creation),
  );
}

function keepFree(
  { id, record: made, form }: NewRecord,
  { request, resource, store, collection }: Creation,
): MaybePromise<Reply | Fault | undefined> {
  const record = request.plan.status === 202 ? runningJob(made, resource) : made;
  const headers = locate(request, resource, { id, status: request.plan.status });
  const reply = showRecord(request, record, { headers, kept: form });
  if (reply.kind === 'fault') return reply;
  return whenReady(takenValue({ id, record }, { request, resource, store }), (refusal) => {
    if (refusal !== undefined) return refusal;
    const kept = reply.status === 202 ? doneJob(record, { request, resource }) : record;
    return whenReady(store.insert(collection, { id, record: kept }), (insertion) => {
      if (insertion === 'full') return storeFull(resource);
      return insertion === 'inserted' ? reply : undefined;
    });
  });
}

/**
 * The URL of the record (RFC 9110, section 15.3.2), while its path is there; with another status
 * than 201 where the contract documents the header.
 */
export function locate(
  request: ValidRequest,
  resource: Resource,
  { id, status }: { readonly id: string; readonly status: number },
): HeaderList {
  const header = request.plan
    .answerPlan(status)
    .headers.find(({ name }) => name.toLowerCase() === 'location');
  const isLocated = status === 201 || (status < 300 && header !== undefined);
  const url = isLocated ? itemUrl(request, resource, id) : undefined;
  if (url === undefined) return [];
  const isAbsolute = ['uri', 'url', 'iri'].includes(header?.schema.flatten().node.format ?? '');
  const location = isAbsolute ? absoluteUrl(url, request.request) : url;
  // Without a Host header, the absolute URL is unknown.
  return isAbsolute && location.startsWith('/') ? [] : [['Location', location]];
}

const stateOf = oncePerResource(({ record }) => jobStateOf(record));

const addedWhenDone = oncePerResource(({ record, operations: { read, list } }) =>
  fieldsWhenDone(
    record,
    [read, list].filter((operation) => operation !== undefined),
  ),
);

/** The record of a job that was accepted: it lacks what it has when it is done. */
function runningJob(record: JsonObject, resource: Resource): JsonObject {
  const later = new Set(addedWhenDone(resource));
  if (later.size === 0) return record;
  return membersWhere(record, (name) => !later.has(name));
}

/**
 * The record of a job as later reads show it: what was accepted with 202 runs in the response, and
 * is done after it (RFC 9110, section 15.3.3), with what it has then. Unchanged if it has no such
 * state, or none that may end.
 */
function doneJob(record: JsonObject, job: Concern): JsonObject {
  const { resource } = job;
  const state = stateOf(resource);
  if (state?.done === undefined || !state.running.includes(String(record[state.field])))
    return record;
  const ended = { ...record, [state.field]: state.done };
  const whole = addedWhenDone(resource).reduce((made, name) => withAdded(made, name, job), ended);
  const isValid = (one: JsonObject): boolean =>
    resource.record.validate(visible(one), 'response').length === 0;
  return [whole, ended].find(isValid) ?? record;
}

/** A record with a field that it lacks: a link that leads somewhere, or any value. */
function withAdded(record: JsonObject, name: string, { request, resource }: Concern): JsonObject {
  const field = shapeOf(resource).fields.get(name);
  const id = record[resource.identifier.field];
  if (field === undefined || Object.hasOwn(record, name) || id === undefined) return record;
  const find = (): string | undefined => itemUrl(request, resource, textOf(id));
  const seed = `${request.requestSeed()} ${name}`;
  const made = plainValue(field.schema, { seed, direction: 'response', name });
  const value = selfLink(field, find, { request, resource }) ?? (made.ok ? made.value : undefined);
  return value === undefined ? record : { ...record, [name]: value };
}

/** The fields whose values differ between the records of a resource. */
const uniqueNames = oncePerResource((resource) => {
  const key = pathKeyOf(resource);
  const operation = resource.operations.create;
  const body = operation && bodySchema(operation);
  const told =
    operation === undefined || body === undefined
      ? []
      : uniqueFields(operation, body).map(({ name }) => name);
  const own = uniqueOfService(resource.record);
  return [...(key === undefined ? [] : [key]), ...own, ...told].filter(
    (name) => name !== resource.identifier.field,
  );
});

/**
 * A new record with values that no other record has, in the fields that the client does not send:
 * a key by which paths find it, and what the service sets and descriptions call unique. A text with
 * a number at its end gets the next one.
 */
function withFreeValues(
  record: JsonObject,
  resource: Resource,
  { store, collection, given }: Pick<Creation, 'store' | 'collection' | 'given'>,
): MaybePromise<JsonObject> {
  const names = uniqueNames(resource).filter(
    (name) => typeof fieldValue(record, name) === 'string' && fieldValue(given, name) === undefined,
  );
  if (names.length === 0) return record;
  return whenReady(store.list(collection), (others) =>
    names.reduce((made, name) => {
      const held = new Set(others.map((other) => fieldValue(other.record, name)));
      return withFreeValue(made, name, { resource, held });
    }, record),
  );
}

interface Beside {
  readonly resource: Resource;
  /** The values of the other records. */
  readonly held: ReadonlySet<unknown>;
}

/** At most so many other texts are tried for a value without a number. */
const maxTexts = 20;

function withFreeValue(record: JsonObject, name: string, { resource, held }: Beside): JsonObject {
  const text = String(fieldValue(record, name));
  const place = memberSchema(resource.record, name.split('.'));
  if (!held.has(text) || place === undefined) return record;
  const schema = resource.record.part(place);
  for (const free of nextTexts(text, schema, held.size))
    if (!held.has(free) && schema.accepts(free, 'response'))
      return withField(record, name.split('.'), free);
  return record;
}

/** The texts with the next numbers, `2026-0002` after `2026-0001`; else others of the schema. */
function* nextTexts(text: string, schema: Schema, count: number): Generator<string> {
  const [digits] = /\d{1,30}$/.exec(text) ?? [];
  for (let index = 1; digits !== undefined && index <= count; index += 1) {
    const number = String(BigInt(digits) + BigInt(index));
    yield text.slice(0, -digits.length) + number.padStart(digits.length, '0');
  }
  for (let index = 0; digits === undefined && index < maxTexts; index += 1) {
    const seed = `${text} ${String(index)}`;
    const made = plainValue(schema, { seed, direction: 'response', required: 'only' });
    if (made.ok) yield String(made.value);
  }
}
