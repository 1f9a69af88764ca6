import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { wordsOf, plainName } from '../../contract/infer/infer-names.ts';
import { pathKeyOf } from '../../contract/infer/path-key.ts';
import { hidesIdentifiers, recordFields } from '../../contract/infer/record-fields.ts';
import { resourceIdentifiedBy } from '../../contract/infer/shared-identifiers.ts';
import type { Resource } from '../../contract/model.ts';
import { bodySchema } from '../../contract/model/operation.ts';
import { bodyTagOf } from '../../contract/protocols/body-tag.ts';
import { memberSchema } from '../../contract/schema/member-schema.ts';
import { namesChange, namesFormer } from '../../contract/words/names.ts';
import { isJsonPatch, testIsInvalid } from '../../contract/words/read-patch.ts';
import { fromInteger } from '../../json/decimal.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, membersWhere, arrayOf } from '../../json/value.ts';
import { answerFromContract } from '../answer/responder.ts';
import { describeIssues } from '../errors/describe-issue.ts';
import { storeFull } from '../errors/write-error-response.ts';
import type { Acting, Behaviour, Concern, OperationPlan, ValidRequest } from '../model/request.ts';
import { type Fault, makeFault, type Reply } from '../model/reply.ts';
import { negotiateContent } from '../plan/plan-answer.ts';
import {
  collectionOf,
  findRecord,
  namedRecord,
  notFound,
  oncePerPlan,
  textOf,
} from '../records/find-record.ts';
import { identifierRules, isFit } from '../records/identifier/identifier-rules.ts';
import { areOrdered, laterIdentifiers } from '../records/identifier/ordered-identifier.ts';
import { type Changed, keepImmutable } from '../records/keep-immutable.ts';
import { judgeRecordByRules, settleRecord } from '../records/keep-rules.ts';
import { fullestForm, inOrder, makeRecord, repairRecord } from '../records/make/make-record.ts';
import {
  defaultMembers,
  givenMembers,
  isOfService,
  withPaired,
  requestFields,
} from '../records/make/request-members.ts';
import { actOf, withStateMoments } from '../records/make/state-moments.ts';
import { applyJsonPatch, mergeRecord } from '../records/patch/json-patch.ts';
import { staleTag } from '../records/patch/stale-tag.ts';
import { applyMask } from '../records/patch/update-mask.ts';
import {
  fieldsOf,
  isMoment,
  isSameSchema,
  nextRevision,
  nextTag,
  type SchemaField,
  shapeOf,
  writeMoment,
} from '../records/record-fields.ts';
import { settleReferences } from '../records/seed/settle-references.ts';
import { showRecord, visible } from '../records/show/present-record.ts';
import { addCopy } from './create.ts';
import { firstOf } from './named-lists.ts';
import { takenValue } from './taken.ts';
import { recordPlace } from '../../contract/infer/conventions/envelope-styles.ts';
import { actionOfWord } from '../../contract/infer/conventions/verb-styles.ts';
import { tellsOf } from '../../contract/words/mentions.ts';

/**
 * Changes a record: by JSON Patch if the body is one (RFC 6902), otherwise by merging (RFC 7396).
 */
export const update: Behaviour = async (on) => {
  const { request, resource } = on;
  const found = await findRecord(on);
  if (found.kind === 'fault')
    return resource.namedCreate === request.plan.operation ? upsert(found, on) : found;
  const stale = staleTag(request, resource, found.record);
  if (stale !== undefined) return stale;
  const changing = { ...on, earlier: found.record };
  const changed = change(found.record, on);
  if (changed.kind === 'fault') return changed;
  const fixed = keepImmutable(changed.record, changing);
  if (fixed.kind === 'fault') return fixed;
  const former = withFormer(keepOwn(fixed.record, changing), changing);
  const own = await withLastChange(withStateMoments(former, changing), on);
  const repaired = repairRecord(withPaired(own, request, resource), changing);
  const kept = settleRecord(repaired, changing);
  const refusal = judge(kept, resource) ?? judgeRecordByRules(kept, changing);
  if (refusal !== undefined) return refusal;
  const settled = await settleReferences(kept, changing);
  return settled.kind === 'fault' ? settled : replaceRecord(found.id, settled.record, changing);
};

