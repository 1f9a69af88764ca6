import { successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import { inferList } from '../../contract/infer/infer-list.ts';
import { plainName, singularOf } from '../../contract/infer/infer-names.ts';
import type { Operation, Resource } from '../../contract/model.ts';
import { allowedStates } from '../../contract/words/read-states.ts';
import { ownReferencesOf } from '../../contract/infer/own-kind.ts';
import { type JsonObject, isJsonObject, objectOf } from '../../json/value.ts';
import type { Argument } from '../model/request-template.ts';
import { documentsStatus } from '../reading/refusal.ts';
import type { Draft } from './draft.ts';
import { newestFirst, valued, widestPage } from './listing.ts';
import { draftOf, type PlanContext } from './plan-context.ts';
import { creatorDraft, isMakeable, keysOf, type Made, readerOf, type Story } from './story.ts';

/** A list of what belongs to one record, below the path of that record. */
export interface PartList {
  readonly draft: Draft;
  /** What it lists, in the singular: `reply` of `/messages/{id}/replies`. */
  readonly noun: string;
}

/** The lists below the records of a resource. */
export function partListsOf({ contract, drafts }: PlanContext, resource: Resource): PartList[] {
  return drafts.flatMap((draft) => {
    const { operation, names } = draft;
    const last = names.at(-1);
    const [, word] = /\{[^{}]+\}\/([^/{}]+)$/.exec(contract.inference.pathOf(operation)) ?? [];
    const isBelow =
      operation.method === 'GET' &&
      last?.resource.collection === resource.collection &&
      last.parent === undefined;
    return word !== undefined && isBelow && showsList(operation)
      ? [{ draft, noun: singularOf(word) }]
      : [];
  });
}

/** Whether the answer of an operation is a list of records, or has one list of values. */
function showsList(operation: Operation): boolean {
  if (inferList(operation) !== undefined) return true;
  const body = successSchema(operation);
  const flat = body?.flatten();
  if (body === undefined || flat === undefined) return false;
  if (flat.types.join() === 'array') return true;
  const lists = [...flat.properties.values()].filter(
    (place) => body.flatten(place).types.join() === 'array',
  );
  return lists.length === 1;
}

/** The argument for the longest page of such a list. */
export function wholePart({ draft: { operation } }: PartList): Argument[] {
  const parameters = inferList(operation)?.shape.limit?.parameter;
  const limit =
    parameters ??
    operation.parameters.find(
      ({ in: location, name }) => location === 'query' && plainName(name) === 'limit',
    );
  return valued(limit, usualRecords);
}

const usualRecords = 100;

/** The members of a create that name another record of the same kind. */
export function ownReferences(context: PlanContext, resource: Resource): string[] {
  return ownReferencesOf(resource, creatorDraft(context, resource)?.body.schema);
}

/** How a record is read again: by its path, or in the list that has it. */
export interface Observer {
  readonly draft: Draft;
  readonly extra: readonly Argument[];
}

/** What shows the records of a resource, with the members that a parameter adds. */
export function observerOf(
  context: PlanContext,
  resource: Resource,
  members: readonly string[] = [],
): Observer | undefined {
  const read = readerOf(context, resource);
  if (read !== undefined) return { draft: read, extra: addingMembers(read, members) };
  const list = draftOf(context, resource.operations.list);
  if (list === undefined || resource.list === undefined) return undefined;
  const listing = { draft: list, resource, shape: resource.list };
  return {
    draft: list,
    extra: [...widestPage(listing), ...newestFirst(listing), ...addingMembers(list, members)],
  };
}

/** What a read shows only if it is asked to: `include_num_members` for `num_members`. */
function addingMembers({ operation }: Draft, members: readonly string[]): Argument[] {
  return operation.parameters.flatMap((parameter) => {
    const { in: location, name, schema } = parameter;
    const isFlag = location === 'query' && schema.flatten().types.join() === 'boolean';
    const isNamed = members.some((member) => plainName(name).endsWith(plainName(member)));
    return isFlag && isNamed ? valued(parameter, true) : [];
  });
}

/**
 * Creates the records below which a story makes those of a resource, and those to which they refer,
 * so that all of them belong together.
 */
export function makeAbove(story: Story, resource: Resource): Made[] {
  const create = creatorDraft(story.context, resource);
  if (create === undefined) return [];
  const isOther = ({ resource: target }: { readonly resource: Resource }): boolean =>
    target.collection !== resource.collection;
  const above = story.makeNamed({ names: create.names.filter(isOther) });
  const { value } = create.body;
  const keys = keysOf(resource, create).filter(
    (key) =>
      isOther(key) &&
      isJsonObject(value) &&
      Object.hasOwn(value, key.field) &&
      isMakeable(story.context, key.resource),
  );
  for (const { resource: target } of keys)
    if (above.every((made) => made.resource.collection !== target.collection))
      above.push(story.make(target, { of: above }));
  return above;
}

/**
 * The states in which a record may take what another operation adds to it, as members of its
 * create: as it is planned, and, where a refusal is documented and no words say for which state,
 * each other one that a create can set.
 */
export function statesToTry(
  context: PlanContext,
  resource: Resource,
  adding: Operation,
): readonly JsonObject[] {
  const body = creatorDraft(context, resource)?.body;
  const isOpen =
    documentsStatus(adding, 409) && allowedStates(adding, resource) === undefined && body?.schema;
  if (!isOpen || body === undefined) return [{}];
  const { schema, value } = body;
  const plain: JsonObject = objectOf(value);
  const states = [...(schema?.flatten().properties ?? [])].flatMap(([name, place]) => {
    const node = schema?.flatten(place).node;
    const usual = plain[name] ?? node?.default;
    const others = (node?.enum ?? []).filter((one) => one !== usual);
    return usual === undefined || others.length > maxStates
      ? []
      : others.map((one) => ({ [name]: one }));
  });
  const taken = states.filter((state) => schema?.accepts({ ...plain, ...state }, 'request'));
  return [{}, ...taken.slice(0, maxStates)];
}

/** A member with more values than these is no state. */
const maxStates = 2;
