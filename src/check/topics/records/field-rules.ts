import { ignoresUnknownMembers } from '../../../contract/words/read-list.ts';
import { answersRecord } from '../../reading/shown-fields.ts';
import { isClosed } from '../../../contract/schema/object-members.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import { immutableFields } from '../../../contract/words/read-immutable.ts';
import type { UniqueField } from '../../../contract/words/read-unique.ts';
import { uniqueFields, uniqueInChange } from '../../../contract/words/read-unique.ts';
import { isTrialParameter } from '../../../contract/protocols/trial.ts';
import { recordFields, type RecordField } from '../../../contract/infer/record-fields.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, membersWhere, objectOf } from '../../../json/value.ts';
import { boundaryCandidates } from '../../../values/boundary-values.ts';
import { judgedValues } from '../../../values/candidate-value.ts';
import type { Case, Intent, Sequence } from '../../model/case.ts';
import { hash, invalidBodyIntent, makeCase, makeSequence } from '../../model/case.ts';
import type { BodyTemplate } from '../../model/request-template.ts';
import { bodyOf, requestOf } from '../../plan/draft.ts';
import { isReference } from '../../reading/identifiers.ts';
import type { DraftWithBody } from '../../plan/make-create.ts';
import { bodyDraftFor, createWith, creationOf, hasBody } from '../../plan/make-create.ts';
import { valued } from '../../plan/listing.ts';
import { markedValue } from '../../plan/mark-body.ts';
import { draftCase, draftFor, plainIntent, type PlanContext } from '../../plan/plan-context.ts';
import { Story } from '../../plan/story.ts';
import { fullBody } from '../../plan/full-body.ts';

/**
 * What the contract states of single fields: defaults, what only the service may set, and what no
 * two records may share.
 */
export function planFieldRules(context: PlanContext): Sequence[] {
  const naming = context.contract.resources.flatMap((resource) => {
    const create = resource.namedCreate && creationOf(context, resource);
    return create?.isNaming === true ? [create] : [];
  });
  const makers = [...context.drafts.filter(hasBody), ...naming];
  return [
    ...makers.flatMap((draft) => defaultSequence(context, draft)),
    ...context.contract.resources.flatMap((resource) => readOnlySequences(context, resource)),
    ...context.drafts.filter(hasBody).flatMap((draft) => uniqueSequences(context, draft)),
  ];
}

/** Whether each request of a draft adds something. */
function adds({ operation, isNaming, role }: DraftWithBody): boolean {
  return (
    isNaming === true ||
    (operation.method === 'POST' && (role === undefined || role.action === 'create'))
  );
}

/**
 * A create with every field, and one without those that have a default: the first shows which
 * fields the service shows.
 */
function defaultSequence(context: PlanContext, draft: DraftWithBody): Sequence[] {
  const { body } = draft;
  const { value, schema } = body;
  if (!adds(draft) || schema === undefined || !isJsonObject(value)) return [];
  const defaulted = [...schema.flatten().properties].flatMap(([name, place]) => {
    const { node } = schema.flatten(place);
    return node.default === undefined || node.readOnly === true ? [] : [name];
  });
  const bare = membersWhere(value, (name) => !defaulted.includes(name));
  if (defaulted.length === 0 || !schema.accepts(bare, 'request')) return [];
  const creates = [
    createWith(context, draft, {
      title: 'every field with a default is sent',
      value: fullBody(body, defaulted),
    }),
    createWith(context, draft, { title: 'no field with a default is sent', value: bare }),
  ];
  const resource = draft.role?.resource;
  const isShown = resource === undefined || answersRecord(draft.operation, resource);
  const shown = isShown ? [] : creates.slice(-1).flatMap((one) => readOf(context, resource, one));
  // A record that other requests used may take no more of them.
  const story = new Story(context, `the defaults of ${draft.operation.id}`);
  const names = draft.names.filter((one) => draft.isNaming !== true || one.resource !== resource);
  return [makeSequence(...story.onNewParents({ ...draft, names }, creates), ...shown)];
}

/** A create, and an update, that send what only the service may set, each after a plain create. */
function readOnlySequences(context: PlanContext, resource: Resource): Sequence[] {
  const create = creationOf(context, resource);
  if (create === undefined) return [];
  const update =
    bodyDraftFor(context, resource, 'update') ?? bodyDraftFor(context, resource, 'replace');
  return [create, update].flatMap((draft) => {
    if (draft === undefined) return [];
    const choices = ignoresUnknownMembers(context.contract) ? [readOnly, unknown] : closed;
    return choices.flatMap((choice) => {
      const title = `a record is created before ${draft.operation.id} gets ${choice.what} fields`;
      const sent = withOwnValues(context, resource, draft, choice);
      if (sent === undefined) return [];
      const plain = createWith(context, create, { title, value: create.body.value });
      const shows = draft !== create || answersRecord(create.operation, resource);
      return makeSequence(plain, sent, ...(shows ? [] : readOf(context, resource, sent)));
    });
  });
}

