import { _, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';
import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { WorkMeter } from './work-meter.ts';

/** The keyword that is added to each schema object; its value is what one look at it costs. */
export const workKeyword = 'vouchWork';

/** The definition of the keyword that counts the work of a schema object. */
export function workDefinition(meter: WorkMeter): CodeKeywordDefinition {
  const code = ({ gen, schema }: KeywordCxt): void => {
    const own = gen.scopeValue('obj', { ref: meter });
    // What is inserted between `_` and its values is code; the weight is a number.
    gen.code(_`if((${own}.left-=${Number(schema)})<0)${own}.stop();`);
  };
  return { keyword: workKeyword, schemaType: 'number', code };
}

/** What one look at a schema object costs, the schemas below it not counted. */
export function weightOf(node: Readonly<Record<string, unknown>>): number {
  const keywords = Object.entries(node);
  return keywords.reduce((sum, [keyword, value]) => sum + weightOfKeyword(keyword, value), 2);
}

/** Keywords whose value has one entry for each thing that is looked at. */
const listed = new Set([
  'properties',
  'required',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'prefixItems',
]);

function weightOfKeyword(keyword: string, value: unknown): number {
  // What stands at a keyword comes from the document, so it is JSON.
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
 * those: its code is changed where it stands. What is inside its string literals is passed over.
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