function change(record: JsonObject, { request, resource, store }: Acting): Changed {
  if (isJsonArray(request.body) && request.plan.operation.requestBody?.content.some(isJsonPatch))
    return patch(record, request, store.recordLimit);
  const masked = applyMask(givenMembers(request, resource), request, resource);
  if (masked.kind === 'fault') return masked;
  const { given, removed } = masked;
  // A merge patch cannot set null (RFC 7396, section 1), except in a field that every record has; a
  // plain JSON body can, if the contract allows null.
  const isMerge = request.bodyType === 'application/merge-patch+json';
  const nulls = nullsOf(given, resource, isMerge);
  const merged = { ...mergeRecord(record, given), ...nulls };
  const cleared = isMerge ? Object.keys(given).filter((name) => !Object.hasOwn(merged, name)) : [];
  const left = [...removed, ...cleared];
  if (left.length === 0) return { kind: 'changed', record: merged };
  const kept = Object.entries(merged).filter(([name]) => !left.includes(name));
  const defaults = Object.entries(clearedDefaults(request.plan, resource));
  const again = defaults.filter(([name]) => left.includes(name));
  return { kind: 'changed', record: Object.fromEntries([...kept, ...again]) };
}

/** What fields become that a change clears: the defaults of a create. */
function clearedDefaults(plan: OperationPlan, resource: Resource): JsonObject {
  const body = resource.operations.create && bodySchema(resource.operations.create);
  const fields = body === undefined ? [] : [...fieldsOf(body).values()];
  return Object.fromEntries([
    ...Object.entries(defaultMembers(plan, resource)),
    ...fields.flatMap(({ name, flat: { node } }) =>
      node.default === undefined ? [] : [[name, node.default] as const],
    ),
  ]);
}

function patch(record: JsonObject, { body, plan }: ValidRequest, maxBytes: number): Changed {
  const patched = applyJsonPatch(record, arrayOf(body), { maxBytes });
  if (!patched.ok) {
    const isConflict = patched.isTest && !testIsInvalid(plan.operation);
    return makeFault(
      isConflict ? 'conflict' : 'body-value',
      isConflict ? 'conflict' : 'invalid_value',
      `The record was not changed: ${patched.reason}.`,
    );
  }
  return isJsonObject(patched.value)
    ? { kind: 'changed', record: patched.value }
    : makeFault(
        'body-value',
        'invalid_value',
        'The record was not changed: the patch leaves no object.',
      );
}

function nullsOf(given: JsonObject, resource: Resource, isMerge: boolean): JsonObject {
  const { fields } = shapeOf(resource);
  const nullable = (name: string): boolean => {
    const field = fields.get(name);
    const { type } = field?.flat.node ?? {};
    if (isMerge && field?.required !== true) return false;
    return type !== undefined && [type].flat().includes('null');
  };
  return membersWhere(given, (name, value) => value === null && nullable(name));
}

/** Fields that clients do not set stay, except for the time of the change. */
function keepOwn(changed: JsonObject, { request, resource, earlier = {} }: Concern): JsonObject {
  const members = new Map<string, JsonValue>(Object.entries(changed));
  const tag = bodyTagOf(resource)?.field;
  for (const field of shapeOf(resource).fields.values()) {
    const before = Object.hasOwn(earlier, field.name) ? earlier[field.name] : undefined;
    if (field.writeOnly) members.delete(field.name);
    else if (field.moment === 'change' && isOfService(field, request.plan))
      members.set(field.name, writeMoment(field, request.now));
    else if (before !== undefined && field.name === tag)
      members.set(field.name, nextTag(field, before, request.requestSeed()) ?? before);
    else if (before !== undefined && field.readOnly)
      members.set(field.name, nextRevision(field, before, request.requestSeed()) ?? before);
    else if (before !== undefined && field.name === resource.identifier.field)
      members.set(field.name, before);
  }
  return inOrder(members, resource);
}