/** A read of the record that a case made, whose answer does not show it. */
function readOf(context: PlanContext, resource: Resource, { title: step }: Case): Case[] {
  const read = draftFor(context, resource, 'read');
  if (read?.identifier === undefined) return [];
  const source = { kind: 'made', step, resource: resource.name } as const;
  const request = requestOf(read, 'created', { extra: [{ parameter: read.identifier, source }] });
  const { operation } = read;
  const parts = { phase: 'sequence', operation, request, intent: plainIntent(read) } as const;
  return [makeCase({ ...parts, title: 'the record is read after that' })];
}

/** Chooses the fields of a record that only the service may set, in requests of a schema. */
interface FieldChoice {
  readonly what: string;
  includes(field: RecordField, request: Schema): boolean;
}

const readOnly: FieldChoice = {
  what: 'read-only',
  includes: ({ flat }) => flat.node.readOnly === true,
};

/** A state that records show, and a closed request schema does not have. */
const undeclaredState: FieldChoice = {
  what: 'undeclared',
  includes({ name, flat }, request) {
    const whole = request.flatten();
    const isState = flat.node.enum !== undefined || flat.types.includes('boolean');
    return isClosed(whole) && isState && flat.node.readOnly !== true && !whole.properties.has(name);
  },
};

/** What records show, and a request does not declare, where unknown members are ignored. */
const unknown: FieldChoice = {
  what: 'unknown',
  includes: ({ name, flat }, request) =>
    flat.node.readOnly !== true && !request.flatten().properties.has(name),
};

const closed = [readOnly, undeclaredState];

/** The plain request with a value of the run in each of the chosen fields. */
function withOwnValues(
  context: PlanContext,
  resource: Resource,
  draft: DraftWithBody,
  choice: FieldChoice,
): Case | undefined {
  const { body, operation, isNaming } = draft;
  const { schema, value } = body;
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const label = `${operation.id} ${choice.what}`;
  const mark = `${context.runId}-${hash(label).slice(0, 6)}`;
  const isCreate = isNaming === true || operation.method === 'POST';
  const { field: identifier } = resource.identifier;
  const own = recordFields(resource.record).flatMap((field) => {
    // The identifier of a change, or a number, may be that of a record of others.
    const mayName = isCreate && field.types.every((type) => type === 'string');
    const isOpen =
      choice.includes(field, schema) &&
      !field.many &&
      !Object.hasOwn(value, field.name) &&
      (field.name === identifier ? mayName : !isReference(field.name));
    const made =
      isOpen && !field.name.includes('.') ? otherValue(resource, field, mark) : undefined;
    return made === undefined ? [] : [[field.name, made] as const];
  });
  const [first] = own;
  if (first === undefined) return undefined;
  const marked = markedValue(body, body.value, { runId: context.runId, label });
  const whole = { ...objectOf(marked), ...Object.fromEntries(own) };
  const created = createWith(context, draft, { title: label, value });
  const names = Object.hasOwn(whole, identifier) && isCreate;
  const place = resource.record.flatten().properties.get(first[0]) ?? resource.record;
  return makeCase({
    title: `read-only fields are sent: ${own.map(([name]) => name).join(', ')}`,
    phase: 'sequence',
    operation,
    request: {
      ...(isCreate ? created.request : requestOf(draft, 'created')),
      body: {
        ...bodyOf(body, whole),
        ...(names ? { identifier: [identifier] } : {}),
      },
    },
    intent: invalidBodyIntent('read-only fields are not sent', place.pointer, { accepted: 'fine' }),
  });
}

/** A value of a field that the service does not choose by chance, and that no example shows. */
function otherValue(
  { record }: Resource,
  { flat, place }: RecordField,
  mark: string,
): JsonValue | undefined {
  const { examples = [], enum: listed, default: usual } = flat.node;
  const schema = record.part(place);
  const values: readonly JsonValue[] = [
    ...(listed ?? []).toReversed(),
    mark,
    '2001-02-03T04:05:06Z',
    '2001-02-03',
    987_654,
    true,
    ...examples.flatMap((example) => (typeof example === 'string' ? otherDigits(example) : [])),
    ...judgedValues(boundaryCandidates(schema, 'response')).map(({ value }) => value),
  ];
  return values.find(
    (value) =>
      value !== null &&
      value !== '' &&
      typeof value !== 'object' &&
      !equalJson(value, usual ?? null) &&
      !examples.some((example) => equalJson(example, value)) &&
      schema.accepts(value, 'response'),
  );
}

