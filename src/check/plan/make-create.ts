import { wordsIn } from '../../words-in.ts';
import type { Operation, Resource } from '../../contract/model.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { LabelledValue, ValueClass } from '../../values/labelled-value.ts';
import type { Case, Intent, Reach, Sequence } from '../model/case.ts';
import { hash, makeCase, makeSequence } from '../model/case.ts';
import type { Phase } from '../model/phase.ts';
import type { Argument, RequestTemplate } from '../model/request-template.ts';
import { type Draft, requestOf } from './draft.ts';
import type { DraftBody } from './draft-body.ts';
import { namesBefore } from '../reading/path-names.ts';
import { markedBody } from './mark-body.ts';
import { draftFor, draftOf, plainIntent, type PlanContext } from './plan-context.ts';

/** A body to send, what it shows, and the place in it that is tested. */
export interface Creation {
  readonly title: string;
  readonly value: JsonValue;
  readonly at?: Pointer;
  readonly intent: Intent;
  readonly reaches?: readonly Reach[];
  /** Default: `boundary`. */
  readonly phase?: Phase;
  /** The draft whose plain request is the control. Default: the same, for a value that differs. */
  readonly beside?: Draft;
}

/** A case that sends its own body, with the plain body as its control. */
export function makeCreate(context: PlanContext, draft: Draft, creation: Creation): Case {
  const { title, value, at, intent, reaches, phase = 'boundary' } = creation;
  const { body, operation } = draft;
  const isPlain = body === undefined || value === body.value;
  const { beside = isPlain ? undefined : draft } = creation;
  const usual = beside?.body;
  const control =
    beside === undefined || usual === undefined
      ? {}
      : {
          control: () =>
            markedRequest(context, beside, {
              value: usual.value,
              label: `${phase} ${title} control`,
              at,
            }),
        };
  return makeCase({
    title,
    phase,
    operation,
    request: markedRequest(context, draft, { value, label: `${phase} ${title}`, at }),
    intent,
    ...control,
    reaches,
  });
}

interface MarkedValue {
  readonly value: JsonValue;
  readonly label: string;
  readonly at: Pointer | undefined;
}

function markedRequest(
  { runId }: PlanContext,
  draft: Draft,
  { value, label, at }: MarkedValue,
): RequestTemplate {
  const { body, operation } = draft;
  const named = draft.isNaming === true ? ownName(draft, runId, label) : undefined;
  return requestOf(draft, 'own', {
    ...(named === undefined ? {} : { extra: [named] }),
    body: body && markedBody(body, value, { runId, label: `${operation.id} ${label}`, at }),
  });
}

/** A draft that has a body. */
export type DraftWithBody = Draft & { readonly body: DraftBody };

/** The draft of an operation; undefined if it gets no requests, or has no body. */
export function bodyDraftOf(
  context: PlanContext,
  operation: Operation | undefined,
): DraftWithBody | undefined {
  const draft = draftOf(context, operation);
  return draft !== undefined && hasBody(draft) ? draft : undefined;
}

/**
 * The draft that makes records of a resource: its create, or, where clients name records, the
 * request that puts one under a name.
 */
export function creationOf(context: PlanContext, resource: Resource): DraftWithBody | undefined {
  const { operations } = resource;
  const create = bodyDraftOf(context, operations.create);
  if (create !== undefined || operations.create !== undefined) return create;
  const named = namingDraft(context, resource);
  if (named === undefined || ownName(named, context.runId, '') === undefined) return undefined;
  return { ...named, isNaming: true, plainRequests: new Map() };
}

/** The draft of the request that puts a record of a resource under a name, if it has a body. */
export function namingDraft(context: PlanContext, resource: Resource): DraftWithBody | undefined {
  const named = bodyDraftOf(context, resource.namedCreate);
  return named && { ...named, names: namesBefore(context.contract, resource, named.names) };
}

/** The same, or that of another path to the same set of records. */
export function creationFor(context: PlanContext, resource: Resource): DraftWithBody | undefined {
  const views = context.contract.resources.filter(
    ({ collection }) => collection === resource.collection,
  );
  return [resource, ...views].flatMap((view) => creationOf(context, view) ?? [])[0];
}