/** A valid change can produce an invalid record, such as one without a required field. */
function judge(record: JsonObject, resource: Resource): Fault | undefined {
  const issues = fullestForm(resource).validate(visible(record), 'response');
  if (issues.length === 0) return undefined;
  const { reported, message } = describeIssues(issues, record, {
    location: 'body',
    name: '',
    whole: 'record',
  });
  return makeFault(
    'body-value',
    'invalid_value',
    `This change would leave a record that the contract does not allow. ${message}`,
    { issues: reported },
  );
}

/** Verbs of operations that answer with a new record like the one in their path. */
const copies = /[/:](clone|copy|duplicate|fork)$/i;

/**
 * Applies the verb of the operation to a record, if a field of the record has its name, and returns
 * the record.
 */
export const act: Behaviour = async (on) => {
  const { request, resource } = on;
  const found = await findRecord(on);
  if (found.kind === 'fault')
    return hidesIdentifiers(resource) ? answerFromContract(request) : found;
  const stale = staleTag(request, resource, found.record);
  if (stale !== undefined) return stale;
  const sets = request.plan.role?.deed?.sets;
  if (sets === undefined && copies.test(request.plan.operation.path))
    return addCopy(found.record, on);
  if (sets === undefined)
    return request.plan.derive(setsMembers) ? update(on) : showRecord(request, found.record);
  const changing = { ...on, earlier: found.record };
  const acted = {
    ...touched(found.record, request, resource),
    ...actedMembers(request, resource),
    ...actedMoments(request, resource, sets.value),
    [sets.field]: sets.value,
  };
  return replaceRecord(found.id, withStateMoments(acted, changing), changing);
};

/** The members of the body of an action that records of the resource have: `carrier` of a shipment. */
function actedMembers({ body = null }: ValidRequest, resource: Resource): JsonObject {
  const { fields } = shapeOf(resource);
  if (!isJsonObject(body)) return {};
  const ofService = [resource.identifier.field, bodyTagOf(resource)?.field];
  return membersWhere(
    body,
    (name, value) =>
      !ofService.includes(name) &&
      fields.get(name)?.schema.validate(value, 'response').length === 0,
  );
}

/**
 * The moment of an action in the fields that are called after it, or after the state that it sets:
 * `retire_time` of `:retire`, `paidAt` of the state `paid`.
 */
export function actedMoments(
  { plan: { operation }, now }: ValidRequest,
  resource: Resource,
  state: JsonValue,
): JsonObject {
  const verb = operation.path.split(':').at(-1) ?? '';
  const names = [String(state), lastWord(operation.path), verb].map((name) =>
    wordsOf(name).join(' '),
  );
  const own = [...shapeOf(resource).fields.values()].filter(
    (field) => isMoment(field) && names.includes(actOf(field)),
  );
  return Object.fromEntries(own.map((field) => [field.name, writeMoment(field, now)]));
}

/** A record with the time of its last change and its revision moved on. */
export function touched(record: JsonObject, request: ValidRequest, resource: Resource): JsonObject {
  const fields = [...shapeOf(resource).fields.values()];
  const moments = fields
    .filter(({ moment, name }) => moment === 'change' && Object.hasOwn(record, name))
    .map((field) => [field.name, writeMoment(field, request.now)] as const);
  const tag = bodyTagOf(resource)?.field;
  const revisions = fields.flatMap((field): (readonly [string, JsonValue])[] => {
    const revise = field.name === tag ? nextTag : nextRevision;
    const next = revise(field, record[field.name] ?? null, request.requestSeed());
    return next === undefined ? [] : [[field.name, next]];
  });
  return { ...record, ...Object.fromEntries(moments), ...Object.fromEntries(revisions) };
}

/**
 * Replaces a record with the body; fields that the service sets stay. If the contract documents
 * 201, adds a missing record (RFC 9110, section 9.3.4).
 */
