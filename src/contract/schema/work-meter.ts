import type { ErrorObject } from 'ajv';
import { _, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../json/value.ts';
import { type WorkBudget, WorkBudgetExceeded } from '../../json/work-budget.ts';

/** The cost of an error object without its path. */
const errorCost = 15;
/** The cost of reading one member name. */
const nameCost = 5;
/** The number of characters that are searched in the time of one unit. */
const charactersPerUnit = 32;
/** The same for the path of an error, which is stored: its length also costs memory. */
const keptPerUnit = 4;

/**
 * The limits of a validator: a share of the remaining budget, and the number of errors that it may
 * hold.
 */
export interface WorkLimits {
  /** The part of the remaining budget that may be spent. */
  readonly share: number;
  readonly maxErrors: number;
}

/**
 * Counts the work of generated validators and throws `WorkBudgetExceeded` beyond the limit. The
 * validators of one compiler share it: they run one after the other.
 */
export class WorkMeter {
  left = Infinity;
  #maxErrors = Infinity;

  /** Runs a validator within a budget and subtracts what it spends. */
  within<Result>(budget: WorkBudget, { share, maxErrors }: WorkLimits, work: () => Result): Result {
    const given = budget.left * share;
    [this.left, this.#maxErrors] = [given, maxErrors];
    try {
      return work();
    } finally {
      budget.left -= given - Math.max(0, this.left);
      [this.left, this.#maxErrors] = [Infinity, Infinity];
    }
  }

  stop(): never {
    throw new WorkBudgetExceeded();
  }

  spend(units: number): void {
    if ((this.left -= units) < 0) this.stop();
  }

  /** For a text that is read from beginning to end. */
  read(text: string): void {
    this.spend(1 + text.length / charactersPerUnit);
  }

  /** For the last of some errors: its path may be as long as the body. */
  fail(errors: readonly Partial<ErrorObject>[]): void {
    const path = errors[errors.length - 1]?.instancePath ?? '';
    this.spend(errorCost + path.length / keptPerUnit);
    if (errors.length > this.#maxErrors) this.stop();
  }

  /** Appends errors to others, in place: copying them for each item would be quadratic. */
  join(errors: ErrorObject[], more: readonly ErrorObject[]): ErrorObject[] {
    this.spend(more.length);
    if (errors.length + more.length > this.#maxErrors) this.stop();
    for (const error of more) errors.push(error);
    return errors;
  }

  keys(value: object): string[] {
    const names = Object.keys(value);
    this.spend(names.length * nameCost);
    return names;
  }

  /** A member name as a token of a JSON Pointer. */
  token(name: string): string {
    this.read(name);
    return name.replace(/~/g, '~0').replace(/\//g, '~1');
  }
}

/** The keyword that is added to each schema object; its value is the cost of one visit. */
export const workKeyword = 'vouchWork';

/** The definition of the keyword that counts the work of a schema object. */
export function workDefinition(meter: WorkMeter): CodeKeywordDefinition {
  const code = ({ gen, schema }: KeywordCxt): void => {
    const own = gen.scopeValue('obj', { ref: meter });
    // The weight that is inserted after `_` is a number.
    gen.code(_`if((${own}.left-=${Number(schema)})<0)${own}.stop();`);
  };
  return { keyword: workKeyword, schemaType: 'number', code };
}

/** The cost of one visit to a schema object, without the schemas below it. */
export function weightOf(node: Readonly<Record<string, unknown>>): number {
  const keywords = Object.entries(node);
  return keywords.reduce((sum, [keyword, value]) => sum + weightOfKeyword(keyword, value), 2);
}

/** Keywords whose value has one entry per visited thing. */
const listed = new Set([
  'properties',
  'required',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'prefixItems',
]);

function weightOfKeyword(keyword: string, value: unknown): number {
  // The value of a keyword comes from the document, so it is JSON.
  if (keyword === 'const') return comparison(value as JsonValue);
  if (keyword === 'enum' && isJsonArray(value))
    return value.reduce<number>((sum, item) => sum + comparison(item), 0);
  return listed.has(keyword) && typeof value === 'object' && value !== null
    ? Object.keys(value).length
    : 1;
}

/** An array or an object is compared part by part. */
function comparison(value: JsonValue): number {
  return isJsonArray(value) || isJsonObject(value) ? 1 + stringifyJson(value).length / 4 : 0.1;
}

const text = /"(?:[^"\\]|\\.)*"/;
const escapedName = /(\b\w+)\.replace\(\/~\/g, "~0"\)\.replace\(\/\\\/\/g, "~1"\)/;
const counted = /\berrors\+\+|\bvErrors\.concat\(|\bObject\.keys\(/;
const tokens = new RegExp([text, escapedName, counted].map(({ source }) => source).join('|'), 'g');

/**
 * The code of a validator with its errors, paths and member names counted. Ajv has no hook for
 * them, so the generated code is patched. Text inside string literals is skipped.
 */
export function meterCode(code: string): string {
  const meter = /\bconst (obj\d+) = scope\.obj\[/.exec(code)?.[1];
  if (meter === undefined) return code;
  return code.replace(tokens, (found: string, name: string | undefined) => {
    if (name !== undefined) return `${meter}.token(${name})`;
    if (found === 'errors++') return `errors++,${meter}.fail(vErrors)`;
    if (found === 'vErrors.concat(') return `${meter}.join(vErrors,`;
    return found === 'Object.keys(' ? `${meter}.keys(` : found;
  });
}