/** The draft for an action on a resource, by any path to its records, if it has a body. */
export function bodyDraftFor(
  context: PlanContext,
  resource: Resource,
  action: 'replace' | 'update',
): DraftWithBody | undefined {
  const draft = draftFor(context, resource, action);
  return draft !== undefined && hasBody(draft) ? draft : undefined;
}

/** A name that bears the mark of the run, and that no other record can have. */
export function ownName(
  { operation, identifier }: Draft,
  runId: string,
  label: string,
): Argument | undefined {
  if (identifier === undefined) return undefined;
  const digest = hash(`${operation.id} ${label}`);
  const mark = `${runId}-${digest.slice(0, 6)}`;
  const uuid = `${digest.slice(0, 8)}-${hash(runId).slice(0, 4)}-4a5b-8c7d-${hash(mark)}00`;
  const value = [mark, uuid].find((name) => identifier.schema.accepts(name, 'request'));
  return value === undefined
    ? undefined
    : { parameter: identifier, source: { kind: 'value', value } };
}

export function hasBody(draft: Draft): draft is DraftWithBody {
  return draft.body !== undefined;
}

/** The plain create as a step of a sequence. */
export function createStep(context: PlanContext, create: DraftWithBody, title: string): Case {
  return createWith(context, create, { title, value: create.body.value });
}

/** A create of a plain value as a step of a sequence. */
export function createWith(
  context: PlanContext,
  create: Draft,
  { title, value }: Pick<Creation, 'title' | 'value'>,
): Case {
  const intent = plainIntent(create);
  return makeCreate(context, create, { title, value, intent, phase: 'sequence' });
}

/** Enough parallel requests to collide in a server that counts identifiers without a lock. */
const atOnce = 6;

/** The plain create of each resource, sent several times in parallel. */
export function planConcurrent(context: PlanContext, resource: Resource): Sequence[] {
  const create = creationOf(context, resource);
  if (create === undefined) return [];
  const creates = Array.from({ length: atOnce }, (_one, index) => {
    const count = `${String(index + 1)} of ${String(atOnce)}`;
    const title = `a record is created at the same moment as others (${count})`;
    return createStep(context, create, title);
  });
  return [{ ...makeSequence(...creates), concurrent: true as const }];
}

/**
 * 64-bit integers, enum values and texts beyond ASCII: the values that a server is most likely to
 * store wrongly.
 */
export function isFragile({ valueClass, label }: LabelledValue): boolean {
  if (valueClass === 'exotic')
    return /bytes$|right to left|combining|quote|HTML|double does not hold/.test(label);
  return isFragileEdge({ valueClass });
}

/** The same for an edge of the schema, which is known by its class. */
export function isFragileEdge({ valueClass }: Pick<LabelledValue, 'valueClass'>): boolean {
  return valueClass === 'enum-value' || valueClass === 'integer-edge';
}

/** Valid values that no keyword requires: a documented refusal of them proves nothing. */
const exoticClasses: readonly ValueClass[] = ['integer-edge', 'zero', 'format-edge', 'exotic'];

/** The intent of sending a labelled valid value. */
export function intentOf({ valueClass, pointer }: LabelledValue): Intent {
  return {
    kind: 'valid',
    rigour: exoticClasses.includes(valueClass) ? 'exotic' : 'plain',
    at: pointer,
  };
}

/**
 * Classes of values that test no bound of a text: a made-up text in them is a guess, and a
 * documented refusal of it proves nothing.
 */
const guessedClasses: readonly ValueClass[] = wordsIn(
  'type branch fewest-items most-items several-items fewest-properties most-properties',
  'all-optional',
);

/** Whether a value has a made-up text that the plain value does not have. */
export function isGuess(
  { valueClass, value }: LabelledValue,
  plain: JsonValue | undefined,
): boolean {
  if (!guessedClasses.includes(valueClass)) return false;
  const known = new Set(plain === undefined ? [] : textsIn(plain));
  return textsIn(value).some((text) => !known.has(text));
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (isJsonArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
