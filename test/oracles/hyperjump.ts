import '@hyperjump/json-schema/formats';
import {
  registerSchema,
  setShouldValidateFormat,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12';
import { holdsBigInt } from '../../src/contract/schema/keywords-and-formats.ts';
import { isJsonObject, type JsonValue } from '../../src/json/value.ts';

/**
 * Formats of OpenAPI's registry, which hyperjump does not know: it takes whatever has one of them.
 */
const unknownFormats: ReadonlySet<unknown> = new Set([
  'int32',
  'int64',
  'byte',
  'binary',
  'password',
  'float',
  'double',
]);

/**
 * Whether hyperjump cannot be asked about a value: it knows doubles only, so integers beyond 2^53
 * and the multiples of a decimal fraction are beyond it, and so is what breaks a format that it
 * does not know. `broken` is the keyword's own value.
 */
export function isBeyondHyperjump(
  value: JsonValue,
  broken?: { readonly keyword: string; readonly value: unknown },
): boolean {
  if (holdsBigInt(value)) return true;
  if (broken?.keyword === 'format') return unknownFormats.has(broken.value);
  return broken?.keyword === 'multipleOf' && isFraction(broken.value);
}

/** Whether a document has a rule anywhere that hyperjump cannot judge. */
export function hasUnknownRules(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(
    ([name, member]) =>
      (name === 'format' && unknownFormats.has(member)) ||
      (name === 'multipleOf' && isFraction(member)) ||
      hasUnknownRules(member),
  );
}

function isFraction(value: unknown): boolean {
  return typeof value === 'number' && !Number.isInteger(value);
}

const address = 'https://judge.test/document';
const dialect = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Judges values by the schemas of one document, named by their pointers: a validator that shares no
 * code with Ajv.
 */
export async function withHyperjump<Result>(
  document: unknown,
  use: (judge: (pointer: string) => Promise<(value: JsonValue) => boolean>) => Promise<Result>,
): Promise<Result> {
  setShouldValidateFormat(true);
  // It takes plain JSON; a document that is no schema as a whole is only looked into.
  registerSchema(toDoubles(document), address, dialect);
  try {
    return await use(async (pointer) => {
      const check = await validate(`${address}#${encodeURI(pointer)}`);
      return (value) => check(toDoubles(value)).valid;
    });
  } finally {
    unregisterSchema(address);
  }
}

/** Integers become doubles, and what a double cannot judge is left out. */
function toDoubles(value: unknown): never {
  return convert(value) as never;
}

function convert(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(convert);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) => !(name === 'multipleOf' && isFraction(member)),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, convert(member)]));
}
