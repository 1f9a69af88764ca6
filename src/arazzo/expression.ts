import { evaluateExpression, type ExpressionFacts } from '../contract/runtime-expression.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../json/pointer.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isJsonArray, isJsonObject, setMember, textOf } from '../json/value.ts';

/** A value, and where an exchange showed it. */
export interface Traced {
  readonly value: JsonValue;
  readonly origin?: Origin | undefined;
}

/** The step whose exchange showed a value, and the runtime expression that reads it there. */
export interface Origin {
  readonly step: string;
  readonly expression: string;
}

export type Values = ReadonlyMap<string, Traced>;

/** What expressions can refer to (Arazzo 1.1, section Runtime Expressions). */
export interface Scope {
  readonly facts?: ExpressionFacts | undefined;
  /** The step of `facts`. */
  readonly at?: string | undefined;
  readonly inputs: Values;
  readonly outputs: Values;
  readonly steps: ReadonlyMap<string, Values>;
  readonly workflows: ReadonlyMap<string, { readonly inputs: Values; readonly outputs: Values }>;
  /** The members of the source descriptions, by name. */
  readonly sources: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly self?: string | undefined;
}

/** A scope in which nothing is known. */
export const emptyScope: Scope = {
  inputs: new Map(),
  outputs: new Map(),
  steps: new Map(),
  workflows: new Map(),
  sources: new Map(),
};

/** A parsed runtime expression of Arazzo. */
export type Expression =
  /** Reads the exchange. `path` has the members and indexes after the body. */
  | { readonly kind: 'message'; readonly text: string; readonly path: readonly string[] }
  /** An empty name is all of them. */
  | { readonly kind: 'inputs' | 'outputs'; readonly name: string; readonly pointer: Pointer }
  | {
      readonly kind: 'steps';
      readonly step: string;
      readonly name: string;
      readonly pointer: Pointer;
    }
  | {
      readonly kind: 'workflows';
      readonly workflow: string;
      readonly of: 'inputs' | 'outputs';
      readonly name: string;
      readonly pointer: Pointer;
    }
  | { readonly kind: 'sourceDescriptions'; readonly source: string; readonly name: string }
  | { readonly kind: 'self' };

