import type { Relationship } from '../../../contract/protocols/linkage.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { documentsRefusal, type Operation, type Resource } from '../../../contract/model.ts';
import { factIn, statusTexts } from '../../../contract/words/facts.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { defined, type JsonValue } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { BodyTemplate, Fill, Source } from '../../model/request-template.ts';
import { bodyOf, type Draft } from '../../plan/draft.ts';
import { draftOf, exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import {
  creatorDraft,
  isMakeable,
  type Made,
  nameOf,
  readerOf,
  relationTo,
  Story,
} from '../../plan/story.ts';

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
export function planLinkage(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const { of = [] } = protocolsOf(context.contract, resource).relationships ?? {};
    return of.flatMap((relationship) => tell(context, resource, relationship));
  });
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
  return [0, 1].map((at) => ({
    kind: 'link',
    operation: list.operation.id,
    expression:
      `$response.body#${named.list?.records ?? ''}/${String(at)}/` + named.identifier.field,
    step: offer,
  }));
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
    intent: relationTo(draft, {
      rule: 'link-refused',
      of: [made.title],
      field: relationship.name,
      ...defined({ doubtful: isSaid ? undefined : (true as const) }),
    }),
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
    intent: relationTo(draft, {
      rule: 'related',
      of: [made.title],
      field: relationship.name,
    }),
  });
}

function linkedTo(draft: Draft, { relationship, made }: Telling): ReturnType<typeof relationTo> {
  return relationTo(draft, { rule: 'linked', of: [made.title], field: relationship.name });
}