/** `142.56` is `253.67`. */
function otherDigits(text: string): string {
  return text.replaceAll(/\d/g, (digit) => String((Number(digit) % 9) + 1));
}

/** As many as show a service that asks first and stores later. */
const atOnce = 4;

/**
 * The same value again, in another case, by an update, and several times at once, for each field
 * that descriptions call unique.
 */
function uniqueSequences(context: PlanContext, draft: DraftWithBody): Sequence[] {
  const { body, operation, role } = draft;
  const { actions } = context.contract.inference;
  const isAction = actions.some((action) => action.operation === operation);
  const isAdding = operation.method === 'POST' && !isAction && adds(draft);
  if (!isAdding || body.schema === undefined) return [];
  const changes = role === undefined ? [] : changesOf(context, role.resource);
  const schemas = [body.schema, ...changes.map((change) => change.body.schema)];
  const kept = role === undefined ? [] : immutableFields(role.resource, schemas);
  const unique = uniqueFields(operation, body.schema, body.identifier?.join());
  return unique.flatMap((field) => {
    const label = `${field.name} is unique`;
    const create = (title: string): Case => asPlanned(context, draft, title);
    const first = create(label);
    const raced = create(`${label}, at once`);
    // What else is unique is another value, or the refusal would be about that.
    const apart = (like: Case, how: string): Case => {
      const others = unique.filter((one) => one !== field && isMade(like, one, mark));
      const fresh = bodyValue(create(`${label}, ${how}`)) ?? {};
      const rest = others.map(({ name }) => [name, fresh[name] ?? null] as const);
      const changed = { ...bodyValue(like), ...Object.fromEntries(rest) };
      return others.length === 0
        ? like
        : { ...like, request: { ...like.request, body: bodyOf(body, changed) } };
    };
    const conflict = (like: Case, how: string): Case => conflictCase(apart(like, how), field, how);
    const value = bodyValue(first);
    const held = value?.[field.name];
    const mark = `${context.runId}-`;
    // A value that the run did not make may be that of another record.
    if (value === undefined || held === undefined || !isMade(first, field, mark)) return [];
    const again = conflict(first, 'again');
    const tried = triedAgain(first, field);
    const race = Array.from({ length: atOnce }, (_one, index) =>
      conflict(raced, `sent ${String(index + 1)} of ${String(atOnce)} at once`),
    );
    const alone = [
      first,
      ...tried,
      again,
      ...otherCase(draft, { first, field, held: String(held), mark }),
    ];
    const story = new Story(context, `the unique ${field.name} of ${operation.id}`);
    return [
      makeSequence(...story.onNewParents(draft, alone)),
      ...changes
        .filter((update) => !kept.includes(field.name) && holdsInChange(update, draft, field))
        .flatMap((update) => takenByUpdate(context, draft, update, field)),
      ...belowTwoParents(context, draft, field),
      { ...makeSequence(...race), concurrent: true as const },
    ];
  });
}

/**
 * The update of a resource, or what replaces its records, and the actions on them that take a body:
 * `POST …/rename`.
 */
function changesOf(context: PlanContext, resource: Resource): DraftWithBody[] {
  const update =
    bodyDraftFor(context, resource, 'update') ?? bodyDraftFor(context, resource, 'replace');
  const actions = context.drafts
    .filter(hasBody)
    .filter(
      ({ operation, names, role }) =>
        operation.method === 'POST' &&
        role === undefined &&
        names.at(-1)?.resource.collection === resource.collection &&
        (operation.path.startsWith(`${resource.itemPath ?? ''}/`) ||
          operation.path.startsWith(`${resource.itemPath ?? ''}:`)),
    );
  return [...(update === undefined ? [] : [update]), ...actions];
}

/** Whether a value of a create is the run's own: its mark, a code or a name that it made. */
function isMade(create: Case, { name }: UniqueField, mark: string): boolean {
  const { body } = create.request;
  if (body === undefined || body.kind === 'bytes') return false;
  const held = bodyValue(create)?.[name];
  const isName = body.identifier?.join() === name;
  return isName || String(held).includes(mark) || body.codes?.includes(name) === true;
}

/** Whether an update is refused too: only where it documents 409, and does not fix the field. */
function holdsInChange(
  { operation, body }: DraftWithBody,
  create: DraftWithBody,
  { name }: UniqueField,
): boolean {
  const { schema } = body;
  return (
    schema !== undefined &&
    uniqueInChange(operation, schema, create.operation).some((field) => field.name === name)
  );
}

