import { type ClosedState, closedStates } from '../../../contract/words/read-states.ts';
import type { Resource } from '../../../contract/model.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { isSafe } from '../../model/is-safe.ts';
import type { Sequence } from '../../model/case.ts';
import type { Draft } from '../../plan/draft.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { refersTo } from './plan-affordances.ts';
import { creatorDraft, eachMade, readerOf, relationTo, Story } from '../../plan/story.ts';

/** The most operations of a resource that are tried in a state. */
const maxOperations = 8;

/** The fewest that show whether operations are refused. */
const fewest = 3;

/**
 * The operations on a record, and on a part of it, while it is in a state for which the API has a
 * code of an error: all in one sequence, because only those that are refused with the code show
 * that it is meant for them.
 */
export function planClosedStates(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) =>
    closedStates(context.contract, resource).flatMap((closed) =>
      inClosedState(context, resource, closed),
    ),
  );
}

function inClosedState(context: PlanContext, resource: Resource, closed: ClosedState): Sequence[] {
  const { field, value, code, isForAll, fact } = closed;
  const reader = readerOf(context, resource);
  // A state may take something from what a part names, and nothing may give it back.
  const part = eachMade(context).find(
    (one) =>
      one.parents.at(-1)?.resource?.collection === resource.collection && !refersTo(context, one),
  );
  const operations = [resource, ...(part === undefined ? [] : [part])]
    .flatMap((one) => operationsOn(context, one, field))
    .slice(0, maxOperations);
  if (reader === undefined || operations.length < fewest) return [];
  const story = new Story(context, `${resource.name} in the state of ${code}`);
  const made = story.make(resource);
  const inner = part === undefined ? [] : [story.make(part, { of: [made] })];
  if (!story.bring(made, value, field)) return [];
  const title = `a read of the ${field} before operations on the record`;
  story.read(made, title);
  for (const draft of operations)
    story.step(draft, {
      title: `${draft.operation.id} while ${field} is ${value}`,
      of: [made, ...inner],
      value: asCreated(context, draft),
      intent: relationTo(draft, {
        rule: 'while-closed',
        of: [title],
        field: `${field}=${value}=${code}`,
      }),
      optional: true,
    });
  story.read(made, `a read of the ${field} after operations on the record`, {
    intent: relationTo(reader, {
      rule: 'closed-kept',
      of: [title],
      field: `${field}=${value}=${code}`,
      at: fact.pointer,
      ...(isForAll ? {} : { doubtful: true }),
    }),
  });
  return story.sequences();
}

/** The body of a change with the members that its record is created with: those are accepted. */
function asCreated(context: PlanContext, { body, names }: Draft): JsonValue {
  const resource = names.at(-1)?.resource;
  const sent = resource && creatorDraft(context, resource)?.body.value;
  const value = body?.value ?? null;
  if (!isJsonObject(value) || !isJsonObject(sent)) return value;
  const shared = Object.entries(sent).filter(([name]) => Object.hasOwn(value, name));
  return { ...value, ...Object.fromEntries(shared) };
}

/** What changes a record, or adds to it, and leaves the field with its state as it is. */
function operationsOn(
  { drafts, contract }: PlanContext,
  { collection }: Resource,
  field: string,
): Draft[] {
  const { actions } = contract.inference;
  const isFree = ({ operation, body }: Draft): boolean =>
    actions.every((action) => action.operation !== operation || action.sets?.field !== field) &&
    !(isJsonObject(body?.value) && field in body.value);
  return drafts.filter(
    (draft) =>
      !isSafe(draft.operation) &&
      draft.operation.method !== 'DELETE' &&
      draft.names.at(-1)?.resource.collection === collection &&
      isFree(draft),
  );
}