const whole = /^\$(url|method|statusCode)$/;
const field = /^\$(request|response)\.(header|query|path)\.(.+)$/s;
const body = /^\$(request|response)\.body((?:\.[\w-]+|\[\d+\])*)(#(?:\/.*)?)?$/s;
// Of a message of an AsyncAPI document there is never one.
const ofOther = /^\$message\.(header\.|payload)/;
const own = /^\$(inputs|outputs)(?:\.([\w.-]+))?(?:#(.*))?$/s;
const ofStep = /^\$steps\.([\w-]+)\.outputs(?:\.([\w.-]+))?(?:#(.*))?$/s;
const ofWorkflow = /^\$workflows\.([\w-]+)\.(inputs|outputs)\.([\w.-]+)(?:#(.*))?$/s;
const ofSource = /^\$sourceDescriptions\.([\w-]+)\.(.+)$/s;

/** Reads a runtime expression; undefined for any other text. */
export function parseExpression(text: string): Expression | undefined {
  if (!text.startsWith('$')) return undefined;
  if (text === '$self') return { kind: 'self' };
  if ([whole, field, ofOther].some((form) => form.test(text)))
    return { kind: 'message', text, path: [] };
  const read = body.exec(text);
  if (read !== null)
    return {
      kind: 'message',
      text: `$${read[1] ?? ''}.body${read[3] ?? ''}`,
      path: (read[2]?.match(/[\w-]+/g) ?? []).map(String),
    };
  return parseReference(text);
}

/** An expression that refers to the workflow, and not to an exchange. */
function parseReference(text: string): Expression | undefined {
  const [kind, name = '', pointer = ''] = groupsOf(own, text);
  if (kind === 'inputs' || kind === 'outputs') return { kind, name, pointer };
  const [step, output = '', inside = ''] = groupsOf(ofStep, text);
  if (step !== undefined) return { kind: 'steps', step, name: output, pointer: inside };
  const [workflow, of, value = '', place = ''] = groupsOf(ofWorkflow, text);
  if (workflow !== undefined && (of === 'inputs' || of === 'outputs'))
    return { kind: 'workflows', workflow, of, name: value, pointer: place };
  const [source, reference = ''] = groupsOf(ofSource, text);
  return source === undefined ? undefined : { kind: 'sourceDescriptions', source, name: reference };
}

function groupsOf(form: RegExp, text: string): (string | undefined)[] {
  return form.exec(text)?.slice(1) ?? [];
}

/** The value of an expression; undefined if there is none. */
export function evaluate(expression: Expression, scope: Scope): Traced | undefined {
  switch (expression.kind) {
    case 'message':
      return ofMessage(expression, scope);
    case 'inputs':
    case 'outputs':
      return member(scope[expression.kind], expression.name, expression.pointer);
    case 'steps':
      return member(scope.steps.get(expression.step), expression.name, expression.pointer);
    case 'workflows':
      return member(
        scope.workflows.get(expression.workflow)?.[expression.of],
        expression.name,
        expression.pointer,
      );
    case 'sourceDescriptions': {
      const value = scope.sources.get(expression.source)?.[expression.name];
      return value === undefined ? undefined : { value };
    }
    case 'self':
      return scope.self === undefined ? undefined : { value: scope.self };
  }
}

function ofMessage(
  { text, path }: Extract<Expression, { kind: 'message' }>,
  { facts, at }: Scope,
): Traced | undefined {
  const pointed = pathPointer(text, path);
  const value = facts && evaluateExpression(pointed, facts);
  if (value === undefined) return undefined;
  return at === undefined ? { value } : { value, origin: { step: at, expression: pointed } };
}

/** `$response.body` with members as a pointer: `$response.body#/items/0`. */
function pathPointer(text: string, path: readonly string[]): string {
  if (path.length === 0) return text;
  const [name = '', pointer = ''] = text.split('#', 2);
  return `${name}#${joinPointer('', ...path)}${pointer}`;
}

/** A named value; names may have dots, and what follows a known name are members of it. */
function member(values: Values | undefined, name: string, pointer: Pointer): Traced | undefined {
  if (name === '') return values && within({ value: allOf(values) }, pointer);
  const parts = name.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const known = values?.get(parts.slice(0, length).join('.'));
    if (known !== undefined)
      return within(known, joinPointer('', ...parts.slice(length)) + pointer);
  }
  return undefined;
}

function allOf(values: Values): JsonObject {
  const all: Record<string, JsonValue> = {};
  for (const [name, { value }] of values) setMember(all, name, value);
  return all;
}

/** A part of a traced value. */
function within(known: Traced, pointer: Pointer): Traced | undefined {
  if (pointer === '') return known;
  const value = valueAt(known.value, pointer);
  if (value === undefined) return undefined;
  const { origin } = known;
  if (origin === undefined || !/^\$(request|response)\.body/.test(origin.expression))
    return { value };
  const expression = `${origin.expression}${origin.expression.includes('#') ? '' : '#'}${pointer}`;
  return { value, origin: { ...origin, expression } };
}

const embedded = /\{(\$[^{}]*)\}/g;

/** The expressions of a text: the text itself, or those in braces. */
export function expressionsIn(text: string): string[] {
  if (parseExpression(text) !== undefined) return [text];
  return [...text.matchAll(embedded)].map((match) => match[1] ?? '');
}

/**
 * A text with the values of the expressions in braces: objects and lists as JSON, null as `null`.
 * The result names the first expression without a value.
 */
export function fillText(
  text: string,
  scope: Scope,
): { readonly text: string } | { readonly missing: string } {
  let missing: string | undefined;
  const filled = text.replaceAll(embedded, (braced, inner: string) => {
    const expression = parseExpression(inner);
    if (expression === undefined) return braced;
    const found = evaluate(expression, scope);
    if (found === undefined) missing ??= inner;
    return found === undefined ? braced : textOf(found.value);
  });
  return missing === undefined ? { text: filled } : { missing };
}

/** The texts of a value, at any depth, with their places. */
export function* textsIn(
  value: JsonValue,
  pointer: Pointer,
): Generator<readonly [string, Pointer]> {
  if (typeof value === 'string') yield [value, pointer];
  else if (isJsonArray(value))
    for (const [index, item] of value.entries()) yield* textsIn(item, joinPointer(pointer, index));
  else if (isJsonObject(value))
    for (const [name, item] of Object.entries(value))
      yield* textsIn(item, joinPointer(pointer, name));
}

/** The tokens of an `operationPath`: the source and the pointer of the operation in it. */
export function readOperationPath(
  text: string,
): { readonly source: string; readonly tokens: readonly string[] } | undefined {
  const [, source, pointer] =
    /^\{?\$sourceDescriptions\.([\w-]+)(?:\.url)?\}?#(\/.*)$/s.exec(text) ?? [];
  return source === undefined || pointer === undefined
    ? undefined
    : { source, tokens: splitPointer(pointer) };
}
