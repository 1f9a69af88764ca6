import type { Parameter, Resource } from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Case, Sequence, Wanted } from '../../model/case.ts';
import { invalidIntent, makeCase, makeSequence } from '../../model/case.ts';
import type { Argument, BodyTemplate } from '../../model/request-template.ts';
import { type Draft, requestOf } from '../../plan/draft.ts';
import { bodyDraftOf, createStep, creationOf, type DraftWithBody } from '../../plan/make-create.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { draftCase, draftFor, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { changedValue, createdMembers, membersAfter } from '../../plan/change-step.ts';
import { tagArgument, taggedRead } from './conditional-reads.ts';
import { declaredHeader } from '../../plan/plan-cache.ts';

/**
 * Create, read, change with the current ETag, read, change with the previous ETag: for the
 * replacements, updates, deletions and actions that accept If-Match and document 412. A read that
 * documents 304 is sent with the old ETag too. Only the run's own records are changed.
 */
export function planConditionalChanges(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const create = creationOf(context, resource);
    const read = draftFor(context, resource, 'read');
    const changes = [
      conditionalChange(draftFor(context, resource, 'replace')),
      conditionalChange(draftFor(context, resource, 'update')),
    ].filter((change) => change !== undefined);
    const [change] = changes;
    if (create === undefined || read === undefined || change === undefined) return [];
    const records: Records = { create, read };
    const remove = conditionalChange(draftFor(context, resource, 'delete'));
    const actions = context.contract.inference.actions
      .filter((action) => action.resource === resource)
      .map(({ operation }) => conditionalChange(draftOf(context, operation)));
    const last = [remove, ...actions].filter((one) => one !== undefined);
    return [
      changeSequence(context, records, changes),
      ...last.map((ending) => endSequence(context, records, { change, ending })),
      ...actions.flatMap((ending) =>
        ending === undefined ? [] : withPart(context, resource, records, { change, ending }),
      ),
    ];
  });
}

/** How a record is created and read. */
interface Records {
  readonly create: DraftWithBody;
  readonly read: Draft;
}

/** An operation that changes a record, and takes the condition. */
interface ConditionalChange {
  readonly draft: Draft;
  readonly parameter: Parameter;
}

function conditionalChange(draft: Draft | undefined): ConditionalChange | undefined {
  const parameter =
    draft && documents(draft.operation, '412', '4XX', 'default')
      ? declaredHeader(draft.operation, 'If-Match')
      : undefined;
  return draft === undefined || parameter === undefined ? undefined : { draft, parameter };
}

function changeSequence(
  context: PlanContext,
  records: Records,
  changes: readonly ConditionalChange[],
): Sequence {
  return makeSequence(
    ...createAndRead(context, records, 'to be changed'),
    ...changes.flatMap((change, index) => [
      // The second change comes after the first one.
      ...changeAndRead(context, records, { change, after: changes[index - 1] }),
      ...readWithOldTag(context, records),
      conditionalCase(context, records, { change, which: 'first', expected: 'refused' }),
      draftCase(records.read, {
        title: 'the record is read after a change that was to be refused',
      }),
      ...withoutCondition(context, change),
    ]),
    ...changes.map((change) =>
      conditionalCase(context, records, { change, which: 'any', expected: 'done' }),
    ),
  );
}

/** A sequence for each: a change cannot be confirmed on a deleted record, or in another state. */
function endSequence(
  context: PlanContext,
  records: Records,
  { change, ending }: { readonly change: ConditionalChange; readonly ending: ConditionalChange },
): Sequence {
  return makeSequence(
    ...createAndRead(context, records, `for ${ending.draft.operation.id}`),
    ...changeAndRead(context, records, { change }),
    conditionalCase(context, records, { change: ending, which: 'first', expected: 'refused' }),
    ...withoutCondition(context, ending),
    conditionalCase(context, records, { change: ending, which: 'last', expected: 'done' }),
  );
}

/**
 * An action with a stale tag on a record that has a part: what a new record is refused for its lack
 * of parts shows nothing of the tag. Only what is to be refused is sent.
 */