/** The same value below two records, within each of which it is unique. */
function belowTwoParents(
  context: PlanContext,
  draft: DraftWithBody,
  { name, within }: UniqueField,
): Sequence[] {
  const parent = draft.names.at(-1)?.resource;
  const noun = parent && singularOf(lastWord(parent.collectionPath));
  if (parent === undefined || within === undefined || singularOf(within) !== noun) return [];
  const story = new Story(context, `${name} within two ${parent.name}`);
  const [one, other] = [story.make(parent), story.make(parent)];
  const own = bodyValue(asPlanned(context, draft, `${name} within one record`));
  const fixed = { [name]: own?.[name] ?? null };
  const title = `a POST with a ${name} of its own below one record`;
  story.step(draft, { title, of: [one], fixed });
  story.step(draft, {
    title: `a POST with the same ${name} below another record`,
    of: [other],
    fixed,
    relation: { rule: 'accepted', of: [title], field: name },
  });
  return story.sequences();
}

/**
 * A plain create that is sent as planned, without what the run has learned: values are compared.
 */
function asPlanned(context: PlanContext, draft: DraftWithBody, title: string): Case {
  return createWith(context, draft, { title, value: draft.body.value });
}

function bodyValue({ request: { body } }: Case): JsonObject | undefined {
  return body !== undefined && body.kind !== 'bytes' && isJsonObject(body.value)
    ? body.value
    : undefined;
}

function conflictCase(like: Case, { name }: UniqueField, how: string): Case {
  const { operation } = like;
  const intent: Intent = {
    kind: 'condition',
    at: joinPointer(operation.pointer, 'responses', '409'),
    wanted: 'conflict',
  };
  const { title: _title, control: _control, ...rest } = like;
  const title = `${name} is that of another record, ${how}`;
  return makeCase({ ...rest, title, intent });
}

/** The same as a trial, which fails where the change itself would (AIP-163). */
function triedAgain(first: Case, field: UniqueField): Case[] {
  const { operation, request } = first;
  const parameter = operation.parameters.find(isTrialParameter);
  if (parameter === undefined) return [];
  const tried = [...request.arguments, ...valued(parameter, true)];
  const like = { ...first, request: { ...request, arguments: tried } };
  return [conflictCase(like, field, 'only to be validated')];
}

interface Held {
  readonly first: Case;
  readonly field: UniqueField;
  readonly held: string;
  readonly mark: string;
}

/** The value in another case, but for the mark of the run. */
function otherCase({ body }: DraftWithBody, { first, field, held, mark }: Held): Case[] {
  const start = held.indexOf(mark);
  const end = start + mark.length + 6;
  const toggled =
    start === -1
      ? swapCase(held)
      : swapCase(held.slice(0, start)) + held.slice(start, end) + swapCase(held.slice(end));
  const value = bodyValue(first);
  const changed = { ...value, [field.name]: toggled };
  if (!field.ignoresCase || toggled === held || body.schema?.accepts(changed, 'request') !== true)
    return [];
  const sent = { ...first, request: { ...first.request, body: bodyOf(body, changed) } };
  return [conflictCase(sent, field, 'in another case')];
}

function swapCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

/** A record that gets the value of another one. The first record of the sequence is changed. */
function takenByUpdate(
  context: PlanContext,
  draft: DraftWithBody,
  update: DraftWithBody,
  field: UniqueField,
): Sequence[] {
  const create = (title: string): Case => asPlanned(context, draft, title);
  const holder = create(`a record is created whose ${field.name} another one gets`);
  const taken = { [field.name]: bodyValue(holder)?.[field.name] ?? null };
  const { schema, value } = update.body;
  const whole = isJsonObject(value) ? { ...value, ...taken } : taken;
  const change = [taken, whole].find((one) => schema?.accepts(one, 'request') === true);
  if (change === undefined) return [];
  const changed = draftCase(update, { title: '', body: codedLike(holder, update, change) });
  return [
    makeSequence(
      create(`a record is created to get the ${field.name} of another one`),
      holder,
      conflictCase(changed, field, 'by an update'),
    ),
  ];
}

/** The body of a change, whose codes change as those of another body when it is repeated. */
function codedLike(
  { request: { body: holder } }: Case,
  { body }: DraftWithBody,
  change: JsonObject,
): BodyTemplate {
  const { namedBy: _path, ...free } = body;
  // What is tested is not the name in the path.
  const isNamed = Object.hasOwn(change, body.identifier?.[0] ?? '');
  const written = bodyOf(isNamed ? free : body, change);
  const coded = holder === undefined || holder.kind === 'bytes' ? [] : (holder.codes ?? []);
  const codes = coded.filter((name) => Object.hasOwn(change, name));
  return written.kind === 'bytes' || codes.length === 0 ? written : { ...written, codes };
}
