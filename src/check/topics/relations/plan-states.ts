import { type BarredChange, barredChanges, movesOf } from '../../../contract/words/read-moves.ts';
import { operationSays } from '../../../contract/words/facts.ts';
import { type AllowedStates, allowedStates } from '../../../contract/words/read-states.ts';
import { plainName } from '../../../contract/infer/infer-names.ts';
import { describesSame, recordFields } from '../../../contract/infer/record-fields.ts';
import { doneCode, doneStatus, nothingCode } from '../../../contract/words/error-codes.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { defined, isJsonObject, objectOf } from '../../../json/value.ts';
import { isSafe } from '../../model/step.ts';
import type { Sequence } from '../../model/case.ts';
import type { Fill } from '../../model/request-template.ts';
import { changedValue, createdMembers } from '../../plan/change-step.ts';
import type { Draft } from '../../plan/draft.ts';
import { newestFirst, widestPage } from '../../plan/listing.ts';
import { draftOf, exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import {
  creatorDraft,
  isMakeable,
  keysOf,
  type Made,
  nameOf,
  readerOf,
  relationTo,
  Story,
  wayTo,
} from '../../plan/story.ts';

/** An operation on a record that the contract allows in some of its states. */
interface Restricted {
  readonly draft: Draft;
  readonly resource: Resource;
  readonly allowed: AllowedStates;
}

/**
 * What shows that a record keeps the state that an operation sets, and that operations are refused
 * in the states in which the contract does not allow them.
 */
export function planStates(context: PlanContext, draft: Draft): Sequence[] {
  const resource = draft.names.at(-1)?.resource;
  if (isSafe(draft.operation) || resource === undefined) return [];
  if (!isMakeable(context, resource)) return [];
  const allowed = allowedStates(draft.operation, resource);
  const repeated = allowed === undefined ? doneAgain(context, draft, resource) : [];
  if (readerOf(context, resource) === undefined)
    return [...repeated, ...keptInList(context, draft, resource)];
  return [
    ...repeated,
    ...keptState(context, draft, resource),
    ...keptAnswer(context, draft, resource),
    ...otherMoves(context, draft, resource),
    ...(allowed === undefined ? [] : wrongStates(context, { draft, resource, allowed })),
  ];
}

/**
 * An operation that is refused once it has been done, by a code or a status: sent twice. What
 * undoes it is sent twice too, if a code says that it finds nothing then.
 */
function doneAgain(context: PlanContext, draft: Draft, resource: Resource): Sequence[] {
  const status = draft.role === undefined ? doneStatus(draft.operation) : undefined;
  const code = doneCode(draft.operation) ?? status;
  // A create makes another record each time.
  if (code === undefined || draft.role?.action === 'create') return [];
  const twice = (told: Story, again: Draft, made: Made, at: string): void => {
    const { id, method } = again.operation;
    const title = `a plain ${method} (${id})`;
    told.step(again, { title, of: [made] });
    told.step(again, {
      title: `${id} is sent again`,
      of: [made],
      relation: { rule: 'done-again', of: [title], at },
    });
  };
  const story = new Story(context, `${draft.operation.id} twice`);
  const made = story.make(resource);
  twice(story, draft, made, code.pointer);
  const undo = context.drafts.find((other) => undoes(other, draft));
  const nothing = undo && nothingCode(undo.operation);
  if (undo !== undefined && nothing !== undefined) twice(story, undo, made, nothing.pointer);
  return story.sequences();
}

/** Whether a call undoes another: the same words before its verb, and the same body, or none. */
function undoes({ operation, body }: Draft, other: Draft): boolean {
  const nounOf = ({ path }: Operation): string => path.replace(/[./:][^./:]*$/, '');
  const [own, theirs] = [body?.schema, other.body?.schema];
  const isSame =
    own === undefined || theirs === undefined ? own === theirs : describesSame(own, theirs);
  return operation !== other.operation && nounOf(operation) === nounOf(other.operation) && isSame;
}

/** An operation that says which state it sets, between two reads of the record. */
function keptState(context: PlanContext, draft: Draft, resource: Resource): Sequence[] {
  const { operation } = draft;
  const { actions } = context.contract.inference;
  const sets = actions.find((action) => action.operation === operation)?.sets;
  const read = readerOf(context, resource);
  if (sets === undefined || read === undefined) return [];
  const story = new Story(context, `the ${sets.field} that ${operation.id} sets`);
  const made = story.make(resource);
  const [before] = allowedStates(operation, resource)?.values ?? [];
  if (before !== undefined) story.bring(made, before);
  // A flag that a new record may not have, or may have already, is set the other way first.
  const opposite = actions.find(
    (other) =>
      typeof sets.value === 'boolean' &&
      other.resource.collection === resource.collection &&
      other.sets?.field === sets.field &&
      other.sets.value === !sets.value,
  );
  if (opposite !== undefined)
    story.step(draftOf(context, opposite.operation), {
      title: `a plain ${opposite.operation.method} that does the opposite`,
      of: [made],
      intent: exoticAt(opposite.operation.pointer),
    });
  const [first, act] = [`a read of ${sets.field} before that`, `a plain ${operation.method}`];
  story.read(made, first);
  story.step(draft, { title: act, of: [made] });
  story.read(made, `a read of ${sets.field} after that`, {
    intent: relationTo(read, {
      rule: 'state-kept',
      of: [first, act],
      field: `${sets.field}=${String(sets.value)}`,
    }),
  });
  const moment = momentOf(resource, operation, sets);
  if (moment !== undefined)
    story.read(made, `a read of ${moment} after that`, {
      intent: relationTo(read, { rule: 'moment-set', of: [first, act], field: moment }),
    });
  return story.sequences();
}

/** The field with the moment at which a state was set: `archivedAt`, `retire_time`. */
function momentOf(
  { record }: Resource,
  { path }: Operation,
  { field, value }: { readonly field: string; readonly value: unknown },
): string | undefined {
  const verb = path.split(/[/:.]/).at(-1) ?? '';
  const state = typeof value === 'string' ? value : field.replace(/^is_?/i, '');
  const stems = [verb, state].map(plainName);
  const isSet = value !== false;
  return recordFields(record).find(
    ({ plain, many, flat }) =>
      isSet &&
      !many &&
      flat.node.format === 'date-time' &&
      stems.some((stem) => [`${stem}at`, `${stem}time`, `${stem}on`].includes(plain)),
  )?.name;
}

/** An action whose answer shows the record, between two reads of it: what it changed stays. */
function keptAnswer(context: PlanContext, draft: Draft, resource: Resource): Sequence[] {
  const { operation } = draft;
  const action = context.contract.inference.actions.find((one) => one.operation === operation);
  const read = readerOf(context, resource);
  if (action === undefined || read === undefined) return [];
  const story = new Story(context, `what ${operation.id} changes`);
  const made = story.make(resource);
  const [before] = allowedStates(operation, resource)?.values ?? [];
  if (before !== undefined) story.bring(made, before);
  const [first, act] = ['a read before the action', `a plain ${operation.method}`];
  story.read(made, first);
  const create = creatorDraft(context, resource);
  const value = draft.body && changedValue(context, draft.body, create && createdMembers(create));
  story.step(draft, { title: act, of: [made], ...defined({ value }) });
  story.read(made, 'a read after the action', {
    intent: relationTo(read, { rule: 'answer-kept', of: [first, act] }),
  });
  return story.sequences();
}

/** An update of a record that only a list shows: what its answer shows is listed next. */
function keptInList(context: PlanContext, draft: Draft, resource: Resource): Sequence[] {
  const { operations, list: shape } = resource;
  const list = draftOf(context, operations.list);
  const create = creatorDraft(context, resource);
  const isUpdate = draft.operation === operations.update || draft.operation === operations.replace;
  if (!isUpdate || list === undefined || shape === undefined) return [];
  if (create === undefined || draft.body === undefined) return [];
  const story = new Story(context, `what ${draft.operation.id} changes in the list`);
  const parents = story.makeNamed(create);
  const made = story.make(resource, { of: parents });
  const act = `a plain ${draft.operation.method}`;
  const value = changedValue(context, draft.body, createdMembers(create));
  story.step(draft, { title: act, of: [made, ...parents], value });
  const listing = { draft: list, resource, shape };
  story.step(list, {
    title: 'a list after the change',
    of: parents,
    extra: [...widestPage(listing), ...newestFirst(listing)],
    relation: { rule: 'answer-listed', of: [act] },
  });
  return story.sequences();
}

/** A change to a state that does not follow, from each state that a record can be brought into. */
function otherMoves(context: PlanContext, draft: Draft, resource: Resource): Sequence[] {
  const { operation, body } = draft;
  const { next = new Map<string, readonly string[]>() } = movesOf(operation, resource) ?? {};
  const before = (to: string): string[] =>
    [...next].flatMap(([from, allowed]) => (allowed.includes(to) ? [from] : []));
  // What skips one state is what services forget, and otherwise a move back.
  const oddness = ({ from, to }: BarredChange): number =>
    before(to).some((middle) => before(middle).includes(from))
      ? 2
      : Number(before(from).includes(to));
  const barred = barredChanges(operation, resource)
    .filter(({ to }) => before(to).length > 0)
    .toSorted((left, right) => oddness(left) - oddness(right));
  if (body === undefined) return [];
  return [...new Map(barred.map((change) => [change.from, change])).values()].flatMap(
    ({ field, from, to }) => {
      const story = new Story(context, `${operation.id} from ${from} to ${to}`);
      const made = story.make(resource);
      if (!story.bring(made, from, field)) return [];
      const title = `a read of the ${field} before that`;
      story.read(made, title);
      story.step(draft, {
        title: `a ${operation.method} to ${to} that is to be refused for the ${field}`,
        of: [made],
        value: { ...objectOf(body.value), [field]: to },
        relation: {
          rule: 'wrong-state',
          of: [title],
          // It may have that state already.
          field: `${field}=${[...before(to), to].join('|')}`,
        },
      });
      return story.sequences();
    },
  );
}

/** The operation in a state of a new record, and in each state that other operations set. */
function wrongStates(context: PlanContext, restricted: Restricted): Sequence[] {
  const { draft, resource, allowed } = restricted;
  const { operation } = draft;
  const act = context.contract.inference.actions.find((action) => action.operation === operation);
  const done = operationSays(operation, 'may-be-repeated') ? act?.sets?.value : undefined;
  const isLater = allowed.values.every(
    (value) => wayTo(context, resource, value, allowed.field) !== undefined,
  );
  return [
    ...(isLater ? inState(context, restricted, undefined) : []),
    ...allowed.others
      .filter((state) => state !== done)
      .flatMap((state) => inState(context, restricted, state)),
  ];
}

function inState(
  context: PlanContext,
  { draft, resource, allowed }: Restricted,
  state: string | undefined,
): Sequence[] {
  const { operation } = draft;
  const story = new Story(context, `${operation.id} of ${state ?? 'new'} ${resource.name}`);
  const create = creatorDraft(context, resource);
  const named = create === undefined ? [] : keysOf(resource, create);
  const others = named.map((key) => ({ field: key.field, made: story.make(key.resource) }));
  const made = story.make(resource, { of: others.map((other) => other.made) });
  if (state !== undefined && !story.bring(made, state, allowed.field)) return [];
  const title = `a read of the ${allowed.field} before that`;
  story.read(made, title);
  story.step(draft, {
    title: `a ${operation.method} that is to be refused for the ${allowed.field}`,
    of: [made],
    fills: fillsOf(draft, others),
    relation: {
      rule: 'wrong-state',
      of: [title],
      field: `${allowed.field}=${allowed.values.join('|')}`,
    },
  });
  return story.sequences();
}

/** The references of a replacement are those that the record has. */
function fillsOf(
  { body }: Draft,
  others: readonly { readonly field: string; readonly made: Made }[],
): Fill[] {
  const value = body?.value;
  return isJsonObject(value)
    ? others
        .filter(({ field }) => Object.hasOwn(value, field))
        .map(({ field, made }) => ({ at: joinPointer('', field), source: nameOf(made) }))
    : [];
}
