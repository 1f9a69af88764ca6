import { CelDecimal } from '../../../contract/rules/cel-decimal.ts';
import { toCel } from '../../../contract/rules/ruled-values.ts';
import type { ExpressionFacts, RuntimeExpression } from '../../../contract/runtime-expression.ts';
import { evaluateExpression } from '../../../contract/runtime-expression.ts';
import { fromInteger } from '../../../json/decimal.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, textOf } from '../../../json/value.ts';
import { impossible } from '../../answer/generate-body.ts';
import type { Fault } from '../../model/reply.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { requestUrl } from '../../request/request-url.ts';
import type { ScenarioStep } from '../scenario-engine.ts';
import type { HeaderList } from '../../../http/message.ts';
import type { ScenarioAnswer } from '../scenario.ts';
import { type JsonTemplate, objectOf } from './json-template.ts';
import { lowerFirst, type Placeholder, type Template } from './read-template.ts';

/** What placeholders stand for besides the request. */
interface Making {
  readonly makeId: () => string;
}

/**
 * An answer with its placeholders filled in for a request. A placeholder alone keeps the type of
 * its value, and a member or header without a value is left out; within a text, nothing is an empty
 * text. A fault if an expression cannot be computed. Costs nothing for an answer without
 * placeholders.
 */
function fillAnswer(
  answer: ScenarioAnswer,
  context: RequestContext,
  making: Making,
): ScenarioAnswer | Fault {
  const { templates } = answer;
  if (templates === undefined) return answer;
  const filling = new Filling(context, making);
  try {
    const { body, patch, ...rest } = answer;
    const filledBody = templates.body ? filling.value(templates.body) : body;
    const filledPatch = templates.patch ? filling.value(templates.patch) : patch;
    return {
      ...rest,
      // A body without a value is null: an answer that has one keeps it.
      ...(body === undefined ? {} : { body: filledBody ?? null }),
      ...(filledPatch !== undefined && (isJsonObject(filledPatch) || isJsonArray(filledPatch))
        ? { patch: filledPatch }
        : {}),
      ...(templates.headers === undefined
        ? {}
        : { headers: filling.headers(templates.headers, answer.headers) }),
    };
  } catch (error) {
    if (error instanceof Uncomputable) return error.fault;
    throw error;
  }
}

/** A step with its answer filled in. */
export function fillStep(
  step: ScenarioStep,
  context: RequestContext,
  making: Making,
): ScenarioStep | Fault {
  const answer = fillAnswer(step.answer, context, making);
  if ('kind' in answer) return answer;
  return answer === step.answer ? step : { ...step, answer };
}

class Uncomputable extends Error {
  readonly fault: Fault;

  constructor(text: string, reason: string) {
    super(reason);
    this.fault = impossible(
      `{{ ${text} }} of the scenario has no value: ${reason}`,
      'Change the expression, or match other requests.',
    );
  }
}

/** Fills in the placeholders of one answer; the request is only parsed where one reads it. */
class Filling {
  readonly #context: RequestContext;
  readonly #making: Making;
  readonly #facts: ExpressionFacts;
  #variables: Readonly<Record<string, unknown>> | undefined;

