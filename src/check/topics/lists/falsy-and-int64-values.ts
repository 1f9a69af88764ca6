import type { Resource, Schema } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { boundaryCandidates } from '../../../values/boundary-values.ts';
import { judgedValues } from '../../../values/candidate-value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { type Case, type Intent, makeSequence, type Sequence } from '../../model/case.ts';
import type { Draft, DraftBody } from '../../plan/draft.ts';
import {
  bodyDraftFor,
  type Creation,
  type DraftWithBody,
  makeCreate,
} from '../../plan/make-create.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { saysSomething } from '../../reading/shown-fields.ts';
import { draftCase, draftFor, type PlanContext } from '../../plan/plan-context.ts';

/** The first integer that a double cannot hold. */
const beyondDoubles = 9_007_199_254_740_993n;

/**
 * Values that software often takes for absent, or rounds: `false`, 0, null and 64-bit integers, in
 * a create, and in a change from another value.
 */
export function planFalsyAndInt64Values(
  context: PlanContext,
  resource: Resource,
  create: DraftWithBody,
): Sequence[] {
  const read = draftFor(context, resource, 'read');
  if (read === undefined) return [];
  const changes = [
    bodyDraftFor(context, resource, 'replace'),
    bodyDraftFor(context, resource, 'update'),
  ].filter((change) => change !== undefined);
  return [
    ...createFalsy(context, create, read),
    ...changes.flatMap((change) => [
      ...changeToFalsy(context, { create, change, read }),
      ...changeToNull(context, { create, change, read }, resource),
      ...changeToInt64(context, { create, change, read }),
    ]),
  ];
}

/** A create, a change of its record, and the read that shows the change. */
interface Chain {
  readonly create: DraftWithBody;
  readonly change: DraftWithBody;
  readonly read: Draft;
}

function createFalsy(context: PlanContext, create: DraftWithBody, read: Draft): Sequence[] {
  const falsy = withFalsyFields(create.body);
  if (falsy === undefined) return [];
  return [
    makeSequence(
      createExotic(context, create, {
        title: 'a record is created with false and 0',
        value: falsy,
      }),
      readCreated(read, 'the created record is read'),
    ),
  ];
}

/** True becomes false, and numbers become 0. */
function changeToFalsy(context: PlanContext, { create, change, read }: Chain): Sequence[] {
  const truthy = withTruthyFields(create.body);
  const falsy = withFalsyFields(change.body);
  if (truthy === undefined || falsy === undefined) return [];
  const title = `a record is created for ${change.operation.id} to set to false and 0`;
  return [
    makeSequence(
      createExotic(context, create, { title, value: truthy }),
      readCreated(read, 'the created record is read'),
      changeTo(context, change, { title: 'the created record gets false and 0', value: falsy }),
      readCreated(read, 'the record is read after it got false and 0'),
    ),
  ];
}

/**
 * Values become null where the schema allows it, and has no default that may replace null. What
 * refers to another record has the value of the plain body, or none.
 */
function changeToNull(
  context: PlanContext,
  { create, change, read }: Chain,
  { foreignKeys }: Resource,
): Sequence[] {
  const empty = withFields(change.body, ({ node, types }) =>
    types.includes('null') && (node.default ?? null) === null ? [null] : [],
  );
  if (empty === undefined) return [];
  const names = Object.keys(empty).filter((name) => empty[name] === null);
  const plain = isJsonObject(create.body.value) ? create.body.value : {};
  const refers = (name: string): boolean => foreignKeys.some(({ field }) => field === name);
  const full = withFields(create.body, ({ name, makePlain }) => {
    const own = plain[name] ?? (refers(name) ? null : makePlain());
    return names.includes(name) && own !== null ? [own] : [];
  });
  if (full === undefined) return [];
  const title = `a record is created for ${change.operation.id} to set to null`;
  return [
    makeSequence(
      createExotic(context, create, { title, value: full }),
      readCreated(read, 'the created record is read'),
      changeTo(context, change, { title: 'the created record gets null', value: empty }),
      readCreated(read, 'the record is read after it got null'),
    ),
  ];
}

