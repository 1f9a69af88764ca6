import type { Resource, Schema } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { makeCase, makeSequence, type Case, type Intent, type Sequence } from '../../model/case.ts';
import { makeCreate } from '../boundary.ts';
import { bodyOf, requestOf, type Draft, type DraftBody } from '../draft.ts';
import { markBody } from '../mark-body.ts';
import { draftOf, type PlanContext } from '../plan-context.ts';

/** The first integer that a double cannot hold. */
const beyondDoubles = 9_007_199_254_740_993n;

/**
 * Values that software takes for nothing, or rounds: `false` and 0, null, and 64-bit integers,
 * created, and changed from what they are not.
 */
export function planEasilyLost(
  context: PlanContext,
  resource: Resource,
  create: Draft,
): Sequence[] {
  const read = draftOf(context, resource.operations.read);
  if (read === undefined || create.body === undefined) return [];
  const nothing = emptied(create.body);
  const created =
    nothing === undefined
      ? []
      : [
          makeSequence(
            made(context, create, 'a record is created with false and 0', nothing),
            ask(read, 'the created record is read'),
          ),
        ];
  const changes = [
    draftOf(context, resource.operations.replace),
    draftOf(context, resource.operations.update),
  ].flatMap((change) => (change === undefined ? [] : [change]));
  return [
    ...created,
    ...changes.flatMap((change) => [
      ...toNothing(context, { create, change, read }),
      ...toNull(context, { create, change, read }),
      ...toLarge(context, { create, change, read }),
    ]),
  ];
}

interface Chain {
  readonly create: Draft;
  readonly change: Draft;
  readonly read: Draft;
}

/** What is true, or a number, becomes false, or 0. */
function toNothing(context: PlanContext, { create, change, read }: Chain): Sequence[] {
  const [full, empty] = [create.body && filled(create.body), change.body && emptied(change.body)];
  if (full === undefined || empty === undefined) return [];
  return [
    makeSequence(
      made(
        context,
        create,
        `a record is created for ${change.operation.id} to set to false and 0`,
        full,
      ),
      ask(read, 'the created record is read'),
      changed(context, change, 'the created record gets false and 0', empty),
      ask(read, 'the record is read after it got false and 0'),
    ),
  ];
}

/** What has a value, and may be null, becomes null. What has a default may have that instead. */
function toNull(context: PlanContext, { create, change, read }: Chain): Sequence[] {
  const bare =
    change.body &&
    withFields(change.body, ({ node, types }) =>
      types.includes('null') && node.default === undefined ? [null] : [],
    );
  const names = bare === undefined ? [] : Object.keys(bare).filter((name) => bare[name] === null);
  const set =
    create.body &&
    withFields(create.body, ({ name, made: value }) =>
      names.includes(name) && value() !== null ? [value()] : [],
    );
  if (bare === undefined || set === undefined) return [];
  return [
    makeSequence(
      made(context, create, `a record is created for ${change.operation.id} to set to null`, set),
      ask(read, 'the created record is read'),
      changed(context, change, 'the created record gets null', bare),
      ask(read, 'the record is read after it got null'),
    ),
  ];
}

/** An integer of 64 bits becomes one that a double does not hold. */
function toLarge(context: PlanContext, { create, change, read }: Chain): Sequence[] {
  const large =
    change.body &&
    withFields(change.body, ({ node }) => (node.format === 'int64' ? [beyondDoubles] : []));
  if (large === undefined || create.body === undefined) return [];
  return [
    makeSequence(
      made(
        context,
        create,
        `a record is created for ${change.operation.id} to set to ${String(beyondDoubles)}`,
        create.body.value,
      ),
      changed(context, change, `the created record gets ${String(beyondDoubles)}`, large),
      ask(read, `the record is read after it got ${String(beyondDoubles)}`),
    ),
  ];
}

interface Field {
  readonly name: string;
  readonly node: {
    readonly format?: string;
    readonly enum?: readonly unknown[];
    readonly readOnly?: boolean;
    readonly default?: unknown;
  };
  readonly types: readonly string[];
  /** A value that a person would send; null where there is none. */
  readonly made: () => JsonValue;
}

/** The body with false and 0 in every field that may have them; undefined where none may. */
function emptied(body: DraftBody): JsonObject | undefined {
  return withFields(body, ({ types }) => [
    ...(types.includes('boolean') ? [false] : []),
    ...(isNumber(types) ? [0] : []),
  ]);
}

/** The body with true in every field that may have it, and numbers that are not 0. */
function filled(body: DraftBody): JsonObject | undefined {
  return withFields(body, ({ types }) => [
    ...(types.includes('boolean') ? [true] : []),
    ...(isNumber(types) ? [7, 1, 10] : []),
  ]);
}

function isNumber(types: readonly string[]): boolean {
  return types.includes('integer') || types.includes('number');
}

/**
 * The body with the first value that each field takes. What refers to another record is let be: it
 * would have to be there.
 */
function withFields(
  { schema, value }: DraftBody,
  valuesFor: (field: Field) => readonly JsonValue[],
): JsonObject | undefined {
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const edits = [...schema.flatten().properties].flatMap(([name, place]): [string, JsonValue][] => {
    const { node, types } = schema.flatten(place.node, place.pointer);
    if (node.enum !== undefined || node.readOnly === true || /id$/i.test(name)) return [];
    const fitting = valuesFor({
      name,
      node,
      types,
      made: () => valueOf(schema.part(place), name),
    }).find((candidate) => schema.accepts({ ...value, [name]: candidate }, 'request'));
    return fitting === undefined ? [] : [[name, fitting]];
  });
  const edited = { ...value, ...Object.fromEntries(edits) };
  return edits.length === 0 || !schema.accepts(edited, 'request') ? undefined : edited;
}

function valueOf(schema: Schema, name: string): JsonValue {
  const made = plainValue(schema, { seed: 'easily lost', direction: 'request', name });
  return made.ok ? made.value : null;
}

/** Nobody says that a server has to take these values: it may refuse them. */
function unusual({ operation }: Draft): Intent {
  return {
    kind: 'valid',
    rigour: 'exotic',
    at: operation.requestBody?.pointer ?? operation.pointer,
  };
}

function made(context: PlanContext, create: Draft, title: string, value: JsonValue): Case {
  return makeCreate(context, create, { title, value, intent: unusual(create), phase: 'sequence' });
}

function changed({ runId }: PlanContext, draft: Draft, title: string, value: JsonObject): Case {
  const body =
    draft.body === undefined
      ? {}
      : {
          body: bodyOf(
            draft.body,
            markBody(draft.body, value, { runId, label: `${draft.operation.id} ${title}` }),
          ),
        };
  return makeCase({
    title,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'created', body),
    intent: unusual(draft),
  });
}

function ask(draft: Draft, title: string): Case {
  return makeCase({
    title,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'created'),
    intent: unusual(draft),
  });
}
