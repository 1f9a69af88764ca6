import type { Parameter, Resource } from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { makeCase, makeSequence, type Case, type Sequence, type Wanted } from '../../model/case.ts';
import { makeCreate } from '../boundary.ts';
import { declaredHeader } from '../draft/condition-header.ts';
import { operationFor } from '../draft/operation-for.ts';
import { bodyOf, requestOf, type Draft } from '../draft.ts';
import { markBody } from '../mark-body.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';
import { changedValue } from '../sequence.ts';
import { tagArgument } from './tag-argument.ts';
import { taggedRead } from './tagged-read.ts';

/**
 * Create, read, change with the ETag that was read, read, change with the ETag from before: as far
 * as replacement, update and deletion take If-Match and document 412. A read that documents 304 is
 * asked with the old ETag too. Only the run's own records are touched.
 */
export function planConditionalChanges(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const [create, read] = [
      draftOf(context, resource.operations.create),
      draftOf(context, operationFor(context.contract, resource, 'read')),
    ];
    const [replace, update, remove] = (['replace', 'update', 'delete'] as const).map((action) =>
      conditional(context, resource, action),
    );
    const changes = [replace, update].filter((change) => change !== undefined);
    const [change] = changes;
    if (create?.body === undefined || read === undefined || change === undefined) return [];
    const { value } = create.body;
    const beginning = (what: string): Case[] => [
      makeCreate(context, create, {
        title: `a record is created, to be ${what} under conditions`,
        value,
        intent: plainIntent(create),
        phase: 'sequence',
      }),
      reading(read, 'the created record is read, to see its ETag'),
    ];
    const changed = (one: Conditional): Case[] => [
      changing(context, read, { change: one, which: 'last', wanted: 'done' }),
      reading(read, 'the changed record is read, to see its ETag'),
    ];
    const stale = (one: Conditional): Case =>
      changing(context, read, { change: one, which: 'first', wanted: 'refused' });
    return [
      makeSequence(
        ...beginning('changed'),
        ...changes.flatMap((one) => [
          ...changed(one),
          ...oldTag(read),
          stale(one),
          ...unconditional(context, one),
        ]),
      ),
      // What is deleted can no longer be asked for when a change is made sure of.
      ...(remove === undefined
        ? []
        : [
            makeSequence(
              ...beginning('deleted'),
              ...changed(change),
              stale(remove),
              ...unconditional(context, remove),
              changing(context, read, { change: remove, which: 'last', wanted: 'done' }),
            ),
          ]),
    ];
  });
}

/** An operation that changes a record, and takes the condition. */
interface Conditional {
  readonly draft: Draft;
  readonly parameter: Parameter;
}

function conditional(
  context: PlanContext,
  resource: Resource,
  action: 'replace' | 'update' | 'delete',
): Conditional | undefined {
  const draft = draftOf(context, operationFor(context.contract, resource, action));
  const parameter =
    draft && documents(draft.operation, '412')
      ? declaredHeader(draft.operation, 'If-Match')
      : undefined;
  return draft === undefined || parameter === undefined ? undefined : { draft, parameter };
}

function reading(draft: Draft, title: string): Case {
  return makeCase({
    title,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'created'),
    intent: plainIntent(draft),
  });
}

interface Changing {
  readonly change: Conditional;
  readonly which: 'first' | 'last';
  readonly wanted: Extract<Wanted, 'done' | 'refused'>;
}

function changing(
  { runId }: PlanContext,
  read: Draft,
  { change: { draft, parameter }, which, wanted }: Changing,
): Case {
  const { operation, body } = draft;
  const value = body && (wanted === 'done' ? changedValue(body) : body.value);
  const marked =
    body === undefined || value === undefined
      ? {}
      : {
          body: bodyOf(
            body,
            markBody(body, value, { runId, label: `${operation.id} ${wanted} under If-Match` }),
          ),
        };
  return makeCase({
    title:
      which === 'last'
        ? 'If-Match is the ETag that the record was read with'
        : 'If-Match is an ETag that the record had before it was changed',
    phase: 'sequence',
    operation,
    request: requestOf(draft, 'created', {
      ...marked,
      extra: [tagArgument(parameter, read.operation, which)],
    }),
    intent: { kind: 'condition', at: joinPointer(operation.pointer, 'responses', '412'), wanted },
    optional: true,
    // Whatever state there is keeps this. Where a change was done, nothing is left that it could be
    // done to.
    ...(wanted === 'done'
      ? {
          control: () =>
            requestOf(draft, 'created', {
              ...marked,
              extra: [{ parameter, source: { kind: 'value', value: '*' } }],
            }),
        }
      : {}),
  });
}

/** The change without its condition, where the contract requires one. */
function unconditional({ runId }: PlanContext, { draft, parameter }: Conditional): Case[] {
  const { operation, body } = draft;
  if (!parameter.required) return [];
  const marked =
    body === undefined
      ? {}
      : {
          body: bodyOf(
            body,
            markBody(body, body.value, { runId, label: `${operation.id} without If-Match` }),
          ),
        };
  const whole = requestOf(draft, 'created', marked);
  return [
    makeCase({
      title: `${parameter.name} is missing`,
      phase: 'sequence',
      operation,
      request: {
        ...whole,
        arguments: whole.arguments.filter((argument) => argument.parameter !== parameter),
      },
      intent: {
        kind: 'invalid',
        at: joinPointer(parameter.pointer, 'required'),
        rule: `${parameter.name} is required`,
        part: 'header',
        subject: parameter.name,
        accepted: 'error',
      },
      // What was deleted without it cannot be deleted with it.
      ...(operation.method === 'DELETE'
        ? {}
        : { control: () => requestOf(draft, 'created', marked) }),
    }),
  ];
}

/** The record as it was: whoever has that does not have what there is now. */
function oldTag(read: Draft): Case[] {
  const tried = taggedRead(read, {
    title: 'If-None-Match is an ETag that the record had before it was changed',
    phase: 'sequence',
    record: 'created',
    which: 'first',
    wanted: 'changed',
  });
  return tried === undefined ? [] : [tried];
}
