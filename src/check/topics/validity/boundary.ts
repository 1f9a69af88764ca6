import { isJsonPatch } from '../../../contract/words/read-patch.ts';
import { contentForm } from '../../../http/media-type.ts';
import { isInXml } from '../../../contract/content/write-xml.ts';
import { speaksXml } from '../../../contract/infer/conventions/envelope-styles.ts';
import type { Filter, MediaTypeSpec, Parameter } from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { immutableFields } from '../../../contract/words/read-immutable.ts';
import { isGoverned } from '../../../contract/protocols/read-protocols.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { splitPointer, valueAt } from '../../../json/pointer.ts';
import { stringifyJson } from '../../../json/value.ts';
import { boundaryValues } from '../../../values/boundary-values.ts';
import { exoticPlaces } from '../../../values/exotic-values.ts';
import type { LabelledValue } from '../../../values/labelled-value.ts';
import { reachedInBody, reachedInParameter } from '../../plan/input-classes.ts';
import { type Case, type Intent, makeSequence, type Sequence } from '../../model/case.ts';
import type { Draft, DraftBody } from '../../plan/draft.ts';
import { isSafe, readsBody, requestOf, withBody } from '../../plan/draft.ts';
import {
  isForHeader,
  keepsOnWire,
  nameValue,
  variedParameters,
} from '../../plan/argument-values.ts';
import { isShownValue, takesExpression } from '../../plan/expression-parameters.ts';
import { chooseValues, edgeBodies, oddBodies, spread } from '../../plan/body-values.ts';
import { shownBodies } from '../../plan/draft-body.ts';
import { refersAnew } from '../../reading/identifiers.ts';
import type { DraftWithBody } from '../../plan/make-create.ts';
import { hasBody, intentOf, isFragile, isGuess, makeCreate } from '../../plan/make-create.ts';
import { draftCase, plainIntent, type PlanContext, testedBefore } from '../../plan/plan-context.ts';
import { bodyRule } from '../../plan/refused-change.ts';

/**
 * Bodies at the edges of their schemas, for operations that create something. They are sent early:
 * later requests read what they create.
 */
export function planBodyBoundaries(context: PlanContext, draft: Draft): Sequence[] {
  if (!hasBody(draft) || !createsRecord(draft)) return [];
  return bodyCases(context, draft).map((edge) => makeSequence(edge));
}

/**
 * A few bodies at edges, and one in each media type, for operations that change a record, which is
 * always one of the run's own.
 */
export function planChangeBoundaries(context: PlanContext, draft: Draft): Sequence[] {
  const { budget, cache } = context;
  if (!hasBody(draft) || !readsBody(draft.operation) || createsRecord(draft)) return [];
  const kept = keptFields(draft);
  const edges = edgeBodies(draft.body, budget.edges, cache).filter(
    ({ at }) => !kept.includes(splitPointer(at)[0] ?? ''),
  );
  const chosen = chooseValues(plainLast(edges, draft.body), budget.changes, (edge) => edge);
  // A word of a list may be a state that allows no further change.
  const wordsLast = chosen.toSorted((left, right) => isWord(left) - isWord(right));
  return [
    ...otherMediaCases(context, draft),
    ...wordsLast.map((edge) => edgeCase(context, draft, edge)),
  ].map((testCase) => makeSequence(testCase));
}

/** The fields that keep the value of a record's create: a change of them may be refused. */
function keptFields({ role }: Draft): readonly string[] {
  if (role === undefined) return [];
  const { create, replace, update } = role.resource.operations;
  const writing = [create, replace, update].filter((operation) => operation !== undefined);
  return immutableFields(role.resource, writing.map(bodySchema));
}

function isWord({ valueClass }: LabelledValue): number {
  return valueClass === 'enum-value' ? 1 : 0;
}

/** Edges in their order, but those that the plain request has already behind all others. */
function plainLast(edges: readonly LabelledValue[], { value }: DraftBody): LabelledValue[] {
  const isPlain = (edge: LabelledValue): boolean => equalJson(edge.value, value);
  return [...edges.filter((edge) => !isPlain(edge)), ...edges.filter(isPlain)];
}

/** A POST creates something; other operations with a body change a record. */
function createsRecord({ operation, identifier }: DraftWithBody): boolean {
  return operation.method === 'POST' && identifier === undefined;
}