/** A 64-bit integer becomes one that a double does not hold. */
function changeToInt64(context: PlanContext, { create, change, read }: Chain): Sequence[] {
  const large = withFields(change.body, ({ node }) =>
    node.format === 'int64' ? [beyondDoubles] : [],
  );
  if (large === undefined) return [];
  const number = String(beyondDoubles);
  const title = `a record is created for ${change.operation.id} to set to ${number}`;
  return [
    makeSequence(
      createExotic(context, create, { title, value: create.body.value }),
      changeTo(context, change, { title: `the created record gets ${number}`, value: large }),
      readCreated(read, `the record is read after it got ${number}`),
    ),
  ];
}

/** The body with false and 0 in every field that accepts them; undefined if none does. */
function withFalsyFields(body: DraftBody): JsonObject | undefined {
  return withFields(body, ({ types }) => [
    ...(types.includes('boolean') ? [false] : []),
    ...(isNumber(types) ? [0] : []),
  ]);
}

/** The body with true and numbers other than 0 in every field that accepts them. */
function withTruthyFields(body: DraftBody): JsonObject | undefined {
  return withFields(body, ({ types }) => [
    ...(types.includes('boolean') ? [true] : []),
    ...(isNumber(types) ? [7, 1, 10] : []),
  ]);
}

function isNumber(types: readonly string[]): boolean {
  return types.includes('integer') || types.includes('number');
}

interface Field {
  readonly name: string;
  readonly node: { readonly format?: string; readonly default?: unknown };
  readonly types: readonly string[];
  /** A value that a person would send; null if there is none. */
  readonly makePlain: () => JsonValue;
}

/**
 * The body with the first value that each field accepts. References to other records stay: those
 * records would have to exist.
 */
function withFields(
  { schema, value }: DraftBody,
  valuesFor: (field: Field) => readonly JsonValue[],
): JsonObject | undefined {
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const edits = [...schema.flatten().properties].flatMap(([name, place]): [string, JsonValue][] => {
    const { node, types } = schema.flatten(place);
    // What a contract shows under such a name need not be a reference: a tax number.
    const isReference = /id$/i.test(name) && (node.examples ?? []).length === 0;
    if (node.enum !== undefined || node.readOnly === true) return [];
    const makePlain = (): JsonValue => plainOrNull(schema.part(place), name);
    const fitting = valuesFor({ name, node, types, makePlain })
      .filter((candidate) => candidate === null || !isReference)
      .find((candidate) => schema.accepts({ ...value, [name]: candidate }, 'request'));
    return fitting === undefined ? [] : [[name, fitting]];
  });
  const edited = { ...value, ...Object.fromEntries(edits) };
  return edits.length === 0 || !schema.accepts(edited, 'request') ? undefined : edited;
}

function plainOrNull(schema: Schema, name: string): JsonValue {
  const made = plainValue(schema, { seed: 'easily lost', direction: 'request', name });
  if (made.ok && made.value !== null) return made.value;
  const edges = judgedValues(boundaryCandidates(schema, 'request')).map(({ value }) => value);
  return edges.find(saysSomething) ?? null;
}

type Step = Pick<Creation, 'title' | 'value'>;

function createExotic(context: PlanContext, create: Draft, { title, value }: Step): Case {
  const intent = exoticIntent(create);
  return makeCreate(context, create, { title, value, intent, phase: 'sequence' });
}

function changeTo({ runId }: PlanContext, draft: DraftWithBody, { title, value }: Step): Case {
  const label = `${draft.operation.id} ${title}`;
  return draftCase(draft, {
    title,
    body: markedBody(draft.body, value, { runId, label }),
    intent: exoticIntent(draft),
  });
}

function readCreated(draft: Draft, title: string): Case {
  return draftCase(draft, { title, intent: exoticIntent(draft) });
}

/** A server may refuse these values: the contract does not require it to accept them. */
function exoticIntent({ operation }: Draft): Intent {
  return {
    kind: 'valid',
    rigour: 'exotic',
    at: operation.requestBody?.pointer ?? operation.pointer,
  };
}
