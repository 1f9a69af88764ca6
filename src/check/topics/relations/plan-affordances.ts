import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { addressedBy } from '../../../contract/infer/address-members.ts';
import { stateFieldOf } from '../../../contract/words/read-states.ts';
import { undoes } from '../../../contract/words/effect-words.ts';
import { documentsRefusal, type Operation, type Resource } from '../../../contract/model.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { objectOf } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { type Draft, isSafe } from '../../plan/draft.ts';
import { listingsOf, widestPage } from '../../plan/listing.ts';
import { exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import type { Made } from '../../plan/story.ts';
import { creatorDraft, isMakeable, readerOf, relationTo, Story } from '../../plan/story.ts';

/** The most operations of a resource that are tried in each state. */
const maxOperations = 8;

/** The most states that a record is brought into. */
const maxStates = 6;

/**
 * Operations on a record in its states: those to which the record has no link, which change
 * nothing in a service whose links show what a state allows, and then those to which it has one.
 * All in one sequence, because only together they show what the links mean.
 */
export function planAffordances(context: PlanContext, resource: Resource): Sequence[] {
  if (protocolsOf(context.contract, resource).hal === undefined) return [];
  return walkOf(context, resource);
}

/** What can be done with the records of a resource. */
interface Walk {
  readonly story: Story;
  readonly context: PlanContext;
  readonly resource: Resource;
  /** Operations that a state may forbid, those that end the record last. */
  readonly operations: readonly Draft[];
  /** Those that bring it into another state, by the order of the states. */
  readonly ways: readonly Draft[];
  /** A kind of record below it. */
  readonly part: Resource | undefined;
  /** Whether such a part names a record that the run did not make. */
  readonly namesOthers: boolean;
  readonly reader: Draft;
}

function walkOf(context: PlanContext, resource: Resource): Sequence[] {
  const reader = readerOf(context, resource);
  const operations = operationsOn(context, resource);
  if (reader === undefined || operations.length < 3) return [];
  const { collection } = resource;
  const part = context.contract.resources.find(
    (one) => one.parents.at(-1)?.resource?.collection === collection && isMakeable(context, one),
  );
  const story = new Story(context, `the links of ${resource.name}`);
  const ways = waysOf(context, resource, operations);
  const namesOthers = part !== undefined && refersTo(context, part);
  const walk = { story, context, resource, operations, ways, part, namesOthers, reader };
  inState(walk, { of: 'new', hasPart: false, steps: [] });
  if (part !== undefined) inState(walk, { of: 'filled', hasPart: true, steps: [] });
  // What a record takes from those of others, another operation on it has to give back.
  const givesBack = operations.some(({ operation }) => undoes(operation));
  for (const [at, way] of ways.slice(0, maxStates).entries()) {
    if (namesOthers && (at > 0 || !givesBack) && !undoes(way.operation)) continue;
    const steps = namesOthers && at > 0 ? [way] : ways.slice(0, at + 1);
    inState(walk, { of: way.operation.id, hasPart: part !== undefined, steps });
  }
  const listing = listingsOf(context).find((one) => one.resource === resource);
  const [last = reader] = listing === undefined ? [] : [listing.draft];
  story.step(last, {
    title: 'the records are listed after all operations on one',
    ...(listing === undefined ? { of: [story.make(resource)] } : {}),
    extra: listing === undefined ? [] : widestPage(listing),
    relation: { rule: 'as-linked', of: [], at: resource.record.pointer },
  });
  return story.sequences();
}

/**
 * The operations on a record that may be refused for its state: those that keep it first, and those
 * that take something back last.
 */
function operationsOn({ contract, drafts }: PlanContext, { collection }: Resource): Draft[] {
  const acting = drafts.filter(
    ({ operation, names, isNaming }) =>
      !isSafe(operation) &&
      isNaming === undefined &&
      names.at(-1)?.resource.collection === collection &&
      documentsRefusal(operation, ['409']),
  );
  const { actions } = contract.inference;
  const rank = ({ operation }: Draft): number => {
    const ends = operation.method === 'DELETE' ? 2 : 0;
    const acts = actions.some((one) => one.operation === operation) ? 1 : 0;
    return undoes(operation) ? 3 : Math.max(ends, acts);
  };
  return acting.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxOperations);
}