export const replace: Behaviour = async (on) => {
  const { request, resource } = on;
  const found = await findRecord(on);
  if (found.kind === 'fault') return upsert(found, on);
  const { id, value } = found;
  const stale = staleTag(request, resource, found.record);
  if (stale !== undefined) return stale;
  const { operation } = request.plan;
  // A POST that creates a named record does not replace one if a conflict is documented.
  if (operation.method === 'POST' && operation.responses.some(({ status }) => status === '409'))
    return makeFault(
      'conflict',
      'conflict',
      `A record of ${resource.name} has the ${resource.identifier.field} ${id} already. ` +
        'Choose another.',
    );
  const changing = { ...on, earlier: found.record };
  const own = found.record[resource.identifier.field] ?? value;
  const whole = makeRecord({ ...changing, id: own });
  const fixed = keepImmutable(whole, changing, givenMembers(request, resource));
  if (fixed.kind === 'fault') return fixed;
  const shown = withPaired(fixed.record, request, resource);
  const made = settleRecord(repairRecord(shown, { request, resource }), changing);
  const settled = await settleReferences(made, changing);
  return settled.kind === 'fault' ? settled : replaceRecord(id, settled.record, changing);
};

/** An identifier of the path with the type that it has in records. */
function asKept(value: JsonValue, { identifier }: Resource): JsonValue {
  if (identifier.type === 'string') return textOf(value);
  return typeof value === 'string' && /^(0|[1-9]\d{0,30})$/.test(value)
    ? fromInteger(BigInt(value))
    : value;
}

/**
 * Adds the record if the contract allows it, or if no other operation adds one and no 404 is
 * documented.
 */
async function upsert(missing: Fault, on: Acting): Promise<Reply | Fault> {
  const { request, resource, store } = on;
  const added = request.plan.answerPlan(201);
  const isDocumented = added.response?.status === '201';
  const { id, value } = namedRecord(request, resource);
  if (id === '' || !(isDocumented || mayAdd(request, resource))) return missing;
  if (!mayBeNamed(value, request, resource)) return missing;
  const negotiated = isDocumented ? negotiateContent(added, undefined) : undefined;
  const made = repairRecord(makeRecord({ ...on, id: asKept(value, resource) }), on);
  const record = await settleReferences(settleRecord(made, on), on);
  if (record.kind === 'fault') return record;
  const reply = showRecord(
    request,
    record.record,
    negotiated === undefined
      ? {}
      : { status: 201, content: negotiated.kind === 'fault' ? undefined : negotiated.content },
  );
  if (reply.kind === 'fault') return reply;
  const insertion = await store.insert(collectionOf(request, resource), {
    id,
    record: record.record,
  });
  if (insertion === 'full') return storeFull(resource);
  // A view shows some records of a collection: the identifier may belong to another one.
  return insertion === 'taken' ? missing : reply;
}

/**
 * Whether a record may have the name in the path: none has a text where identifiers are integers,
 * or that its own key cannot be, if a refusal is documented.
 */
function mayBeNamed(
  value: JsonValue,
  { plan: { operation } }: ValidRequest,
  resource: Resource,
): boolean {
  const isRefused = operation.responses.some(({ status }) => /^(404|4XX|default)$/i.test(status));
  if (!isRefused || resource.kind === 'singleton') return true;
  const id = asKept(value, resource);
  const key = pathKeyOf(resource);
  const place = key === undefined ? undefined : memberSchema(resource.record, key.split('.'));
  const isKey = place === undefined || resource.record.part(place).accepts(id, 'response');
  return isKey && isFit(identifierRules(resource), id);
}

/** Whether a request on a record's path may create it although no 201 is documented. */
function mayAdd({ plan: { operation } }: ValidRequest, resource: Resource): boolean {
  return (
    resource.kind === 'singleton' ||
    resource.namedCreate === operation ||
    // A PUT without a body schema can only add the record: `PUT /users/{userId}/roles/{role}`.
    operation.requestBody === undefined ||
    (resource.operations.create === undefined &&
      !operation.responses.some(({ status }) => status === '404'))
  );
}

/** A changed record with who changed it last and when, where an object of it tells that. */
async function withLastChange(record: JsonObject, changing: Acting): Promise<JsonObject> {
  const { request, resource } = changing;
  let told = record;
  for (const field of lastChanges(request.plan, resource)) {
    const members = await membersOf(field, changing);
    const whole = { ...told, [field.name]: members };
    if (resource.record.validate(visible(whole), 'response').length === 0) told = whole;
  }
  return told;
}

