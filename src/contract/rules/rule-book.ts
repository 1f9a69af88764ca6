import { fromDecimal, fromInteger } from '../../json/decimal.ts';
import { joinPointer, splitPointer, type Pointer, valueAt } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import {
  isJsonArray,
  isJsonObject,
  jsonLength,
  stringifyJson,
  objectOf,
} from '../../json/value.ts';
import { WorkBudget } from '../../json/work-budget.ts';
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
import { CelDecimal } from './cel-decimal.ts';
import type { Evaluation, CelExpression, ExpressionInput } from './expression.ts';
import type { OperationRule, RuleSet, RuleSource, SchemaRule } from './read-rules.ts';
import { readRules } from './read-rules.ts';
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
    return this.#byTarget.size === 0 ? [] : this.#judge(schema, body, new RuleRun(ids));
  }

  judgeExchange(
    operation: Operation,
    exchange: RuledExchange,
    ids?: KnownIds,
  ): readonly RuleJudgement[] {
    const rules = this.#set.operations.filter(
      (rule) => rule.operation.pointer === operation.pointer,
    );
    if (rules.length === 0) return [];
    const run = new RuleRun(ids);
    const variables = variablesOf(exchange);
    return rules.map((rule) => ({ rule, at: '', ...run.judge(rule, variables) }));
  }

  settle(schema: Schema, value: JsonValue, options: SettleOptions = {}): SettledValue {
    if (this.#byTarget.size === 0) return { value, broken: [] };
    const run = new RuleRun();
    let settled = value;
    for (let pass = 0; pass < maxPasses; pass += 1) {
      const next = this.#computeOnce({ schema, options, run }, settled);
      if (next === settled) break;
      settled = next;
    }
    const judged = this.#judge(schema, settled, run);
    return { value: settled, broken: judged.filter(({ outcome }) => outcome === 'broken') };
  }

  #judge(schema: Schema, body: JsonValue, run: RuleRun): readonly RuleJudgement[] {
    return findRuledValues(schema, body, this.#byTarget).flatMap((value) =>
      this.#rulesOf(value).map((rule) => judgeValue(rule, value, schema, run)),
    );
  }

  #rulesOf({ found }: RuledValue): readonly SchemaRule[] {
    return found.flatMap((pointer) => this.#byTarget.get(pointer) ?? []);
  }

  /** Computes each member once, inner objects first; returns the same value if nothing changes. */
  #computeOnce(settling: Settling, body: JsonValue): JsonValue {
    let settled = body;
    for (const found of findRuledValues(settling.schema, body, this.#byTarget).toReversed())
      for (const rule of this.#rulesOf(found))
        settled = compute(rule, { found, ...settling }, settled);
    return settled;
  }
}

/** What the rules may cost for one body, and the part of the rest that one evaluation may. */
const unitsPerBody = 40_000_000;
const shareOfOne = 0.25;

type Outcome = Pick<RuleJudgement, 'outcome' | 'detail'>;

const tooMuchWork: Outcome = {
  outcome: 'exceeded',
  detail: 'is more work than one body may cause, for a value of this size',
};

/** The evaluations of rules for one body. They share a budget, so that no body costs more. */
class RuleRun {
  #left = unitsPerBody;
  readonly #exceeded = new Set<Rule>();
  readonly #ids: ExpressionInput['ids'];

  constructor(ids?: KnownIds) {
    const known = new Map<string, readonly unknown[] | undefined>();
    if (ids !== undefined)
      this.#ids = (resource) => {
        if (!known.has(resource))
          known.set(
            resource,
            ids(resource)?.map((id) => toCel(id)),
          );
        return known.get(resource);
      };
  }

  judge(rule: SchemaRule | OperationRule, variables: ExpressionInput['variables']): Outcome {
    const result = this.evaluate(rule, rule.expression, variables);
    if (result.kind === 'undecided') return { outcome: 'undecided', detail: result.reason };
    if (result.kind === 'exceeded') return tooMuchWork;
    if (typeof result.value !== 'boolean')
      return { outcome: 'unfit', detail: 'is neither true nor false' };
    return { outcome: result.value ? 'kept' : 'broken', detail: '' };
  }

  /** Evaluates an expression of a rule; a rule that was too much work once is not tried again. */
  evaluate(
    rule: Rule,
    expression: CelExpression,
    variables: ExpressionInput['variables'],
  ): Evaluation {
    if (this.#exceeded.has(rule)) return { kind: 'exceeded' };
    const units = this.#left * shareOfOne;
    const budget = new WorkBudget(units);
    const result = expression.evaluate({ variables, budget, ids: this.#ids });
    this.#left -= Math.min(units, units - budget.left);
    if (result.kind === 'exceeded') this.#exceeded.add(rule);
    return result;
  }
}

function judgeValue(
  rule: SchemaRule,
  { at, value, place }: RuledValue,
  schema: Schema,
  run: RuleRun,
): RuleJudgement {
  if (jsonLength(value, longestJudged) > longestJudged)
    return { rule, at, outcome: 'undecided', detail: 'the value is too large' };
  const variables = { self: toCel(value, schema, place) };
  const outcome = run.judge(rule, variables);
  return outcome.outcome === 'broken'
    ? { rule, at, outcome: 'broken', detail: describe(rule, value, { variables, run }) }
    : { rule, at, ...outcome };
}

const longestShown = 80;

/** `total is 12, but would be 15`; for other rules, the members that they read. */
function describe(
  rule: SchemaRule,
  value: JsonValue,
  { variables, run }: Pick<ExpressionInput, 'variables'> & { readonly run: RuleRun },
): string {
  const members = objectOf(value);
  const show = (name: string): string => `${name} is ${shorten(showJson(members[name]))}`;
  const { computes } = rule;
  if (computes === undefined) return rule.expression.membersOf('self').map(show).join(', ');
  const computed = run.evaluate(rule, computes.value, variables);
  const expected = computed.kind === 'value' ? fromCel(computed.value) : undefined;
  return `${show(computes.member)}, but would be ${shorten(showJson(expected))}`;
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

/** What computing the members of a value needs. */
interface Settling {
  readonly schema: Schema;
  readonly options: SettleOptions;
  readonly run: RuleRun;
}

/** The body with the member that a rule computes; the same body if nothing changes. */
function compute(
  rule: SchemaRule,
  { found, schema, options: { given, present }, run }: Settling & { readonly found: RuledValue },
  body: JsonValue,
): JsonValue {
  const { computes } = rule;
  if (computes === undefined) return body;
  const here = splitPointer(found.at);
  const self = valueAt(body, found.at);
  if (!isJsonObject(self)) return body;
  const isThere = Object.hasOwn(self, computes.member);
  const isGiven = isThere && given?.has(here[0] ?? computes.member) === true;
  const member = schema.flatten(found.place).properties.get(computes.member);
  if (isGiven || member === undefined || (present === true && !isThere)) return body;
  const variables = { self: toCel(self, schema, found.place) };
  const result = run.evaluate(rule, computes.value, variables);
  if (result.kind !== 'value') return body;
  const part = schema.part(member);
  const value = formsOf(result.value).find((form) => part.accepts(form, 'response'));
  if (value === undefined || isSame(value, self[computes.member])) return body;
  return replaceAt(body, [...here, computes.member], value);
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