  constructor(context: RequestContext, making: Making) {
    this.#context = context;
    this.#making = making;
    const { request, routed, view } = context;
    this.#facts = {
      url: requestUrl(request),
      method: request.method,
      request: {
        headers: request.headers,
        query: routed.target.query,
        path: routed.path,
        get body() {
          const body = view.body();
          return body.kind === 'value' ? body.value : undefined;
        },
      },
    };
  }

  value(template: JsonTemplate): JsonValue | undefined {
    switch (template.kind) {
      case 'constant':
        return template.value;
      case 'text':
        return this.#text(template.template);
      case 'list':
        return template.items.flatMap((item) => {
          const value = this.value(item);
          return value === undefined ? [] : [value];
        });
      case 'object':
        return objectOf(
          template.members.flatMap(([name, member]) => {
            const value = this.value(member);
            return value === undefined ? [] : [[name, value] as const];
          }),
        );
    }
  }

  /** Header fields; those without a value are left out. */
  headers(templates: ReadonlyMap<number, Template>, written: HeaderList = []): HeaderList {
    return written.flatMap(([name, text], index) => {
      const template = templates.get(index);
      const value = template === undefined ? text : this.#text(template);
      return value === undefined ? [] : [[name, fieldValue(textOf(value))] as const];
    });
  }

  #text(template: Template): JsonValue | undefined {
    const [only, ...others] = template;
    if (only !== undefined && typeof only !== 'string' && others.length === 0)
      return this.#read(only, true);
    return template
      .map((part) => (typeof part === 'string' ? part : textOf(this.#read(part, false) ?? '')))
      .join('');
  }

  #read(placeholder: Placeholder, isTyped: boolean): JsonValue | undefined {
    switch (placeholder.kind) {
      case 'now':
        return this.#context.now.toISOString();
      case 'uuid':
        return this.#making.makeId();
      case 'request':
        return (
          (isTyped ? this.#parameter(placeholder.expression) : undefined) ??
          evaluateExpression(placeholder.text, this.#facts)
        );
      case 'computed':
        return this.#compute(placeholder);
    }
  }

  /** The value of a declared parameter, with the type that the contract gives it. */
  #parameter(expression: RuntimeExpression): JsonValue | undefined {
    if (!('name' in expression)) return undefined;
    const { kind, name } = expression;
    const isSame = (other: string): boolean =>
      kind === 'header' ? other.toLowerCase() === name.toLowerCase() : other === name;
    const found = this.#context.view
      .parameters()
      .find(({ parameter }) => parameter.in === kind && isSame(parameter.name));
    return found?.reading.kind === 'value' ? found.reading.value : undefined;
  }

  #compute({
    text,
    expression,
  }: Extract<Placeholder, { readonly kind: 'computed' }>): JsonValue | undefined {
    const variables = (this.#variables ??= variablesOf(this.#context, this.#facts));
    const result = expression.evaluate({ variables });
    if (result.kind === 'exceeded') throw new Uncomputable(text, 'it is too much work');
    if (result.kind === 'undecided') throw new Uncomputable(text, lowerFirst(result.reason));
    const value = fromCel(result.value);
    if (value === undefined) throw new Uncomputable(text, 'its value is no JSON');
    return value;
  }
}

/** What CEL reads: `request.path.id`, `request.headers["x-trace"]`, `now`. */
function variablesOf(
  { view, now }: RequestContext,
  { url, method, request: { headers, query, path, body } }: ExpressionFacts,
): Readonly<Record<string, unknown>> {
  const typed = (location: string): [string, JsonValue][] =>
    view
      .parameters()
      .flatMap(({ parameter, reading }) =>
        parameter.in === location && reading.kind === 'value'
          ? [[parameter.name, reading.value]]
          : [],
      );
  // The first of several equal names counts, as in runtime expressions.
  const fields = headers.toReversed().map(([name, value]) => [name.toLowerCase(), value] as const);
  const request: JsonObject = {
    method,
    url,
    path: objectOf([...path, ...typed('path')]),
    query: objectOf([...query.toReversed(), ...typed('query')]),
    headers: objectOf(fields),
    ...(body === undefined ? {} : { body }),
  };
  return { request: toCel(request), now };
}

const deepest = 100;

/** The JSON value of a CEL value; undefined if there is none. */
function fromCel(value: unknown, depth = 0): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return fromInteger(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof CelDecimal) return Number(value.toString());
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || depth > deepest) return undefined;
  if (Array.isArray(value)) return listFromCel(value, depth);
  const isPlain = value instanceof Map || Object.getPrototypeOf(value) === Object.prototype;
  if (!isPlain) return undefined;
  const members: (readonly [string, JsonValue])[] = [];
  for (const [name, member] of value instanceof Map ? value : Object.entries(value)) {
    const read = fromCel(member, depth + 1);
    if (read === undefined) return undefined;
    members.push([String(name), read]);
  }
  return objectOf(members);
}

function listFromCel(items: readonly unknown[], depth: number): JsonValue | undefined {
  const read = items.map((item) => fromCel(item, depth + 1));
  const values = read.filter((item) => item !== undefined);
  return values.length === read.length ? values : undefined;
}

/** A value that can be sent in a header field: Latin-1 without line breaks (RFC 9110, section 5.5). */
function fieldValue(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/gu, '?').trim();
}