/** The objects of a record that tell of its last change, such as `edited`. */
const lastChanges = oncePerPlan((plan, resource) =>
  [...shapeOf(resource).fields.values()].filter(
    (field) =>
      field.flat.types.join() === 'object' &&
      namesChange(field.normalised) &&
      isOfService(field, plan),
  ),
);

async function membersOf({ schema }: SchemaField, changing: Acting): Promise<JsonObject> {
  const members: [string, JsonValue][] = [];
  for (const field of fieldsOf(schema).values()) {
    const value = await memberOf(field, changing);
    if (value !== undefined) members.push([field.name, value]);
  }
  return Object.fromEntries(members);
}

async function memberOf(
  field: SchemaField,
  { request, resource, store }: Acting,
): Promise<JsonValue | undefined> {
  const { schema } = field;
  if (field.moment !== undefined || isMoment(field)) return writeMoment(field, request.now);
  const own = shapeOf(resource).fields.get(resource.identifier.field);
  // Identifiers that say when a record was made have the form of a time.
  if (own !== undefined && areOrdered(resource) && isSameSchema(own.schema, schema))
    return laterIdentifiers([], request.now).find((text) => schema.accepts(text, 'response'));
  const named = resourceIdentifiedBy(schema, schema, request.plan.contract.resources);
  return named && firstOf(named, request.session, store);
}

/** Stores a changed record, if it can be shown and takes no value of another one. */
async function replaceRecord(id: string, record: JsonObject, on: Acting): Promise<Reply | Fault> {
  const { request, resource, store } = on;
  const reply = showRecord(request, record);
  if (reply.kind === 'fault') return reply;
  const taken = await takenValue({ id, record }, on);
  if (taken !== undefined) return taken;
  const isKept = await store.replace(collectionOf(request, resource), { id, record });
  return isKept ? reply : notFound(resource, id);
}

/**
 * Whether an action sets members of its record to those of its body, and answers with the record:
 * records have all that it must be given, and its verb says that it changes (`rename`, `set-goal`,
 * `changeAddress`) and may name one of them, or it begins the name of one: `assign` an `assignee`.
 */
function setsMembers(plan: OperationPlan): boolean {
  const { operation, role } = plan;
  if (role === undefined || recordPlace(operation, role.resource.record) === undefined)
    return false;
  const [verb = '', ...object] = wordsOf(lastWord(operation.path.replaceAll(':', '/')));
  const { fields } = shapeOf(role.resource);
  const given = [...requestFields(plan).values()].filter(({ readOnly }) => !readOnly);
  const needed = given.filter(({ required }) => required);
  const isChange = verb === 'rename' || actionOfWord(verb) === 'update';
  const isNamed = isChange
    ? object.length === 0 || given.some(({ name }) => wordsOf(name).join() === object.join())
    : needed.some(({ normalised }) => normalised.startsWith(verb));
  return isNamed && needed.length > 0 && needed.every(({ name }) => fields.has(name));
}

/**
 * A changed record that keeps a value which was replaced in the list of such values, where the
 * operation tells of that list: `The old name is put at the end of previous_names`.
 */
function withFormer(record: JsonObject, { request, resource, earlier = {} }: Concern): JsonObject {
  const { operation } = request.plan;
  const lists = recordFields(resource.record).filter(
    ({ many, name }) => many && tellsOf(operation, name),
  );
  let kept = record;
  for (const { name, plain } of lists) {
    const of = Object.keys(earlier).find((field) => namesFormer(plain, plainName(field)));
    const was = of === undefined ? undefined : earlier[of];
    if (of === undefined || typeof was !== 'string' || was === record[of]) continue;
    const before = kept[name] ?? [];
    const told = { ...kept, [name]: isJsonArray(before) ? [...before, was] : [was] };
    if (resource.record.validate(told, 'response').length === 0) kept = told;
  }
  return kept;
}
