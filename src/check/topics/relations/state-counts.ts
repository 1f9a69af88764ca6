import { type StateCount, stateCountsOf } from '../../../contract/words/state-counts.ts';
import type { Resource } from '../../../contract/model.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { recordShown } from '../../reading/shown-records.ts';
import { isJsonObject } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import { hasSuccess } from '../../model/step.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import {
  creatorDraft,
  isMakeable,
  type Made,
  readerOf,
  relationTo,
  Story,
} from '../../plan/story.ts';
import type { PlanContext } from '../../plan/plan-context.ts';

/** The most states of parts that are counted one after the other. */
const maxStates = 4;

/**
 * Parts in each state that their create takes, and one that is brought from state to state: after
 * each step, the counts of a record are compared with the states that its parts show.
 */
export function planStateCounts(context: PlanContext, resource: Resource): Sequence[] {
  const counts = stateCountsOf(resource, context.contract.resources);
  const byChild = Map.groupBy(counts, ({ child }) => child);
  return [...byChild].flatMap(([child, own]) => countStory(context, { resource, child, own }));
}

interface Counted {
  readonly resource: Resource;
  readonly child: Resource;
  readonly own: readonly StateCount[];
}

function countStory(context: PlanContext, { resource, child, own }: Counted): Sequence[] {
  const [reader, part] = [readerOf(context, resource), readerOf(context, child)];
  const create = creatorDraft(context, child);
  const [field] = own.map(({ only }) => only.field);
  if (reader === undefined || part === undefined || create === undefined) return [];
  if (field === undefined || !isMakeable(context, child)) return [];
  const { value, schema } = create.body;
  const place = child.record.flatten().properties.get(field);
  const listed = (place && child.record.flatten(place).node.enum) ?? [];
  const counted = own.map(({ only }) => only.value);
  const states = [...new Set([...counted, ...listed])].filter((state) => typeof state === 'string');
  const story = new Story(context, `the parts of ${resource.name} by ${field}`);
  const made = story.make(resource);
  const before = 'a read of the counts before there are parts';
  story.read(made, before);
  const [shown, parts]: [string[], Made[]] = [[], []];
  const which: number[] = [];
  const count = (one: Made): void => {
    if (!parts.includes(one)) parts.push(one);
    which.push(parts.indexOf(one));
    const at = String(shown.length + 1);
    const title = `a read of what is counted (${at})`;
    story.read(one, title);
    shown.push(title);
    story.read(made, `a read of the counts (${at})`, {
      intent: relationTo(reader, {
        rule: 'state-counts',
        of: [before, ...shown],
        field: which.join(' '),
      }),
    });
  };
  const isTaken = (state: string): boolean =>
    isJsonObject(value) &&
    schema?.flatten().properties.has(field) === true &&
    schema.accepts({ ...value, [field]: state }, 'request');
  const given = states.filter(isTaken).slice(0, maxStates);
  for (const state of given.length > 0 ? given : [undefined]) {
    const fixed = state === undefined ? {} : { fixed: { [field]: state } };
    count(story.make(child, { of: [made], ...fixed }));
  }
  const [first] = parts;
  for (const state of [...states.slice(1, maxStates), ...states.slice(0, 1)])
    if (first !== undefined && story.bring(first, state, field)) count(first);
  return story.sequences();
}

/**
 * A count that is not as many as the parts that show its state. A part may have got another
 * identifier: the intent says which one each read shows.
 */
export function otherStateCount({
  subject,
  of,
  resource,
  intent,
}: Related): RelationFault[] | undefined {
  const { contract } = subject;
  const [former, ...parts] = of.map((step) =>
    hasSuccess(step) ? recordShown(contract, step) : undefined,
  );
  const now = recordShown(contract, subject);
  const which = intent.field?.split(' ') ?? [];
  if (resource === undefined || former === undefined || now === undefined) return undefined;
  const faults = stateCountsOf(resource, contract.resources).flatMap(
    ({ field, only }): (RelationFault | 'unknown')[] => {
      const states = new Map<string | undefined, unknown>();
      for (const [at, record] of parts.entries()) states.set(which[at], record?.[only.field]);
      const [base, got] = [former, now].map((record) => singleValues(record, field)[0]);
      if (typeof base !== 'number' || typeof got !== 'number') return ['unknown'];
      const all = [...states.values()];
      const expected = base + all.filter((state) => state === only.value).length;
      if (got === expected || all.includes(undefined)) return [];
      const told = all.map(String).join(', ');
      return [
        {
          message: `Where the ${only.field} of the parts is ${told}, ${field} is ${String(got)}.`,
          expected: `${field} is ${String(expected)}: those whose ${only.field} is ${only.value}`,
          actual: `${field} is ${String(got)}`,
          cause: `state-counts ${field}`,
        },
      ];
    },
  );
  return faults.every((fault) => fault === 'unknown')
    ? undefined
    : faults.filter((fault) => fault !== 'unknown');
}
