import type { Filter, Parameter } from '../../contract/model.ts';
import { defined } from '../../json/defined.ts';
import type { Pointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { boundaryValues } from '../../values/boundary-values.ts';
import { exoticPlaces } from '../../values/exotic-values.ts';
import type { LabelledValue, ValueClass } from '../../values/labelled-value.ts';
import { reachedInBody, reachedInParameter } from '../coverage/input-classes.ts';
import {
  type Case,
  type Intent,
  makeCase,
  makeSequence,
  type Reach,
  type Sequence,
} from '../model/case.ts';
import type { Phase } from '../model/phase.ts';
import type { RequestTemplate } from '../model/request-template.ts';
import { bodyOf, type Draft, type DraftBody, isSafe, requestOf } from './draft.ts';
import { edgeBodies, oddBodies, spread } from './draft/body-values.ts';
import { chooseValues } from './draft/choose-values.ts';
import { shownBodies } from './draft/draft-body.ts';
import { keepsOnWire, nameValue } from './draft/invalid-arguments.ts';
import { isPatch, refersAnew } from './draft/references.ts';
import { variedParameters } from './draft/varied-parameters.ts';
import { markBody } from './mark-body.ts';
import { plainIntent, type PlanContext } from './plan-context.ts';

/**
 * Values that no keyword of the contract asks for: valid, but a documented refusal of them proves
 * nothing.
 */
const exoticClasses: readonly ValueClass[] = ['integer-edge', 'zero', 'format-edge', 'exotic'];

/**
 * Bodies at the edges of their schemas, for operations that make something new. They come first:
 * what they create is read later.
 */
export function planBodyBoundaries(context: PlanContext, drafts = context.drafts): Sequence[] {
  return drafts
    .filter(makesSomethingNew)
    .flatMap((draft) => bodyCases(context, draft).map((edge) => makeSequence(edge)));
}

/**
 * A few bodies at edges, and one in each media type, for operations that change a record: always
 * one of the run's own.
 */
export function planChangeBoundaries(context: PlanContext, drafts = context.drafts): Sequence[] {
  return drafts
    .filter(
      (draft) => draft.body !== undefined && !isSafe(draft.operation) && !makesSomethingNew(draft),
    )
    .flatMap((draft) => {
      const edges =
        draft.body === undefined
          ? []
          : chooseValues(
              edgeBodies(draft.body, context.room.edges),
              context.room.changes,
              (edge) => edge,
            );
      return [
        ...otherMediaCases(context, draft),
        ...edges.map((edge) => edgeCase(context, draft, edge)),
      ].map((tried) => makeSequence(tried));
    });
}

function edgeCase(context: PlanContext, draft: Draft, edge: LabelledValue): Case {
  return makeCreate(context, draft, {
    title: edge.label.replace(/^the value /, 'the body '),
    value: edge.value,
    at: edge.at,
    intent: bodyIntent(draft, edge),
    reaches: reachedInBody(edge),
  });
}

/**
 * A POST makes something new; whatever else has a body changes a record, and has its turn in the
 * sequences.
 */
function makesSomethingNew({ operation, body, identifier }: Draft): boolean {
  return operation.method === 'POST' && identifier === undefined && body !== undefined;
}

function bodyCases(context: PlanContext, draft: Draft): Case[] {
  const { body } = draft;
  if (body === undefined) return [];
  const examples = shownBodies(body.media);
  return [
    makeCreate(context, draft, {
      title: 'a plain request',
      value: body.value,
      intent: plainIntent(draft),
    }),
    ...examples.slice(1).map(({ name, value, pointer }) =>
      makeCreate(context, draft, {
        title: `the body is the example ${name}`,
        value,
        intent: { kind: 'valid', rigour: 'plain', at: pointer },
      }),
    ),
    ...otherMediaCases(context, draft),
    ...edgeValues(context, draft, body).map((edge) => edgeCase(context, draft, edge)),
  ];
}

/** The plain request once in each other media type that the operation takes. */
function otherMediaCases(context: PlanContext, draft: Draft): Case[] {
  return draft.otherBodies.map((body) =>
    makeCreate(
      context,
      { ...draft, body },
      {
        title: `the body is ${body.mediaType}`,
        value: body.value,
        intent: {
          kind: 'valid',
          rigour: draft.invented || (isPatch(body) && !body.shown) ? 'invented' : 'plain',
          at: body.media.pointer,
        },
      },
    ),
  );
}

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

function edgeValues({ room }: PlanContext, { role }: Draft, body: DraftBody): LabelledValue[] {
  const edges = [...edgeBodies(body, room.edges), ...oddBodies(body, room.odd)];
  // What is easily mangled is sent once, where it is read back too.
  return role?.action === 'create'
    ? edges.filter((edge) => edge.valueClass === 'enum-value' || !isFragile(edge))
    : edges;
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
 * A body that refers to a record of which the plain one says nothing, or to places in a record, may
 * be refused for that: nobody knows whether there is one.
 */
function bodyIntent({ body }: Draft, edge: LabelledValue): Intent {
  const intent = intentOf(edge);
  return intent.kind === 'valid' &&
    intent.rigour === 'plain' &&
    ((body !== undefined && isPatch(body)) || refersAnew(edge.value, body?.value))
    ? { ...intent, rigour: 'invented' }
    : intent;
}

/** Parameters at the edges of their schemas, one at a time, on operations that change nothing. */
export function planParameterBoundaries(context: PlanContext, drafts = context.drafts): Sequence[] {
  return drafts
    .filter(({ operation }) => isSafe(operation))
    .flatMap((draft) =>
      [...parameterCases(context, draft), ...acceptCases(draft)].map((edge) => makeSequence(edge)),
    );
}

/**
 * The plain request once for each media type in which a success may come, where there are several.
 * A server may have its reasons for another one.
 */
function acceptCases(draft: Draft): Case[] {
  const { operation } = draft;
  const types = new Map(
    operation.responses
      .filter(({ status }) => status.startsWith('2'))
      .flatMap(({ content }) => content.map((media) => [media.mediaType, media] as const)),
  );
  if (types.size < 2) return [];
  return [...types.values()]
    .filter(({ mediaType }) => !mediaType.includes('*'))
    .map(({ mediaType, pointer }) =>
      makeCase({
        title: `the answer is asked for as ${mediaType}`,
        phase: 'boundary',
        operation,
        request: { ...requestOf(draft, 'known'), headers: [['Accept', mediaType]] },
        intent: { kind: 'valid', rigour: 'invented', at: pointer },
        control: requestOf(draft, 'known'),
      }),
    );
}

function parameterCases({ room, givenHeaders }: PlanContext, draft: Draft): Case[] {
  // Valid requests have the value that the user gives for a header, and no other.
  const isGiven = ({ in: place, name }: Parameter): boolean =>
    place === 'header' && givenHeaders.has(name.toLowerCase());
  const parameters = variedParameters(draft.operation).filter((parameter) => !isGiven(parameter));
  const edges = parameters.flatMap((parameter) =>
    edgesOf(parameter, draft).map((edge) => ({
      parameter,
      edge,
      valueClass: edge.valueClass,
      at: `${parameter.in} ${parameter.name}`,
    })),
  );
  const seen = parameters
    .filter((parameter) => filterOf(draft, parameter) !== undefined)
    .flatMap((parameter) => seenValueCase(draft, parameter));
  // Not every style can say every value.
  const chosen = chooseValues(edges, room.edges, (tried) =>
    keepsOnWire(tried.parameter, tried.edge.value) ? tried : undefined,
  );
  return [
    ...chosen.map(({ parameter, edge }) => makeParameterCase(draft, parameter, edge)),
    ...seen,
  ];
}

function edgesOf(parameter: Parameter, draft: Draft): LabelledValue[] {
  const { schema } = parameter;
  const edges = [
    ...boundaryValues(schema, 'request'),
    ...smallPages(draft, parameter),
    ...spread(exoticPlaces(schema, 'request'), 4, (value) => value),
  ];
  const byValue = new Map(edges.toReversed().map((edge) => [stringifyJson(edge.value), edge]));
  const distinct = [...byValue.values()].reverse();
  // Of a path, only what the contract lists leads anywhere.
  return parameter.in === 'path'
    ? distinct.filter(
        ({ value, valueClass }) =>
          value !== '' &&
          !isName(draft, parameter) &&
          (valueClass === 'enum-value' || valueClass === 'boolean-value'),
      )
    : distinct;
}

function isName({ names }: Draft, parameter: Parameter): boolean {
  return names.some((name) => name.parameter === parameter);
}

/** Pages of one and of two: the smallest that show whether a limit is kept. */
function smallPages({ role }: Draft, parameter: Parameter): LabelledValue[] {
  if (role?.resource.list?.limit?.parameter !== parameter) return [];
  const valid = [1, 2].filter((value) => parameter.schema.accepts(value, 'request'));
  return valid.map((value) => ({
    value,
    label: `the value is ${String(value)}`,
    valueClass: 'inside-minimum',
    at: '',
    pointer: parameter.pointer,
  }));
}

function makeParameterCase(draft: Draft, parameter: Parameter, edge: LabelledValue): Case {
  const { operation } = draft;
  return makeCase({
    title: nameValue(edge.label, parameter),
    phase: 'boundary',
    operation,
    request: requestOf(draft, 'known', {
      extra: [{ parameter, source: { kind: 'value', value: edge.value } }],
    }),
    intent: intentOf(edge),
    reaches: reachedInParameter(parameter, edge),
    control: requestOf(draft, 'known'),
  });
}

function filterOf({ role }: Draft, parameter: Parameter): Filter | undefined {
  return role?.resource.list?.filters.find((filter) => filter.parameter === parameter);
}

/** A filter without an enumeration is asked for a value that some record really has. */
function seenValueCase(draft: Draft, parameter: Parameter): Case[] {
  const filter = filterOf(draft, parameter);
  if (
    filter === undefined ||
    draft.role === undefined ||
    parameter.schema.flatten().node.enum !== undefined
  )
    return [];
  const source = {
    kind: 'field',
    resource: draft.role.resource.name,
    field: filter.field,
  } as const;
  const request = requestOf(draft, 'known', { extra: [{ parameter, source }] });
  const intent: Intent = { kind: 'valid', rigour: 'plain', at: parameter.pointer };
  return [
    makeCase({
      title: `${parameter.name} is what a record has`,
      phase: 'boundary',
      operation: draft.operation,
      request,
      intent,
      control: requestOf(draft, 'known'),
    }),
  ];
}
