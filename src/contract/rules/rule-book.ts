import { fromDecimal, fromInteger } from '../../json/decimal.ts';
import { joinPointer, splitPointer, type Pointer } from '../../json/pointer.ts';
import {
  isJsonArray,
  isJsonObject,
  jsonLength,
  type JsonValue,
  stringifyJson,
} from '../../json/value.ts';
import type { Operation } from '../model/operation.ts';
import type {
  ConfiguredRules,
  ContractRules,
  KnownIds,
  Rule,
  RuledExchange,
  RuleJudgement,
  SettledValue,
  SettleOptions,
} from '../model/rule.ts';
import type { Schema } from '../model/schema.ts';
import { CelDecimal, type Expression, type ExpressionInput } from './expression.ts';
import { readRules, type RuleSet, type RuleSource, type SchemaRule } from './read-rules.ts';
import { findRuledValues, leadsTo, toCel, type RuledValue } from './ruled-values.ts';

/** A value with more characters of JSON is not evaluated: a rule may compare all items with all. */
const longestJudged = 200_000;
/** A computed member may depend on another computed member. */
const maxPasses = 4;

/** Evaluates values by the rules of a contract. */
export class RuleBook implements ContractRules {
  readonly all: readonly Rule[];
  readonly #byTarget: ReadonlyMap<Pointer, readonly SchemaRule[]>;
  readonly #set: RuleSet;
  readonly #source: RuleSource;

  /** Throws a VouchError with the place of a rule that cannot be read. */
  constructor(source: RuleSource) {
    const set = readRules(source);
    this.#source = source;
    this.#set = set;
    this.all = [...set.schemas, ...set.operations];
    this.#byTarget = Map.groupBy(set.schemas, ({ target }) => target);
  }

