import { isJsonMediaType } from '../http/media-type.ts';
import { parseJson } from '../json/parse-json.ts';
import { joinPointer, type Pointer, splitPointer } from '../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../json/value.ts';
import type { Origin, Scope, Traced } from './expression.ts';
import { evaluate, fillText, parseExpression } from './expression.ts';
import type { Replacement, StepBody } from './model.ts';
import { readSelector, select, selectPart } from './select.ts';

/** A value without expressions, and the places in it that an exchange showed. */
export interface Filled {
  readonly value: JsonValue;
  readonly traces: readonly { readonly at: Pointer; readonly origin: Origin }[];
}

/** The result of filling in a value. `absent`: what it names was not given, and is left out. */
export type Filling =
  | { readonly kind: 'filled'; readonly filled: Filled }
  | { readonly kind: 'absent'; readonly expression: string }
  | { readonly kind: 'missing'; readonly expression: string };

/** A value with its expressions evaluated (Arazzo 1.1, section Runtime Expressions). */
export function fillValue(value: JsonValue, scope: Scope): Filling {
  return fillAt(value, { scope, pointer: '', isText: false });
}

interface FillPlace {
  readonly scope: Scope;
  readonly pointer: Pointer;
  /** Whether the value was read from a text, in which every expression is in braces. */
  readonly isText: boolean;
}

function fillAt(value: JsonValue, place: FillPlace): Filling {
  if (typeof value === 'string') return fillString(value, place);
  const selector = place.isText ? undefined : readSelector(value);
  if (selector !== undefined) {
    const known = traced(selector.context, place.scope);
    const part = known && selectPart(known.value, selector);
    return part === undefined
      ? { kind: 'missing', expression: `${selector.context} ${selector.selector}` }
      : { kind: 'filled', filled: { value: part, traces: [] } };
  }
  return isJsonArray(value) || isJsonObject(value) ? fillWithin(value, place) : constant(value);
}

function constant(value: JsonValue): Filling {
  return { kind: 'filled', filled: { value, traces: [] } };
}

function traced(text: string, scope: Scope): Traced | undefined {
  const expression = parseExpression(text);
  return expression && evaluate(expression, scope);
}

const onlyBraces = /^\{(\$[^{}]*)\}$/;

function fillString(text: string, { scope, pointer, isText }: FillPlace): Filling {
  const alone = isText ? onlyBraces.exec(text)?.[1] : text;
  const expression = alone === undefined ? undefined : parseExpression(alone);
  if (alone !== undefined && expression !== undefined) {
    const known = evaluate(expression, scope);
    if (known === undefined) return unknown(alone, scope);
    const { value, origin } = known;
    const traces = origin === undefined ? [] : [{ at: pointer, origin }];
    return { kind: 'filled', filled: { value, traces } };
  }
  const filled = fillText(text, scope);
  return 'missing' in filled ? unknown(filled.missing, scope) : constant(filled.text);
}

/** Inputs need not be given, and an action may have passed over a step: then nothing is sent. */
function unknown(text: string, { steps }: Scope): Filling {
  const expression = parseExpression(text);
  const isAbsent =
    expression?.kind === 'inputs' || (expression?.kind === 'steps' && !steps.has(expression.step));
  return { kind: isAbsent ? 'absent' : 'missing', expression: text };
}

/** Fills in a list or an object; what is absent is left out. */
function fillWithin(whole: JsonArray | JsonObject, place: FillPlace): Filling {
  const entries: [name: string, value: JsonValue][] = [];
  const traces: Filled['traces'][number][] = [];
  for (const [name, member] of Object.entries(whole)) {
    const at = isJsonArray(whole) ? entries.length : name;
    const filling = fillAt(member, { ...place, pointer: joinPointer(place.pointer, at) });
    if (filling.kind === 'missing') return filling;
    if (filling.kind === 'absent') continue;
    entries.push([name, filling.filled.value]);
    traces.push(...filling.filled.traces);
  }
  const value = isJsonArray(whole) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  return { kind: 'filled', filled: { value, traces } };
}

/**
 * The body of a step. A text that is JSON with expressions in braces is read as JSON first, so that
 * an expression that is a whole text keeps its type.
 */
export function fillBody(body: StepBody, mediaType: string, scope: Scope): Filling {
  const template = body.payload ?? (body.replacements.length > 0 ? {} : '');
  const read =
    typeof template === 'string' && isJsonMediaType(mediaType) && !template.startsWith('$')
      ? parseJson(template)
      : undefined;
  const filling =
    read?.ok === true
      ? fillAt(read.value, { scope, pointer: '', isText: true })
      : fillValue(template, scope);
  if (filling.kind !== 'filled') return filling;
  let { filled } = filling;
  for (const replacement of body.replacements) {
    const next = replace(filled, replacement, scope);
    if (next.kind === 'missing') return next;
    if (next.kind === 'filled') filled = next.filled;
  }
  return { kind: 'filled', filled };
}

function replace({ value, traces }: Filled, replacement: Replacement, scope: Scope): Filling {
  const filling = fillValue(replacement.value, scope);
  if (filling.kind !== 'filled') return filling;
  const pointers = targetsOf(value, replacement);
  if (pointers === undefined || pointers.length === 0)
    return { kind: 'missing', expression: `the target ${replacement.target} of a replacement` };
  let changed: JsonValue | undefined = value;
  for (const pointer of pointers)
    changed = changed && setAt(changed, splitPointer(pointer), filling.filled.value);
  if (changed === undefined)
    return { kind: 'missing', expression: `the target ${replacement.target} of a replacement` };
  const kept = traces.filter(
    ({ at }) => !pointers.some((pointer) => at === pointer || at.startsWith(`${pointer}/`)),
  );
  const added = pointers.flatMap((pointer) =>
    filling.filled.traces.map(({ at, origin }) => ({ at: `${pointer}${at}`, origin })),
  );
  return { kind: 'filled', filled: { value: changed, traces: [...kept, ...added] } };
}

function targetsOf(value: JsonValue, { target, by }: Replacement): readonly Pointer[] | undefined {
  if (by === 'jsonpointer') return [target];
  const result = by === 'jsonpath' ? select(value, target) : undefined;
  return result === undefined || 'fault' in result
    ? undefined
    : result.found.map(({ pointer }) => pointer);
}

/** A value with another one at a place; undefined if the place is within no container. */
function setAt(
  whole: JsonValue,
  [token, ...rest]: readonly string[],
  value: JsonValue,
): JsonValue | undefined {
  if (token === undefined) return value;
  if (isJsonArray(whole)) {
    const index = token === '-' ? whole.length : Number(token);
    if (!Number.isInteger(index) || index < 0 || index > whole.length) return undefined;
    const item = setAt(whole[index] ?? {}, rest, value);
    return item === undefined ? undefined : whole.toSpliced(index, 1, item);
  }
  if (!isJsonObject(whole)) return undefined;
  const own = Object.hasOwn(whole, token) ? whole[token] : undefined;
  const member = setAt(own ?? {}, rest, value);
  if (member === undefined) return undefined;
  const changed: Record<string, JsonValue> = { ...whole };
  setMember(changed, token, member);
  return changed;
}
