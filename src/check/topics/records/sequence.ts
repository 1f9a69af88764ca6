import type { Resource } from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../../json/value.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { boundaryCandidates } from '../../../values/boundary-values.ts';
import { judgedValues } from '../../../values/candidate-value.ts';
import { exoticPlaces } from '../../../values/exotic-values.ts';
import type { LabelledValue } from '../../../values/labelled-value.ts';
import { reachedInBody } from '../../plan/input-classes.ts';
import type { Case, Intent, Sequence } from '../../model/case.ts';
import { invalidBodyIntent, makeCase, makeSequence } from '../../model/case.ts';
import { bodyOf, type Draft, type DraftBody, requestOf } from '../../plan/draft.ts';
import { shownBodies } from '../../plan/draft-body.ts';
import { overlayOnExample } from '../../plan/body-values.ts';
import { isKeyLike } from '../../reading/identifiers.ts';
import { refusedChange } from '../../plan/refused-change.ts';
import {
  creationOf,
  createStep,
  type DraftWithBody,
  hasBody,
  intentOf,
  isFragile,
  isFragileEdge,
  makeCreate,
} from '../../plan/make-create.ts';
import { draftCase, draftFor, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { eachMade, Story } from '../../plan/story.ts';
import { planActions } from '../../plan/actions.ts';
import { planLinks } from '../../plan/links.ts';
import { planSingletons } from '../../plan/singletons.ts';
import {
  changedMembers,
  changedValue,
  changeStep,
  createdMembers,
  lookInList,
  membersAfter,
  otherwiseChanged,
  partialValues,
  showingOf,
} from '../../plan/change-step.ts';

/** Tests that need several requests: lists have the right records, and writes can be read back. */
export function planSequences(context: PlanContext): Sequence[] {
  const records = context.contract.resources.flatMap((resource) => [
    ...createAndRead(context, resource),
    ...lifeOfRecord(context, resource),
  ]);
  return [...records, ...planActions(context), ...planLinks(context), ...planSingletons(context)];
}

/**
 * Create, read by the new identifier, and look for the record in the list: the plain record, then
 * each fragile value.
 */
function createAndRead(context: PlanContext, resource: Resource): Sequence[] {
  const create = creationOf(context, resource);
  if (create === undefined) return [];
  const { value } = create.body;
  const plain = makeSequence(
    createStep(context, create, 'a record is created'),
    ...lookups(context, resource, value),
    ...readAtLocation(context, resource, create),
  );
  const fragile = fragileValues(context, create).map((edge) =>
    makeSequence(
      makeCreate(context, create, {
        title: edge.label,
        value: edge.value,
        at: edge.at,
        intent: intentOf(edge),
        reaches: reachedInBody(edge),
        phase: 'sequence',
      }),
      ...lookups(context, resource, edge.value),
    ),
  );
  return [plain, ...fragile];
}

function fragileValues({ budget }: PlanContext, { body }: DraftWithBody): LabelledValue[] {
  if (body.schema === undefined) return [];
  const known = judgedValues(boundaryCandidates(body.schema, 'request'), isFragileEdge);
  const edges = [...known.take(budget.fragile)];
  for (const { values, at } of exoticPlaces(body.schema, 'request')) {
    // An odd text may be the key of an existing record.
    if (isKeyLike(splitPointer(at)[0] ?? '')) continue;
    if (edges.length >= budget.fragile) break;
    edges.push(
      ...Iterator.from(values())
        .filter(isFragile)
        .take(budget.fragile - edges.length),
    );
  }
  return edges.map((edge) => overlayOnExample(edge, body));
}

function lookups(context: PlanContext, resource: Resource, body: JsonValue): Case[] {
  const read = draftFor(context, resource, 'read');
  const list = draftOf(context, resource.operations.list);
  return [
    ...(read === undefined ? [] : [draftCase(read, { title: 'the created record is read' })]),
    ...(list === undefined ? [] : [lookInList(list, resource, body)]),
  ];
}

/**
 * The `Location` of the create, if records can be read. Sent only if the contract's path differs.
 */
function readAtLocation(
  context: PlanContext,
  resource: Resource,
  { operation: { id } }: Draft,
): Case[] {
  const read = draftOf(context, resource.operations.read);
  if (read === undefined) return [];
  const { operation } = read;
  return [
    draftCase(read, {
      title: 'the address is the Location of the created record',
      request: { ...requestOf(read, 'created'), locatedBy: id },
      intent: { kind: 'condition', at: operation.pointer, wanted: 'located' },
      optional: true,
    }),
  ];
}

/** How one record is read and deleted, and every body that its sequence sends. */
interface RecordLife {
  readonly read: Draft | undefined;
  /** What shows the record: its read, otherwise its list. */
  readonly shows: (title: string) => Case[];
  readonly remove: Draft | undefined;
  readonly sent: readonly JsonValue[];
}

/**
 * Create, replace, read, update, read, delete, read, and after each change one that must be
 * refused: as far as the contract has the operations. Only the run's own record is changed.
 */
function lifeOfRecord(context: PlanContext, resource: Resource): Sequence[] {
  const create = creationOf(context, resource);
  const [replace, update, remove, read] = (['replace', 'update', 'delete', 'read'] as const).map(
    (action) => draftFor(context, resource, action),
  );
  const isChanged = replace !== undefined || update !== undefined || remove !== undefined;
  if (create === undefined || !isChanged) return [];
  const made = createdMembers(create);
  const before = membersAfter(context, made, replace?.body);
  const sent = [create, replace, update].flatMap((draft) =>
    draft?.body === undefined
      ? []
      : [
          draft.body.value,
          changedValue(context, draft.body, made),
          otherwiseChanged(context, resource, draft.body) ?? [],
        ].flat(),
  );
  const show = showingOf(context, resource);
  const shows = (title: string): Case[] => (show === undefined ? [] : [show(title)]);
  const life: RecordLife = { read, shows, remove, sent };
  return [
    makeSequence(
      createStep(context, create, 'a record is created to be changed'),
      ...shows('the created record is read'),
      ...changeSteps(context, life, { change: replace, done: 'replaced', before: made }),
      ...changeSteps(context, life, { change: update, done: 'updated', before }),
      ...partialSteps(context, update, read),
      ...deleteSteps(life),
    ),
    ...thereAndBack(context, resource, { create, update, shows }),
    ...refusedWhole(context, resource, { create, update, shows }),
  ];
}

/** Changes that a service refuses as a whole, if at all, each of a record of its own. */
function refusedWhole(
  context: PlanContext,
  resource: Resource,
  { create, update, shows }: Changing,
): Sequence[] {
  if (update === undefined || !hasBody(update)) return [];
  const { body } = update;
  const before = createdMembers(create);
  const changed = [...changedMembers(context, resource, { body, before })];
  const others = changed.filter(([name, value]) => !equalJson(value, before[name] ?? null));
  const odd = others.length === 0 ? [] : oddMembers(body, Object.fromEntries(others));
  return [...brokenEntries(body), ...odd.slice(0, 1)].map(({ title, sent, accepted }) =>
    makeSequence(
      createStep(context, create, `a record is created before ${title}`),
      ...shows('the record is read before that'),
      draftCase(update, {
        title,
        body: bodyOf(body, sent),
        intent: invalidBodyIntent(title, body.media.pointer, { accepted }),
      }),
      ...shows('the record is read after that'),
    ),
  );
}

interface OddChange {
  readonly title: string;
  readonly sent: JsonValue;
  readonly accepted: 'error' | 'fine';
}

/**
 * Lists of steps, as the contract shows them, with one step more that is not valid: a service that
 * takes one step after the other has done the first.
 */
function brokenEntries({ schema, media, value: own }: DraftBody): OddChange[] {
  const shown = shownBodies(media).map(({ value }) => value);
  return [own, ...shown.filter((value) => value !== own)].flatMap((plain) =>
    Object.entries(isJsonObject(plain) ? plain : { 'the body': plain }).flatMap(([name, list]) => {
      if (!isJsonArray(list)) return [];
      const last = objectOf(list.at(-1));
      const withLast = (entry: JsonObject): JsonValue =>
        isJsonObject(plain) ? { ...plain, [name]: [...list, entry] } : [...list, entry];
      const takes = (entry: JsonObject): boolean =>
        schema?.accepts(withLast(entry), 'request') !== false;
      const [kind, entry] =
        Object.entries(last)
          .filter(([, text]) => typeof text === 'string' && takes(last))
          .map(([one, text]) => [one, { ...last, [one]: `${String(text)}VOUCH` }] as const)
          .find(([, broken]) => !takes(broken)) ?? [];
      const title = `the ${kind ?? ''} of the last entry of ${name} is not valid`;
      return entry === undefined ? [] : [{ title, sent: withLast(entry), accepted: 'error' }];
    }),
  );
}

/**
 * Other values, with a member in a map beside them that no other request names: the schema allows
 * it, and a service that knows what belongs into the map refuses all of the change.
 */
function oddMembers({ schema }: DraftBody, others: JsonObject): OddChange[] {
  return [...(schema?.flatten().properties ?? [])].flatMap(([name, place]) => {
    const { types, others: open, properties } = schema?.flatten(place) ?? {};
    if (types?.includes('object') !== true || open === undefined || properties?.size) return [];
    const title = `${name} has a member that no other request names`;
    return ['a', 1]
      .map((odd): OddChange => ({
        title,
        sent: { ...others, [name]: { VOUCH: odd } },
        accepted: 'fine',
      }))
      .filter(({ sent }) => schema?.accepts(sent, 'request'));
  });
}

interface Changing extends Pick<RecordLife, 'shows'> {
  readonly create: DraftWithBody;
  readonly update: Draft | undefined;
}

/**
 * A record that gets another state, and then its own one again, each with other texts beside it: a
 * state does not go every way, and what refuses it keeps the texts too. Where conflicts are
 * documented, the same of a record to which another one belongs, which may be in the way.
 */
function thereAndBack(
  context: PlanContext,
  resource: Resource,
  { create, update, shows }: Changing,
): Sequence[] {
  const { body, operation } = update ?? {};
  if (update === undefined || body?.schema === undefined || operation === undefined) return [];
  const { schema } = body;
  const below = documents(operation, '409') ? belonging(context, resource) : undefined;
  const [state] = [...schema.flatten().properties].flatMap(([name, place]) => {
    const { node, types } = schema.flatten(place);
    const isFlag = types.join() === 'boolean' && below !== undefined;
    const values = isFlag ? [true, false] : (node.enum ?? []);
    return isFlag || (values.length > 2 && !types.includes('array')) ? [{ name, values }] : [];
  });
  const plain = { ...createdMembers(create), ...objectOf(body.value) };
  const first = state && (plain[state.name] ?? state.values[0]);
  const other = state?.values.find((value) => !equalJson(value, first ?? null));
  if (state === undefined || first === undefined || other === undefined) return [];
  const steps = [other, first].flatMap((value, at) => {
    const title = `${state.name} becomes ${at === 0 ? 'another one' : 'what it was'}`;
    const marking = { runId: context.runId, label: `${operation.id} ${title}` };
    const whole = { ...objectOf(body.value), [state.name]: value };
    const intent = { kind: 'valid', rigour: 'invented', at: operation.pointer } as const;
    return [
      draftCase(update, { title, body: markedBody(body, whole, marking), intent }),
      ...shows(`the record is read after ${title}`),
    ];
  });
  const title = `a record is created for another ${state.name}`;
  const cases = [...shows('the record is read before that'), ...steps];
  const story = new Story(context, `another ${state.name} by ${operation.id}`);
  const made = story.make(resource);
  if (below !== undefined) story.make(below, { of: [made] });
  for (const one of cases) story.add(one, one.intent);
  return [
    makeSequence(createStep(context, create, title), ...cases),
    ...(below === undefined ? [] : story.sequences()),
  ];
}

/** The first resource whose records belong to one of a resource, in their path or by a key. */
function belonging(context: PlanContext, { collection }: Resource): Resource | undefined {
  return eachMade(context).find(
    (one) =>
      one.collection !== collection &&
      [...one.parents, ...one.foreignKeys].some((key) => key.resource?.collection === collection),
  );
}

/** A change of a record, of which `before` has what is known. */
interface RecordChange {
  readonly change: Draft | undefined;
  readonly done: 'replaced' | 'updated';
  readonly before: JsonObject;
}

/**
 * A change, for a replacement one with all other values too, a read, a change that must be refused,
 * and another read.
 */
function changeSteps(
  context: PlanContext,
  { read, shows, sent }: RecordLife,
  { change, done, before }: RecordChange,
): Case[] {
  if (change === undefined) return [];
  const refused = read && refusedChange(context, change, sent);
  return [
    changeStep(context, change, { title: `the created record is ${done}`, before }),
    ...(done === 'replaced' ? wholeChange(context, change) : []),
    ...shows(`the ${done} record is read`),
    ...(refused === undefined
      ? []
      : [refused, ...shows('the record is read after a change that was to be refused')]),
  ];
}

/** A replacement with another value of every member: a service may lose one and keep the others. */
function wholeChange(context: PlanContext, replace: Draft): Case[] {
  const { body, role, operation } = replace;
  const value = body && role && otherwiseChanged(context, role.resource, body);
  if (body === undefined || value === undefined) return [];
  const title = 'the created record is replaced with other values';
  return [
    draftCase(replace, {
      title,
      body: markedBody(body, value, { runId: context.runId, label: `${operation.id} ${title}` }),
      // How the values of several members fit together, no schema says.
      intent: { kind: 'valid', rigour: 'invented', at: operation.pointer },
    }),
  ];
}

/** Updates of one member each, and a read after each: the other members stay as they are. */
function partialSteps(
  context: PlanContext,
  update: Draft | undefined,
  read: Draft | undefined,
): Case[] {
  if (update?.body === undefined || read === undefined) return [];
  return partialValues(context, update.body).flatMap(({ value, at }) => {
    const name = splitPointer(at)[0] ?? '';
    return [
      draftCase(update, {
        title: `only ${name} of the created record is updated`,
        body: update.body && bodyOf(update.body, value),
      }),
      draftCase(read, { title: `the record is read after an update of ${name} alone` }),
    ];
  });
}

function deleteSteps({ read, remove }: RecordLife): Case[] {
  if (remove === undefined) return [];
  const removal = draftCase(remove, { title: 'the created record is deleted' });
  if (read?.identifier === undefined) return [removal];
  const gone: Intent = { kind: 'missing', at: read.identifier.pointer, rigour: 'plain' };
  return [
    removal,
    draftCase(read, { title: 'the record was deleted', intent: gone }),
    ...deletedAgain(remove, read),
  ];
}

/**
 * A second deletion, if the contract documents the response to it. It is sent only if the read
 * before did not find the record: a service may have given its identifier to another one.
 */
function deletedAgain(remove: Draft, { role }: Draft): Case[] {
  const { identifier, operation } = remove;
  const isDocumented = operation.responses.some(
    ({ status }) => status === '404' || status === '410',
  );
  if (identifier === undefined || role === undefined || !isDocumented) return [];
  const request = requestOf(remove, 'created', {
    extra: [{ parameter: identifier, source: { kind: 'absent', resource: role.resource.name } }],
  });
  return [
    makeCase({
      title: 'the record was deleted before',
      phase: 'sequence',
      operation,
      request,
      intent: { kind: 'missing', at: identifier.pointer, rigour: 'exotic' },
      optional: true,
    }),
  ];
}