function bodyCases(context: PlanContext, draft: DraftWithBody): Case[] {
  const { body } = draft;
  const [, ...otherExamples] = shownBodies(body.media);
  return [
    makeCreate(context, draft, {
      title: 'a plain request',
      value: body.value,
      intent: plainIntent(draft),
    }),
    ...otherExamples.map(({ name, value, pointer }) =>
      makeCreate(context, draft, {
        title: `the body is the example ${name}`,
        value,
        intent: { kind: 'valid', rigour: 'plain', at: pointer },
      }),
    ),
    ...otherMediaCases(context, draft),
    ...edgeValues(context, draft).map((edge) => edgeCase(context, draft, edge)),
  ];
}

/** The plain request in each other media type of the operation. */
function otherMediaCases(context: PlanContext, draft: Draft): Case[] {
  return draft.otherBodies.map((body) =>
    makeCreate(context, withBody(draft, body), {
      title: `the body is ${body.mediaType}`,
      value: body.value,
      intent: {
        kind: 'valid',
        rigour: draft.invented || (isJsonPatch(body) && !body.shown) ? 'invented' : 'plain',
        at: body.media.pointer,
      },
      beside: draft,
    }),
  );
}

function edgeValues(
  { budget, cache }: PlanContext,
  { role, body, operation }: DraftWithBody,
): LabelledValue[] {
  // An answer in XML could not show such a text.
  const odd = oddBodies(body, budget.odd).filter(
    ({ value }) => !speaksXml(operation) || isInXml(value),
  );
  const edges = [...edgeBodies(body, budget.edges, cache), ...odd];
  // Fragile values are sent once, in a sequence that reads them back.
  return role?.action === 'create'
    ? edges.filter((edge) => edge.valueClass === 'enum-value' || !isFragile(edge))
    : edges;
}

function edgeCase(context: PlanContext, draft: DraftWithBody, edge: LabelledValue): Case {
  return makeCreate(context, draft, {
    title: bodyRule(edge.label),
    value: edge.value,
    at: edge.at,
    intent: bodyIntent(draft.body, edge),
    reaches: reachedInBody(edge),
  });
}

/**
 * The intent of a body: it may be refused for a reference that the plain body does not have, or for
 * the paths of a patch, because their targets may not exist.
 */
function bodyIntent(body: DraftBody, edge: LabelledValue): Intent {
  const intent = intentOf(edge);
  return intent.kind === 'valid' &&
    intent.rigour === 'plain' &&
    (isJsonPatch(body) ||
      refersAnew(edge.value, body.value) ||
      isGuess(edge, body.value) ||
      // The text that is said to be so encoded is not.
      (edge.at !== '' && encodings.has(String(valueAt(edge.value, edge.at) ?? ''))))
    ? { ...intent, rigour: 'invented' }
    : intent;
}

/** How JSON carries bytes (JSON Schema Validation 2020-12, section 8.3). */
const encodings = new Set(['base64', 'base64url', 'base32', 'base16', 'quoted-printable']);

/** Parameters at the edges of their schemas, one at a time, for operations that change nothing. */
export function planParameterBoundaries(context: PlanContext, draft: Draft): Sequence[] {
  if (!isSafe(draft.operation)) return [];
  return [...parameterCases(context, draft), ...acceptCases(draft)].map((edge) =>
    makeSequence(edge),
  );
}

function parameterCases(context: PlanContext, draft: Draft): Case[] {
  const { budget, givenHeaders } = context;
  const before = testedBefore(context, draft);
  // Valid requests have the value that the user gives for a header, and no other.
  const isGiven = ({ in: location, name }: Parameter): boolean =>
    location === 'header' && givenHeaders.has(name.toLowerCase());
  const parameters = variedParameters(draft.operation).filter(
    (parameter) => !isGiven(parameter) && !isOpaque(draft, parameter),
  );
  const untested = parameters.filter((parameter) => before(parameter) === 0);
  const edges = untested.flatMap((parameter) =>
    meantEdges(parameter, draft).map((edge) => ({
      parameter,
      edge,
      valueClass: edge.valueClass,
      at: `${parameter.in} ${parameter.name}`,
    })),
  );
  // Not every style can write every value.
  const chosen = chooseValues(edges, budget.edges, (edge) =>
    keepsOnWire(edge.parameter, edge.edge.value) ? edge : undefined,
  );
  return [
    ...chosen.map(({ parameter, edge }) => edgeArgumentCase(draft, parameter, edge)),
    ...parameters.flatMap((parameter) => seenValueCase(draft, parameter)),
  ];
}

/**
 * Whether only a response or a protocol can provide a value of a parameter: a cursor, a page token,
 * an entity tag, a mask. A made-up valid value means nothing to the server.
 */
