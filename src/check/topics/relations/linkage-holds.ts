import { jsonOf } from '../../reading/read-answer.ts';
import { hasSuccess, requestPhrase, type Step } from '../../model/step.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import type { JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, defined, memberOf } from '../../../json/value.ts';
import type { Relationship } from '../../../contract/protocols/linkage.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { identifierAt, shownRecord } from '../../reading/shown-records.ts';
import { isSuccess } from '../../../http/message.ts';
import {
  notRefused,
  type Related,
  type RelationFault,
  type RelationFaults,
} from '../../reading/related.ts';
import { check } from '../check.ts';
import { documentsRefusal, type Operation, type Resource } from '../../../contract/model.ts';
import { factIn, statusTexts } from '../../../contract/words/facts.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { Sequence } from '../../model/case.ts';
import type { BodyTemplate, Fill, Source } from '../../model/request-template.ts';
import { bodyOf, type Draft } from '../../plan/draft.ts';
import { draftOf, exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import { foundIn, type Made } from '../../plan/made.ts';
import { creatorDraft, isMakeable, nameOf, readerOf, relationTo, Story } from '../../plan/story.ts';

/** A relationship names what its own operations have told it. */
export const linkageHolds = check({
  id: 'linkage-holds',
  basis: 'contract',
  harm: 'results',
  rule:
    'PATCH replaces what a relationship names, POST adds what is not there yet, DELETE removes ' +
    'what it names and nothing else, null clears it, and a refused change does nothing (JSON:API ' +
    '1.1, section 9.3; OData 4.01, protocol, section 11.4.6).',
  reason: 'A client that adds one tag to an article loses the others, or gets one twice.',
  example: [
    '> POST /articles/1/relationships/tags',
    '> {"data": [{"type": "tags", "id": "2"}]}',
    '< 204 No Content',
    '> GET /articles/1/relationships/tags',
    '< {"data": []}',
  ],
  plan: [{ at: 'stories', resource: planLinkage }],
  covers: ['status-documented'],
  leavesOpen: ({ case: { intent } }) =>
    intent.kind === 'relation' && intent.rule === 'link-refused',
  relations: { linked: otherLinkage, related: otherRelated, 'link-refused': notRefused },
});

/** A relationship that names other records than the changes before have told it. */
function otherLinkage(related: Related): RelationFaults {
  const { subject, intent } = related;
  const { field = '' } = intent;
  const told = toldLinkage(related);
  const shown = isSuccess(related.status) ? linkageShown(subject, told?.relationship) : undefined;
  if (told === undefined || shown === undefined) return undefined;
  const [expected, got] = [keysOfLinkage(told.linkage), keysOfLinkage(shown)];
  const twice = got.find((key, at) => got.indexOf(key) !== at);
  const isSame = twice === undefined && new Set([...expected, ...got]).size === expected.length;
  if (isSame && expected.length === got.length) return [];
  const name = (keys: readonly string[]): string =>
    keys.length === 0 ? 'nothing' : keys.join(', ');
  const { case: changing, exchange } = told.last;
  const status = String(exchange.response?.status);
  return {
    message:
      `After ${requestPhrase(changing)} (${status}), ` +
      (twice === undefined
        ? `${field} names ${name(got)} instead of ${name(expected)}.`
        : `${field} names ${twice} twice.`),
    expected: `${field} names ${name(expected)}`,
    actual: `${field} names ${name(got)}`,
    operation: changing.operation,
    at: changing.operation.pointer,
    cause: twice === undefined ? `linked ${changing.operation.id}` : 'linked twice',
  };
}

/** The related record is another one than the relationship names, or is missing. */
function otherRelated(related: Related): RelationFault[] | undefined {
  const { subject, intent, status } = related;
  const { field = '' } = intent;
  const told = toldLinkage(related);
  if (told === undefined || [401, 403].includes(status)) return undefined;
  const [wanted] = keysOfLinkage(told.linkage);
  const expected = wanted ?? 'no record';
  const fault = (actual: string): RelationFault[] => [
    {
      message: `${field} names ${expected}, and ${requestPhrase(subject.case)} shows ${actual}.`,
      expected,
      actual,
    },
  ];
  if (!isSuccess(status)) {
    const isOpen = wanted === undefined && told.relationship.form.kind === 'address';
    const isEmptyDocumented = subject.operation.responses.some((one) => one.status === '204');
    return isOpen && !isEmptyDocumented ? undefined : fault(String(status));
  }
  const shown: Linkage | undefined = linkageShown(subject, told.relationship, 'related');
  if (shown === undefined) return undefined;
  const [got] = keysOfLinkage(shown);
  return got === wanted ? [] : fault(got ?? 'no record');
}

/** What a relationship names: identifiers, in the order in which they are shown. */
type Linkage = readonly JsonValue[];

/** What the changes of a sequence have told a relationship. */
interface ToldLinkage {
  readonly relationship: Relationship;
  readonly linkage: Linkage;
  /** The last of them. */
  readonly last: Step;
}

/** Each identifier as a text. */
function keysOfLinkage(linkage: Linkage): string[] {
  return linkage.map(String);
}

/**
 * What the earlier steps have told the relationship of an intent; undefined before the first that
 * replaces it, and where one was only accepted to be done later.
 */
function toldLinkage({ subject, intent }: Related): ToldLinkage | undefined {
  let told: ToldLinkage | undefined;
  for (const step of subject.earlier) {
    const read = told && readBy(step, { intent, told });
    told = read ?? told;
    const relationship = relationshipOf(subject, step, intent.field);
    const status = step.exchange.response?.status ?? 0;
    if (relationship === undefined) continue;
    if (status === 202 || status === 0 || status >= 500) return undefined;
    if (!isSuccess(status)) {
      if (told !== undefined) told = { ...told, last: step };
      continue;
    }
    const sent = sentLinkage(step, relationship);
    const linkage = sent && changedBy(step, relationship, { before: told?.linkage, sent });
    told = linkage === undefined ? told : { relationship, linkage, last: step };
  }
  return told;
}

/** What an earlier read showed: one defect is told once, by the read that shows it first. */
function readBy(
  step: Step,
  { intent, told }: Pick<Related, 'intent'> & { readonly told: ToldLinkage },
): ToldLinkage | undefined {
  const asked = step.case.intent;
  const isRead = asked.kind === 'relation' && asked.rule === 'linked';
  if (!isRead || asked.field !== intent.field) return undefined;
  const linkage = hasSuccess(step)
    ? linkageShown({ answer: step.answer, operation: step.case.operation }, told.relationship)
    : undefined;
  return linkage && { ...told, linkage };
}

/** The relationship that a step changes. */
function relationshipOf(
  { contract }: CheckInput,
  { case: { operation } }: Step,
  name: string | undefined,
): Relationship | undefined {
  return contract.resources
    .flatMap((resource) => protocolsOf(contract, resource).relationships?.of ?? [])
    .find(
      ({ set, add, remove, ...one }) => one.name === name && [set, add, remove].includes(operation),
    );
}

function changedBy(
  { case: { operation } }: Step,
  { set, add, many }: Relationship,
  { before, sent }: { readonly before: Linkage | undefined; readonly sent: Linkage },
): Linkage | undefined {
  if (operation === set) return distinct(sent);
  if (before === undefined) return undefined;
  if (operation === add) return distinct([...before, ...sent]);
  const gone = keysOfLinkage(sent);
  return many ? before.filter((one) => !gone.includes(String(one))) : [];
}

function distinct(linkage: Linkage): Linkage {
  const keys = keysOfLinkage(linkage);
  return linkage.filter((_one, at) => keys.indexOf(keys[at] ?? '') === at);
}

/** What the body of a change names; undefined for one in another form. */
function sentLinkage({ sent: { body } }: Step, { form, named }: Relationship): Linkage | undefined {
  if (body === undefined) return [];
  if (form.kind === 'linkage') return linkageIn(dataOf(body));
  const address = memberOf(body, form.member);
  const identifier = typeof address === 'string' ? identifierAt(named, address) : undefined;
  return identifier === undefined ? undefined : [identifier];
}

/** The linkage in a body: in `data`, or alone where `data` is its envelope. */
function dataOf(body: JsonValue): JsonValue {
  return isJsonObject(body) && Object.hasOwn(body, 'data') ? (body['data'] ?? null) : body;
}

/** The identifiers of resource identifier objects (JSON:API 1.1, section 7.3). */
function linkageIn(data: JsonValue): Linkage | undefined {
  const items = data === null ? [] : isJsonArray(data) ? data : [data];
  const found = items.map((item) => memberOf(item, 'id'));
  return found.every((one) => one !== undefined) ? found : undefined;
}

/** What an answer shows of a relationship: of its own read, of the record, or what it names. */
function linkageShown(
  subject: Pick<CheckInput, 'answer' | 'operation'>,
  relationship: Relationship | undefined,
  what?: 'related',
): Linkage | undefined {
  if (relationship === undefined) return undefined;
  const { named, form, read, resource, name } = relationship;
  const body = jsonOf(subject.answer);
  if (what === 'related' && form.kind === 'address') {
    if (body === undefined) return [];
    const identifier = memberOf(body, named.identifier.field);
    return identifier === undefined ? undefined : [identifier];
  }
  if (body === undefined) return undefined;
  if (what === 'related' || subject.operation === read) return linkageIn(dataOf(body));
  const record = shownRecord(resource, subject.answer);
  const keys = resource.foreignKeys.filter((key) => key.resource.collection === named.collection);
  const [key] = form.kind === 'linkage' ? keys.filter(({ field }) => field === name) : keys;
  const value = record && key && record[key.field];
  if (value === undefined || (form.kind === 'address' && keys.length > 1)) return undefined;
  return value === null ? [] : isJsonArray(value) ? value : [value];
}

/** The steps of a story about one relationship of a record that it made. */
interface Telling {
  readonly context: PlanContext;
  readonly story: Story;
  readonly relationship: Relationship;
  readonly made: Made;
  /** The sources of the identifiers that the relationship may name. */
  readonly names: readonly Source[];
}

/** The title of the list whose records a relationship gets. */
const offer = 'a list of the records that it may name';

/**
 * What operations on a relationship do: after each change, the relationship, the record and the
 * record that it names are read.
 */
function planLinkage(context: PlanContext, resource: Resource): Sequence[] {
  const { of = [] } = protocolsOf(context.contract, resource).relationships ?? {};
  return of.flatMap((relationship) => tell(context, resource, relationship));
}

function tell(context: PlanContext, resource: Resource, relationship: Relationship): Sequence[] {
  if (!isMakeable(context, resource)) return [];
  const { name, many } = relationship;
  const story = new Story(context, `the relationship ${name} of ${resource.name}`);
  const names = offered(story, relationship);
  if (names.length === 0) return [];
  const telling: Telling = { context, story, relationship, names, made: story.make(resource) };
  if (many) changeMany(telling);
  else changeOne(telling);
  return story.sequences();
}

/** Two records that the relationship can name: listed ones, or ones of the run. */
function offered(story: Story, { named, form }: Relationship): Source[] {
  const { context } = story;
  const list = draftOf(context, named.operations.list);
  if (form.kind === 'address') {
    if (!isMakeable(context, named)) return [];
    return ['the first', 'the second'].map(() => nameOf(story.make(named)));
  }
  if (list === undefined) return [];
  story.step(list, { title: offer });
  const place = `$response.body#${named.list?.records ?? ''}`;
  return [0, 1].map((at) =>
    foundIn({ ...list, title: offer }, `${place}/${String(at)}/${named.identifier.field}`),
  );
}

/** An identifier that no record has, in the form of those that were seen. */
function unknownName({ named }: Relationship): Source {
  const value = named.identifier.type === 'integer' ? 1_987_654_321 : 'missing-918273';
  return { kind: 'value', value, like: named.name };
}

function changeMany(telling: Telling): void {
  const [one, other] = telling.names;
  const { set, add, remove } = telling.relationship;
  if (one === undefined || other === undefined || set === undefined) return;
  const unknown = unknownName(telling.relationship);
  change(telling, set, 'replaced by one', [one]);
  if (add !== undefined) {
    change(telling, add, 'given another one', [other]);
    look(telling, 'another one was added');
    change(telling, add, 'given the same one again', [other]);
    look(telling, 'the same one was added again');
  }
  change(telling, set, 'replaced by the first one alone', [one]);
  look(telling, 'it was replaced');
  if (remove !== undefined) {
    change(telling, set, 'replaced by two', [one, other]);
    change(telling, remove, 'taken one of two', [other]);
    look(telling, 'one of two was removed');
  }
  refuse(telling, add ?? set, [other, unknown]);
  look(telling, 'one that does not exist was to be named');
  lookAtRecord(telling, 'all that');
}

function changeOne(telling: Telling): void {
  const { relationship, names, story } = telling;
  const { set, remove, form } = relationship;
  if (set === undefined) return;
  for (const [at, name] of names.entries()) {
    change(telling, set, `set to the ${at === 0 ? 'first' : 'second'} one`, [name]);
    look(telling, `it named the ${at === 0 ? 'first' : 'second'} one`);
    lookAtRelated(telling, `it named the ${at === 0 ? 'first' : 'second'} one`);
  }
  refuse(telling, set, [unknownName(relationship)]);
  look(telling, 'one that does not exist was to be named');
  lookAtRecord(telling, 'it named the second one');
  const clear = form.kind === 'linkage' ? set : remove;
  const draft = draftOf(story.context, clear);
  const takesNull =
    form.kind === 'address' || draft?.body?.schema?.accepts(bodyWith(draft, null), 'request');
  if (clear === undefined || takesNull !== true) return;
  change(telling, clear, 'cleared', []);
  look(telling, 'it was cleared');
  lookAtRelated(telling, 'it was cleared');
}

/** A body with this linkage: the member `data` may be an envelope. */
function bodyWith({ body }: Pick<Draft, 'body'>, data: JsonValue): JsonValue {
  return body?.media.envelope === undefined ? { data } : data;
}

/** The body of a change that names records, and what an answer fills in. */
function bodyFor(
  draft: Draft,
  { form, many }: Relationship,
  names: readonly Source[],
): BodyTemplate | undefined {
  if (draft.body === undefined) return undefined;
  if (form.kind === 'address') {
    const fills = names.map((source): Fill => ({
      at: joinPointer('', form.member),
      source: source.kind === 'link' ? source : addressed(source, form.text),
    }));
    return filled(bodyOf(draft.body, { [form.member]: form.text }), fills);
  }
  const identifier = { type: form.type, id: '1' };
  const data: JsonValue = many ? names.map(() => identifier) : names.length > 0 ? identifier : null;
  const base: Pointer = draft.body.media.envelope === undefined ? '/data' : '';
  const fills = names.map((source, at): Fill => ({
    at: joinPointer(base, ...(many ? [String(at)] : []), 'id'),
    source,
  }));
  return filled(bodyOf(draft.body, bodyWith(draft, data)), fills);
}

function addressed(source: Source, address: string): Source {
  return source.kind === 'made' || source.kind === 'value' ? { ...source, address } : source;
}

function filled(body: BodyTemplate, fills: readonly Fill[]): BodyTemplate {
  return body.kind === 'bytes' || fills.length === 0 ? body : { ...body, fills };
}

const changed = (how: string): string => `the relationship is ${how}`;

function change(
  { story, relationship, made }: Telling,
  operation: Operation,
  how: string,
  names: readonly Source[],
): void {
  const draft = draftOf(story.context, operation);
  if (draft === undefined) return;
  story.step(draft, {
    title: changed(how),
    of: [made],
    body: bodyFor(draft, relationship, names),
    intent: exoticAt(operation.pointer),
  });
}

/** A change that names a record which does not exist. */
function refuse(
  { story, relationship, made }: Telling,
  operation: Operation,
  names: readonly Source[],
): void {
  const draft = draftOf(story.context, operation);
  const statuses = ['400', '404', '409', '422'];
  if (draft === undefined || !documentsRefusal(operation, statuses)) return;
  const texts = statuses.flatMap((status) => statusTexts(operation, status));
  const isSaid = factIn(texts, 'names-unknown-record') !== undefined;
  story.step(draft, {
    title: changed('to name one that does not exist'),
    of: [made],
    body: bodyFor(draft, relationship, names),
    relation: {
      rule: 'link-refused',
      of: [made.title],
      field: relationship.name,
      ...defined({ doubtful: isSaid ? undefined : (true as const) }),
    },
  });
}

/** A read of the relationship, or of the record where it has none of its own. */
function look(telling: Telling, when: string): void {
  const { story, relationship, made } = telling;
  const draft = draftOf(story.context, relationship.read);
  if (draft === undefined) {
    lookAtRecord(telling, when);
    return;
  }
  story.step(draft, {
    title: `a read of the relationship after ${when}`,
    of: [made],
    intent: linkedTo(draft, telling),
  });
}

function lookAtRecord(telling: Telling, when: string): void {
  const { story, relationship, made } = telling;
  const read = readerOf(story.context, relationship.resource);
  if (read === undefined || creatorDraft(story.context, made.resource) === undefined) return;
  story.read(made, `a read of the record after ${when}`, { intent: linkedTo(read, telling) });
}

function lookAtRelated(telling: Telling, when: string): void {
  const { story, relationship, made } = telling;
  const draft = draftOf(story.context, relationship.related);
  if (draft === undefined) return;
  story.step(draft, {
    title: `a read of what the relationship names after ${when}`,
    of: [made],
    relation: { rule: 'related', of: [made.title], field: relationship.name },
  });
}

function linkedTo(draft: Draft, { relationship, made }: Telling): ReturnType<typeof relationTo> {
  return relationTo(draft, { rule: 'linked', of: [made.title], field: relationship.name });
}