/** The operations that set a state of a record, by the order in which the contract lists these. */
function waysOf(
  { contract }: PlanContext,
  { record, collection }: Resource,
  operations: readonly Draft[],
): Draft[] {
  const ways = contract.inference.actions.flatMap(({ operation, resource, sets }) => {
    const draft = operations.find((one) => one.operation === operation);
    const field = typeof sets?.value === 'string' ? stateFieldOf(record, sets.value) : undefined;
    if (draft === undefined || field === undefined || resource.collection !== collection) return [];
    const place = record.flatten().properties.get(field);
    const states = place === undefined ? [] : (record.flatten(place).node.enum ?? []);
    return [{ draft, at: states.indexOf(sets?.value ?? '') }];
  });
  return ways.toSorted((one, other) => one.at - other.at).map(({ draft }) => draft);
}

/** Whether a new record of a resource names records that the run cannot make. */
export function refersTo(context: PlanContext, part: Resource): boolean {
  const value = creatorDraft(context, part)?.body.value;
  const texts = Object.values(objectOf(value));
  const { resources } = context.contract;
  const named = texts.flatMap((text) => addressedBy({ examples: [text] }, resources) ?? []);
  return [...named, ...part.foreignKeys].some(({ resource }) => !isMakeable(context, resource));
}

interface State {
  readonly of: string;
  readonly hasPart: boolean;
  /** What brings a new record there. */
  readonly steps: readonly Draft[];
}

function inState(walk: Walk, { of, hasPart, steps }: State): void {
  const { story, resource, operations, part, ways, namesOthers } = walk;
  const made = story.make(resource, { title: `a record is created, to be ${of}` });
  const about = `of the record to be ${of}`;
  if (hasPart && part !== undefined)
    story.make(part, { of: [made], title: `a part ${about} is created` });
  const goal = steps.at(-1);
  for (const [at, way] of steps.entries()) {
    const read = `read ${String(at + 1)} ${about}`;
    // Another state before it is not needed where the record has the link already.
    if (goal !== undefined && goal !== way) {
      const early = `${read}, before it is brought on`;
      story.read(made, early);
      send(walk, { made, way: goal, read: early, is: true, title: `${bringing(about)} at once` });
    }
    story.read(made, read);
    send(walk, { made, way, read, is: true, title: bringing(about) });
  }
  const read = `a read ${about}`;
  const before = `read ${String(steps.length)} ${about}`;
  story.read(made, read, {
    intent:
      goal &&
      relationTo(goal, { rule: 'answer-kept', of: [before, titleOf(bringing(about), goal)] }),
  });
  const ends = ({ operation }: Draft): boolean => operation.method === 'DELETE';
  const unlinked = [...operations.filter((way) => !ends(way)), ...operations.filter(ends)];
  for (const way of unlinked)
    send(walk, { made, way, read, is: false, title: `a request without a link ${about}` });
  for (const [at, way] of operations.entries()) {
    // What a record with parts of others takes from them, only some operations give back.
    const isForward = ways.includes(way) && !undoes(way.operation);
    const isPart = way.role?.action === 'create';
    if (namesOthers && (hasPart ? isForward : isPart)) continue;
    const again = `read ${String(at + 1)} before a link ${about} is followed`;
    story.read(made, again);
    send(walk, { made, way, read: again, is: true, title: `a request by a link ${about}` });
  }
}

interface Sending {
  readonly made: Made;
  readonly way: Draft;
  readonly read: string;
  readonly is: boolean;
  readonly title: string;
}

function send({ story, context }: Walk, { made, way, read, is, title }: Sending): void {
  const { operation } = way;
  story.step(way, {
    title: titleOf(title, way),
    of: [made],
    intent: exoticAt(operation.pointer),
    more: {
      linked: { step: read, is, except: readRelations(context.contract.operations, operation) },
    },
    optional: true,
  });
}

const bringing = (about: string): string => `a plain request that brings on, ${about}`;

const titleOf = (title: string, { operation }: Draft): string => `${title}: ${operation.id}`;

/** The relations of what can be read at the address of an operation, if anything can. */
function readRelations(operations: readonly Operation[], { path }: Operation): string[] {
  const isRead = operations.some((one) => one.path === path && one.method === 'GET');
  return isRead ? ['self', lastWord(path)] : [];
}