export function isOpaque({ role, operation }: Draft, parameter: Parameter): boolean {
  if (isGoverned(operation, parameter)) return true;
  const ways = role?.resource.list?.paging ?? [];
  if (ways.some((way) => way.kind === 'cursor' && way.parameter === parameter)) return true;
  const { node, types } = parameter.schema.flatten();
  const isText = types.includes('string') && node.enum === undefined && node.format === undefined;
  return isText && (opaqueNames.test(parameter.name) || tokensOfLinks.has(parameter.name));
}

/** What only the links of a service contain (OData 4.01, protocol, sections 11.2.6.7 and 11.3). */
const tokensOfLinks = new Set(['$skiptoken', '$deltatoken']);

const opaqueNames =
  /^((next|prev(ious)?|page|start|end|starting|ending)[-_]?)?(cursor|token|continuation|marker|etag|after|before)([-_]?token)?$/i;

/** The edges of a parameter; of one that takes expressions, those that the contract shows. */
function meantEdges(parameter: Parameter, draft: Draft): LabelledValue[] {
  const edges = edgesOf(parameter, draft);
  return takesExpression(draft, parameter) ? edges.filter(isShownValue) : edges;
}

function edgesOf(parameter: Parameter, draft: Draft): LabelledValue[] {
  const { schema } = parameter;
  const edges = [
    ...boundaryValues(schema, 'request'),
    ...smallPages(draft, parameter),
    ...spread(exoticPlaces(schema, 'request'), 4, (value) => value),
  ];
  const byValue = new Map(edges.toReversed().map((edge) => [stringifyJson(edge.value), edge]));
  const distinct = [...byValue.values()].reverse().filter((edge) => isForHeader(parameter, edge));
  // Only listed values of a path address existing resources.
  return parameter.in === 'path'
    ? distinct.filter(
        ({ value, valueClass }) =>
          value !== '' &&
          !draft.names.some((name) => name.parameter === parameter) &&
          (valueClass === 'enum-value' || valueClass === 'boolean-value'),
      )
    : distinct;
}

/** Pages of one and of two records: the smallest that show whether a limit is applied. */
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

function edgeArgumentCase(draft: Draft, parameter: Parameter, edge: LabelledValue): Case {
  return draftCase(draft, {
    title: nameValue(edge.label, parameter),
    phase: 'boundary',
    record: 'known',
    extra: [{ parameter, source: { kind: 'value', value: edge.value } }],
    intent: argumentIntent(edge),
    reaches: reachedInParameter(parameter, edge),
    control: requestOf(draft, 'known'),
  });
}

/**
 * A made-up list of texts may be refused: the service may accept only certain texts. So may a list
 * without items, which is an empty text or nothing in an address (RFC 6570, section 3.2).
 */
function argumentIntent(edge: LabelledValue): Intent {
  const intent = intentOf(edge);
  const isDoubtful = isGuess(edge, undefined) || equalJson(edge.value, []);
  return intent.kind === 'valid' && intent.rigour === 'plain' && isDoubtful
    ? { ...intent, rigour: 'invented' }
    : intent;
}

/** A filter without an enumeration, with a value that some record has. */
function seenValueCase(draft: Draft, parameter: Parameter): Case[] {
  const { role } = draft;
  const filter = filterOf(draft, parameter);
  const isEnumerated = parameter.schema.flatten().node.enum !== undefined;
  if (filter === undefined || role === undefined || isEnumerated) return [];
  const source = { kind: 'field', resource: role.resource.name, field: filter.field } as const;
  return [
    draftCase(draft, {
      title: `${parameter.name} is what a record has`,
      phase: 'boundary',
      record: 'known',
      extra: [{ parameter, source }],
      intent: { kind: 'valid', rigour: 'plain', at: parameter.pointer },
      control: requestOf(draft, 'known'),
    }),
  ];
}

function filterOf({ role }: Draft, parameter: Parameter): Filter | undefined {
  return role?.resource.list?.filters.find((filter) => filter.parameter === parameter);
}

/**
 * The plain request for each media type of a success, if there are several. A server may refuse
 * all but its own.
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
    .filter((media) => !media.mediaType.includes('*') && canHold(media))
    .map(({ mediaType, pointer }) =>
      draftCase(draft, {
        title: `the answer is asked for as ${mediaType}`,
        phase: 'boundary',
        request: { ...requestOf(draft, 'known'), headers: [['Accept', mediaType]] },
        intent: { kind: 'valid', rigour: 'invented', at: pointer },
        control: requestOf(draft, 'known'),
      }),
    );
}

/** A form holds the members of an object: a list has no form (OpenAPI 3.1, section 4.8.14.4). */
function canHold({ mediaType, schema }: MediaTypeSpec): boolean {
  const types = schema?.flatten().types ?? [];
  return contentForm(mediaType) !== 'form' || types.length === 0 || types.includes('object');
}
