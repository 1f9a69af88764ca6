import { otherStateCount, planStateCounts } from './state-counts.ts';
import { otherParts } from './part-counts.ts';
import { planShownTwice } from './plan-shown-twice.ts';
import { isSuccess } from '../../../http/message.ts';
import { membersOf } from '../../../json/body-members.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { splitPointer, valueAt } from '../../../json/pointer.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  scalarTexts,
} from '../../../json/value.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { hasSuccess, isSafe, roleOf, showValue, type Step } from '../../model/step.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { shownRecord, recordShown } from '../../reading/shown-records.ts';
import { isMarked } from '../../reading/without-others.ts';
import type { Related, RelationFault, RelationFaults } from '../../reading/related.ts';
import { madeIdentifier, otherStatus } from '../../reading/related.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { toldOf } from '../../../contract/infer/told-parts.ts';
import type { Resource } from '../../../contract/model.ts';
import { memberSchema } from '../../../contract/schema/member-schema.ts';
import { followsOther } from '../../../contract/words/read-references.ts';
import type { Sequence } from '../../model/case.ts';
import type { Draft } from '../../plan/draft.ts';
import {
  makeAbove,
  type Observer,
  observerOf,
  ownReferences,
  type PartList,
  partListsOf,
  wholePart,
} from '../../plan/part-lists.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { draftOn, isMakeable, type Made, Story } from '../../plan/story.ts';
import { makeChild } from './plan-own-kind.ts';

/** What a record shows of others agrees with them. */
export const shownTwiceAgrees = check({
  id: 'shown-twice-agrees',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A count is that of the records that it counts, an embedded record has the values of the one ' +
    'that it shows, and an address in a record leads to what it names.',
  reason:
    'A client that reads a number, a name or an address in one place and finds another one ' +
    'elsewhere cannot know which of them is true.',
  example: [
    '> GET /boxes/1',
    '< {"id": 1, "itemCount": 2}',
    '> POST /boxes/1/items',
    '< 201 Created',
    '> GET /boxes/1',
    '< {"id": 1, "itemCount": 2}',
  ],
  explains: [
    {
      findings: ['http-semantics'],
      leads: ({ cause }) => cause === 'leads-to Location',
      explains: ({ lastWrite }, other) =>
        other.operation === lastWrite && other.cause === 'Location of another',
    },
  ],
  plan: [
    { at: 'stories', made: planShownTwice },
    { at: 'stories', made: planPartCounts },
    { at: 'stories', made: planStateCounts },
  ],
  mutants: [async () => (await import('./link-mutants.ts')).linkMutants],
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented'],
  relations: {
    count: otherCount,
    'part-counts': otherParts,
    'state-counts': otherStateCount,
    copy: otherCopy,
    'copy-follows': formerText,
    names: namesAnother,
    leads: leadsNowhere,
    'leads-to': leadsElsewhere,
    'shown-link': noLink,
  },
});

/** The record that a step shows. */
function recordIn({ contract }: CheckInput, step: Step): JsonObject | undefined {
  return hasSuccess(step) ? recordShown(contract, step) : undefined;
}

function fieldIn(subject: CheckInput, step: Step, field: string): JsonValue | undefined {
  const record = recordIn(subject, step);
  return record && singleValues(record, field)[0];
}

function otherCount({ subject, intent, of: [before] }: Related): RelationFaults {
  const { field = '', by = 0 } = intent;
  const base = before && fieldIn(subject, before, field);
  const got = fieldIn(subject, subject, field);
  if (typeof base !== 'number' || typeof got !== 'number') return undefined;
  const expected = base + by;
  if (got === expected) return [];
  const { title } = subject.case;
  return {
    message: `In ${title}, ${field} is ${String(got)} instead of ${String(expected)}.`,
    expected: `${field} is ${String(expected)}`,
    actual: `${field} is ${String(got)}`,
  };
}

/** Fields of an embedded record that have other values than the record itself. */
function otherCopy({ subject, intent, of: [shown] }: Related): RelationFaults {
  const { field = '' } = intent;
  const [original, copy] = [shown && recordIn(subject, shown), recordIn(subject, subject)?.[field]];
  if (shown === undefined || original === undefined || !isJsonObject(copy)) return undefined;
  const key = roleOf(subject.contract, shown.case.operation)?.resource.identifier.field ?? '';
  const id = original[key];
  // A service embeds what it chose itself where no request names the record.
  if (id !== undefined && !isNamed(subject, id) && !sameIdentifier(copy[key], id)) return undefined;
  const name = Object.keys(copy).find(
    (one) => Object.hasOwn(original, one) && !equalJson(copy[one] ?? null, original[one] ?? null),
  );
  if (name === undefined) return [];
  const [got, expected] = [showValue(copy[name]), showValue(original[name])];
  return {
    message: `In ${subject.case.title}, ${field}.${name} is ${got}; the record has ${expected}.`,
    expected: `${field}.${name} is ${expected}`,
    actual: `${field}.${name} is ${got}`,
  };
}