function withPart(
  context: PlanContext,
  resource: Resource,
  records: Records,
  { change, ending }: { readonly change: ConditionalChange; readonly ending: ConditionalChange },
): Sequence[] {
  const part = context.contract.resources
    .filter(({ parents }) => parents.length === 1 && parents[0]?.resource === resource)
    .flatMap((one) => bodyDraftOf(context, one.operations.create) ?? [])[0];
  if (part === undefined) return [];
  const label = `${part.operation.id} before ${ending.draft.operation.id} under If-Match`;
  const what = `with a part, for ${ending.draft.operation.id}`;
  const [create, read] = createAndRead(context, records, what);
  if (create === undefined || read === undefined) return [];
  return [
    makeSequence(
      create,
      draftCase(part, {
        title: 'a part of the record is created',
        record: 'known',
        body: markedBody(part.body, part.body.value, { runId: context.runId, label }),
        extra: part.names.map(({ parameter }) => ({
          parameter,
          source: { kind: 'made', step: create.title, resource: resource.name },
        })),
      }),
      read,
      ...changeAndRead(context, records, { change }),
      conditionalCase(context, records, { change: ending, which: 'first', expected: 'refused' }),
    ),
  ];
}

function createAndRead(context: PlanContext, { create, read }: Records, what: string): Case[] {
  return [
    createStep(context, create, `a record is created, ${what} under conditions`),
    draftCase(read, { title: 'the created record is read, to see its ETag' }),
  ];
}

function changeAndRead(
  context: PlanContext,
  records: Records,
  { change, after }: Pick<Condition, 'change' | 'after'>,
): Case[] {
  return [
    conditionalCase(context, records, { change, after, which: 'last', expected: 'done' }),
    draftCase(records.read, { title: 'the changed record is read, to see its ETag' }),
  ];
}

interface Condition {
  readonly change: ConditionalChange;
  /** The change before it, if there is one. */
  readonly after?: ConditionalChange | undefined;
  readonly which: keyof typeof conditionTitles;
  readonly expected: Extract<Wanted, 'done' | 'refused'>;
}

/** Which states a condition names. */
const conditionTitles = {
  first: 'If-Match is an ETag that the record had before it was changed',
  last: 'If-Match is the ETag that the record was read with',
  any: 'If-Match is *, which every record matches',
} as const;

function conditionalCase(
  context: PlanContext,
  { create, read }: Records,
  { change: { draft, parameter }, after, which, expected }: Condition,
): Case {
  const { operation, body } = draft;
  const made = createdMembers(create);
  const before = membersAfter(context, made, after?.draft.body);
  const value = body && (expected === 'done' ? changedValue(context, body, before) : body.value);
  const sent: { body?: BodyTemplate } =
    body === undefined || value === undefined
      ? {}
      : {
          body: markedBody(body, value, {
            runId: context.runId,
            label: `${operation.id} ${expected} under If-Match`,
          }),
        };
  const anyTag: Argument = { parameter, source: { kind: 'value', value: '*' } };
  const argumentOf = (tag: typeof which): Argument =>
    tag === 'any' ? anyTag : tagArgument(parameter, read.operation, tag);
  return draftCase(draft, {
    title: conditionTitles[which],
    request: requestOf(draft, 'created', {
      ...sent,
      extra: [argumentOf(which)],
    }),
    intent: {
      kind: 'condition',
      at: joinPointer(operation.pointer, 'responses', '412'),
      wanted: expected,
    },
    optional: true,
    ...(expected === 'done'
      ? {
          control: () =>
            requestOf(draft, 'created', {
              ...sent,
              extra: [argumentOf(which === 'any' ? 'last' : 'any')],
            }),
        }
      : {}),
  });
}

/** The change without its condition, if the contract requires one. */
function withoutCondition({ runId }: PlanContext, { draft, parameter }: ConditionalChange): Case[] {
  const { operation, body } = draft;
  if (!parameter.required) return [];
  const label = `${operation.id} without If-Match`;
  const whole = requestOf(draft, 'created', {
    body: body && markedBody(body, body.value, { runId, label }),
  });
  return [
    makeCase({
      title: `${parameter.name} is missing`,
      phase: 'sequence',
      operation,
      request: {
        ...whole,
        arguments: whole.arguments.filter((argument) => argument.parameter !== parameter),
      },
      intent: invalidIntent(parameter, {
        at: joinPointer(parameter.pointer, 'required'),
        rule: `${parameter.name} is required`,
      }),
      // A record that was deleted without the condition cannot be deleted with it.
      ...(operation.method === 'DELETE' ? {} : { control: () => whole }),
    }),
  ];
}

/** A read with the ETag of the state before the change: the client does not have the new state. */
function readWithOldTag({ cache }: PlanContext, { read }: Records): Case[] {
  const testCase = taggedRead(read, cache.impliedHeaders, {
    title: 'If-None-Match is an ETag that the record had before it was changed',
    phase: 'sequence',
    record: 'created',
    which: 'first',
    expected: 'changed',
  });
  return testCase === undefined ? [] : [testCase];
}