  with(configured: ConfiguredRules): ContractRules {
    return new RuleBook({ ...this.#source, configured });
  }

  states(member: Pointer): boolean {
    return this.#set.schemas.some(({ target, members }) =>
      members.some((name) => joinPointer(target, 'properties', name) === member),
    );
  }

  speaksOf(rule: Rule, schema: Schema): boolean {
    const targets = this.#set.schemas.flatMap((one) => (one === rule ? one.target : []));
    return leadsTo(schema, new Set(targets));
  }

  judgeBody(schema: Schema, body: JsonValue, ids?: KnownIds): readonly RuleJudgement[] {
    if (this.#byTarget.size === 0) return [];
    return findRuledValues(schema, body, this.#byTarget).flatMap((value) =>
      this.#rulesOf(value).map((rule) => judgeValue(rule, value, schema, ids)),
    );
  }

  judgeExchange(
    operation: Operation,
    exchange: RuledExchange,
    ids?: KnownIds,
  ): readonly RuleJudgement[] {
    return this.#set.operations
      .filter((rule) => rule.operation === operation)
      .map((rule) => ({
        rule,
        at: '',
        ...judge(rule.expression, { variables: variablesOf(exchange), ...asIds(ids) }),
      }));
  }

  settle(schema: Schema, value: JsonValue, options: SettleOptions = {}): SettledValue {
    if (this.#byTarget.size === 0) return { value, broken: [] };
    let settled = value;
    for (let pass = 0; pass < maxPasses; pass += 1) {
      const next = this.#computeOnce(schema, settled, options);
      if (next === settled) break;
      settled = next;
    }
    const judged = this.judgeBody(schema, settled);
    return { value: settled, broken: judged.filter(({ outcome }) => outcome === 'broken') };
  }

  #rulesOf({ found }: RuledValue): readonly SchemaRule[] {
    return found.flatMap((pointer) => this.#byTarget.get(pointer) ?? []);
  }

  /** Computes each member once, inner objects first; returns the same value if nothing changes. */
  #computeOnce(schema: Schema, body: JsonValue, options: SettleOptions): JsonValue {
    let settled = body;
    for (const found of findRuledValues(schema, body, this.#byTarget).toReversed())
      for (const rule of this.#rulesOf(found))
        settled = compute(rule, { found, schema, options }, settled);
    return settled;
  }
}

function asIds(ids: KnownIds | undefined): Pick<ExpressionInput, 'ids'> {
  return ids === undefined
    ? {}
    : { ids: (resource) => ids(resource)?.map((identifier) => toCel(identifier)) };
}

type Outcome = Pick<RuleJudgement, 'outcome' | 'detail'>;

function judgeValue(
  rule: SchemaRule,
  { at, value, place }: RuledValue,
  schema: Schema,
  ids: KnownIds | undefined,
): RuleJudgement {
  if (jsonLength(value, longestJudged) > longestJudged)
    return { rule, at, outcome: 'undecided', detail: 'the value is too large' };
  const variables = { self: toCel(value, schema, place) };
  const outcome = judge(rule.expression, { variables, ...asIds(ids) });
  return outcome.outcome === 'broken'
    ? { rule, at, outcome: 'broken', detail: describe(rule, value, { variables, ...asIds(ids) }) }
    : { rule, at, ...outcome };
}

function judge(expression: Expression, input: ExpressionInput): Outcome {
  const result = expression.evaluate(input);
  if (result.kind === 'undecided') return { outcome: 'undecided', detail: result.reason };
  if (typeof result.value !== 'boolean')
    return { outcome: 'undecided', detail: 'it is neither true nor false' };
  return { outcome: result.value ? 'kept' : 'broken', detail: '' };
}

const longestShown = 80;

/** `total is 12, but would be 15`; for other rules, the members that they read. */
function describe(rule: SchemaRule, value: JsonValue, input: ExpressionInput): string {
  const members = isJsonObject(value) ? value : {};
  const show = (name: string): string => `${name} is ${shorten(showJson(members[name]))}`;
  const { computes } = rule;
  if (computes === undefined) return rule.expression.membersOf('self').map(show).join(', ');
  const computed = computes.value.evaluate(input);
  const wanted = computed.kind === 'value' ? fromCel(computed.value) : undefined;
  return `${show(computes.member)}, but would be ${shorten(showJson(wanted))}`;
}

function showJson(value: JsonValue | undefined): string {
  return value === undefined ? 'missing' : stringifyJson(value);
}

function shorten(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

function variablesOf(exchange: RuledExchange): Readonly<Record<string, unknown>> {
  const { path, query, requestBody, status, body, schema } = exchange;
  return {
    request: {
      path: toCel(path),
      query: toCel(query),
      ...(requestBody === undefined ? {} : { body: toCel(requestBody) }),
    },
    response: { status: BigInt(status), body: toCel(body, schema, schema) },
  };
}

/** The place of a computed member. */
interface Computation {
  readonly found: RuledValue;
  readonly schema: Schema;
  readonly options: SettleOptions;
}

/** The body with the member that a rule computes; the same body if nothing changes. */
function compute(
  { computes }: SchemaRule,
  { found, schema, options: { given, present } }: Computation,
  body: JsonValue,
): JsonValue {
  if (computes === undefined) return body;
  const here = splitPointer(found.at);
  const self = here.reduce<JsonValue | undefined>(memberOf, body);
  if (!isJsonObject(self)) return body;
  const isThere = Object.hasOwn(self, computes.member);
  const isGiven = isThere && given?.has(here[0] ?? computes.member) === true;
  const member = schema
    .flatten(found.place.node, found.place.pointer)
    .properties.get(computes.member);
  if (isGiven || member === undefined || (present === true && !isThere)) return body;
  const result = computes.value.evaluate({
    variables: { self: toCel(self, schema, found.place) },
  });
  if (result.kind === 'undecided') return body;
  const part = schema.part(member);
  const value = formsOf(result.value).find((form) => part.accepts(form, 'response'));
  if (value === undefined || isSame(value, self[computes.member])) return body;
  return replaceAt(body, [...here, computes.member], value);
}

function memberOf(value: JsonValue | undefined, token: string): JsonValue | undefined {
  if (isJsonArray(value)) return value[Number(token)];
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
}

function isSame(left: JsonValue, right: JsonValue | undefined): boolean {
  return right !== undefined && stringifyJson(left) === stringifyJson(right);
}

function replaceAt(body: JsonValue, way: readonly string[], value: JsonValue): JsonValue {
  const [token, ...rest] = way;
  if (token === undefined) return value;
  if (isJsonArray(body))
    return body.map((item, index) =>
      String(index) === token ? replaceAt(item, rest, value) : item,
    );
  if (!isJsonObject(body)) return body;
  const before = Object.hasOwn(body, token) ? (body[token] ?? null) : null;
  return Object.fromEntries([
    ...Object.entries(body),
    [token, rest.length === 0 ? value : replaceAt(before, rest, value)],
  ]);
}

/** The JSON values that may represent a CEL value: a decimal is a number or a text. */
function formsOf(value: unknown): readonly JsonValue[] {
  const first = fromCel(value);
  if (value instanceof CelDecimal) return [first ?? null, value.toString(), moneyOf(value)];
  if (value instanceof Date)
    return [value.toISOString(), value.toISOString().slice(0, 10), value.getTime()];
  return first === undefined ? [] : [first];
}

/** With at least two digits after the decimal point, as prices are written. */
function moneyOf(decimal: CelDecimal): string {
  const [whole = '0', fraction = ''] = decimal.toString().split('.');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

/** The JSON of a CEL value; undefined if JSON cannot represent it. */
function fromCel(value: unknown): JsonValue | undefined {
  if (value instanceof CelDecimal) return fromDecimal(value.value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint') return fromInteger(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (Array.isArray(value)) {
    const items = value.map(fromCel);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  return undefined;
}