/** A text that a record shows of another one, and still shows after that has another one. */
function formerText({
  subject,
  resource,
  of: [made, shown, change, read],
}: Related): RelationFaults {
  const [sent, next] = [made, change].map((step) => objectOf(step?.sent.body));
  const [before, now] = [shown, read].map((step) => step && recordIn(subject, step));
  const after = recordIn(subject, subject);
  if (!before || !now || !after || !sent || !next || !resource || !change) return undefined;
  const changed = Object.keys(sent).filter(
    (name) => isMarked(sent[name]) && next[name] !== sent[name] && now[name] === next[name],
  );
  const former = membersOf(before).find(
    ({ at, value }) => valueAt(after, at) === value && changed.some((name) => sent[name] === value),
  );
  if (former === undefined) return [];
  const path = splitPointer(former.at);
  const { operation } = change.case;
  const place = memberSchema(resource.record, path);
  const told = followsOther(subject.contract, operation, resource, place);
  const field = path.join('.');
  // What a record shows may be as it was when it was made, if nothing says otherwise.
  if (!told) return [];
  return {
    message: `A record shows the former text of another one in ${field} after ${operation.id}.`,
    expected: `${field} as the record has it now`,
    actual: showValue(former.value),
    cause: `copy ${field}`,
  };
}

/** Whether a change of the sequence named a record in its path, its query or its body. */
function isNamed({ earlier }: CheckInput, id: JsonValue): boolean {
  return earlier.some(
    ({ case: { operation }, sent }) =>
      operation.method !== 'GET' &&
      scalarTexts([...sent.arguments.values(), sent.body ?? null]).includes(String(id)),
  );
}

/** A field that names another record than the one for which this one was created. */
function namesAnother({ subject, intent, of: [parent] }: Related): RelationFaults {
  const { field = '' } = intent;
  const expected = parent && madeIdentifier(subject, parent);
  const got = fieldIn(subject, subject, field);
  if (expected === undefined || got === undefined) return undefined;
  if (sameIdentifier(got, expected)) return [];
  return {
    message:
      `The ${field} of a record is ${showValue(got)}; it was created for ` +
      `${showValue(expected)}.`,
    expected: `${field} is ${showValue(expected)}`,
    actual: `${field} is ${showValue(got)}`,
  };
}

function leadsNowhere({ subject, intent, status }: Related): RelationFault[] | undefined {
  if (isSuccess(status)) return [];
  if ([401, 403, 429].includes(status)) return undefined;
  const expected = `${intent.field ?? 'the address'} leads to what it names`;
  return [otherStatus({ subject, status }, expected)];
}

function leadsElsewhere(related: Related): RelationFaults {
  const { subject, intent, of, status, resource } = related;
  const [created, read] = of;
  // `http-semantics` reports a Location on another path than that of the contract.
  if (intent.field === 'Location' && !isOnPathOf(read, subject)) return undefined;
  const nowhere = leadsNowhere(related);
  if (nowhere === undefined || nowhere.length > 0) return nowhere;
  const expected = created && madeIdentifier(subject, created);
  if (!isSuccess(status) || resource === undefined || expected === undefined) return undefined;
  const { field: name } = resource.identifier;
  // `item-equals-entry` reports a path that leads to another record.
  if (readsAnother(related, name, expected)) return undefined;
  const got = shownRecord(resource, subject.answer)?.[name];
  if (sameIdentifier(got, expected)) return [];
  const other = got === undefined ? 'something else' : `the record ${showValue(got)}`;
  return {
    message: `The ${intent.field ?? ''} of the record ${showValue(expected)} leads to ${other}.`,
    expected: `the record ${showValue(expected)}`,
    actual: showValue(got),
  };
}

function readsAnother(
  { subject, of: [, read] }: Related,
  name: string,
  expected: JsonValue,
): boolean {
  const own = read && recordIn(subject, read)?.[name];
  return own !== undefined && !sameIdentifier(own, expected);
}

/** Whether a step is a read on the path of another one, for any record. */
function isOnPathOf(read: Step | undefined, { exchange: { request } }: CheckInput): boolean {
  const before = (target: string): string => target.replace(/[^/]*$/, '');
  return read !== undefined && before(read.exchange.request.target) === before(request.target);
}

/** An address that is empty although there is what it leads to. */
function noLink({ subject, intent, of }: Related): RelationFaults {
  const { field = '' } = intent;
  const record = recordIn(subject, subject);
  if (record === undefined || !Object.hasOwn(record, field)) return undefined;
  if (record[field] !== null) return [];
  return {
    message: `The ${field} of a record is null after ${of.at(-1)?.case.title ?? 'that'}.`,
    expected: 'an address',
    actual: 'null',
  };
}

