import type { Pointer } from '../../json/pointer.ts';
import { defined } from '../../json/defined.ts';
import type { JsonValue } from '../../json/value.ts';
import type { LabelledValue, ValueClass } from '../../values/labelled-value.ts';
import {
  makeCase,
  makeSequence,
  type Case,
  type Intent,
  type Reach,
  type RequestTemplate,
  type Sequence,
} from '../case.ts';
import type { Phase } from '../event.ts';
import { bodyOf, requestOf, type Draft } from './draft.ts';
import { markBody } from './mark-body.ts';
import { draftOf, plainIntent, type PlanContext } from './plan-context.ts';

/** A body to send, what it shows, and the place in it that is put to the test. */
export interface Creation {
  readonly title: string;
  readonly value: JsonValue;
  readonly at?: Pointer;
  readonly intent: Intent;
  readonly reaches?: readonly Reach[];
  /** `boundary` unless told. */
  readonly phase?: Phase;
}

/** A case that sends a body of its own, with the plain body as its control. */
export function makeCreate(
  context: PlanContext,
  draft: Draft,
  { title, value, at, intent, reaches, phase = 'boundary' }: Creation,
): Case {
  const { body, operation } = draft;
  const control =
    body === undefined || value === body.value
      ? {}
      : {
          control: () =>
            written(context, draft, { value: body.value, label: `${phase} ${title} control`, at }),
        };
  return makeCase({
    title,
    phase,
    operation,
    request: written(context, draft, { value, label: `${phase} ${title}`, at }),
    intent,
    ...control,
    ...defined({ reaches }),
  });
}

function written(
  { runId }: PlanContext,
  draft: Draft,
  {
    value,
    label,
    at,
  }: Pick<LabelledValue, 'value' | 'label'> & { readonly at: Pointer | undefined },
): RequestTemplate {
  const { body, operation } = draft;
  return requestOf(
    draft,
    'own',
    body === undefined
      ? {}
      : {
          body: bodyOf(
            body,
            markBody(body, value, {
              runId,
              label: `${operation.id} ${label}`,
              ...defined({ at }),
            }),
          ),
        },
  );
}

/** Enough that two of them meet in a server that counts its identifiers without a lock. */
const atOnce = 6;

/** The plain create of each resource several times at the same moment. */
export function planConcurrent(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap(({ operations }) => {
    const create = draftOf(context, operations.create);
    if (create?.body === undefined) return [];
    const { value } = create.body;
    const creates = Array.from({ length: atOnce }, (_one, index) =>
      makeCreate(context, create, {
        title: `a record is created at the same moment as others (${String(index + 1)} of ${String(atOnce)})`,
        value,
        intent: plainIntent(create),
        phase: 'sequence',
      }),
    );
    return [{ ...makeSequence(...creates), concurrent: true as const }];
  });
}

/**
 * 64-bit integers, enum values and texts beyond ASCII: what a server is most likely to keep
 * otherwise than it was given.
 */
export function isFragile({ valueClass, label }: LabelledValue): boolean {
  if (valueClass === 'exotic')
    return /bytes$|right to left|combining|quote|HTML|double does not hold/.test(label);
  return valueClass === 'enum-value' || valueClass === 'integer-edge';
}

/** What a labelled value is sent for. */
export function intentOf({ valueClass, pointer }: LabelledValue): Intent {
  return {
    kind: 'valid',
    rigour: exoticClasses.includes(valueClass) ? 'exotic' : 'plain',
    at: pointer,
  };
}

/**
 * Values that no keyword of the contract asks for: valid, but a documented refusal of them proves
 * nothing.
 */
const exoticClasses: readonly ValueClass[] = ['integer-edge', 'zero', 'format-edge', 'exotic'];