/** What a record tells of a list below it, while the list grows and shrinks. */
function planPartCounts(context: PlanContext, resource: Resource): Sequence[] {
  return partListsOf(context, resource).flatMap((list) => {
    const { counts, lasts } = toldOf(resource, list.noun);
    const isJudged = (field: string): boolean =>
      resource.counts.some((count) => count.field === field);
    const fields = [...counts.map(({ field }) => field), ...lasts];
    const observer = observerOf(context, resource, fields);
    return observer === undefined || fields.every(isJudged)
      ? []
      : [...withParts(context, { resource, list, observer })];
  });
}

interface Counted {
  readonly resource: Resource;
  readonly list: PartList;
  readonly observer: Observer;
}

function withParts(context: PlanContext, counted: Counted): Sequence[] {
  const { resource, list } = counted;
  const child = list.draft.role?.resource;
  const [field] = ownReferences(context, resource);
  if (child !== undefined && isMakeable(context, child)) return withMade(context, counted, child);
  if (field !== undefined) return withMade(context, counted, resource, field);
  return withActs(context, counted);
}

/** The record and its list, read one after the other, several times. */
class Observing {
  readonly #story: Story;
  readonly #counted: Counted;
  readonly #of: readonly Made[];
  readonly #seen: string[] = [];

  constructor(story: Story, counted: Counted, of: readonly Made[]) {
    this.#story = story;
    this.#counted = counted;
    this.#of = of;
  }

  /** Reads both; with `done`, what was made and done, and compares them with what was before. */
  look(when: string, done?: readonly string[]): void {
    const { list, observer } = this.#counted;
    const titles = [
      `a list of what belongs to the record ${when}`,
      `a read of it ${when}`,
    ] as const;
    const [parts, whole] = titles;
    this.#story.step(list.draft, { title: parts, of: this.#of, extra: wholePart(list) });
    this.#story.step(observer.draft, {
      title: whole,
      of: this.#of,
      extra: observer.extra,
      ...(done === undefined
        ? {}
        : {
            relation: {
              rule: 'part-counts',
              of: [...done, ...this.#seen, parts],
              field: list.noun,
            },
          }),
    });
    this.#seen.push(...titles);
  }
}

/** Two parts are made, and the last one is deleted. */
function withMade(
  context: PlanContext,
  counted: Counted,
  child: Resource,
  field?: string,
): Sequence[] {
  const { resource, list } = counted;
  const story = new Story(context, `the ${list.noun} of ${resource.name}`);
  const above = makeAbove(story, resource);
  const made = story.make(resource, { of: above });
  const observing = new Observing(story, counted, [made, ...above]);
  const add = (title: string): Made =>
    field === undefined
      ? story.make(child, { of: [made, ...above], title })
      : makeChild(story, { resource, title, above, field, parent: made });
  observing.look('before it has any');
  const first = add(`a first ${list.noun} of ${resource.name} is created`);
  const done = [made.title, first.title];
  observing.look('with one', done);
  const last = add(`a second ${list.noun} of ${resource.name} is created`);
  done.push(last.title);
  observing.look('with two', done);
  const remove = draftOn(context, child, 'delete');
  if (remove !== undefined) {
    const title = `a deletion of the second ${list.noun}`;
    story.step(remove, { title, of: [last, made, ...above] });
    observing.look('with one again', [...done, title]);
  }
  return story.sequences();
}

/** The most operations that are tried, of which one may add to the list. */
const maxActs = 4;

/** Operations on a record, of which any may add to its list: an invitation. */
function withActs(context: PlanContext, counted: Counted): Sequence[] {
  const { resource, list } = counted;
  const acts = actsOn(context, resource).slice(0, maxActs);
  if (acts.length === 0) return [];
  const story = new Story(context, `what adds a ${list.noun} to ${resource.name}`);
  const above = makeAbove(story, resource);
  const made = story.make(resource, { of: above });
  const observing = new Observing(story, counted, [made, ...above]);
  observing.look('before anything was done to it');
  for (const act of acts) {
    const title = `a plain ${act.operation.method}: ${act.operation.id}`;
    story.step(act, { title, of: [made, ...above], optional: true });
    observing.look(`after ${act.operation.id}`, [made.title]);
  }
  return story.sequences();
}

/** What a POST does to a record besides bringing it into a state. */
function actsOn({ contract, drafts }: PlanContext, { collection }: Resource): Draft[] {
  return drafts.filter(({ operation, names, role, body }) => {
    const last = names.at(-1);
    const action = contract.inference.actions.find((one) => one.operation === operation);
    return (
      operation.method === 'POST' &&
      !isSafe(operation) &&
      role === undefined &&
      body !== undefined &&
      action?.sets === undefined &&
      last?.resource.collection === collection &&
      last.parent === undefined
    );
  });
}
