import type { LocatedNode, Schema } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/** A field that came back with another value than it should have. */
export interface Difference {
  readonly field: string;
  /** Where the contract declares the field. */
  readonly pointer: Pointer;
  readonly wanted: JsonValue;
  readonly got: JsonValue | undefined;
}

/** How strict a comparison is: whether a field that is wanted may be absent, and which fields are left out. */
export interface Comparison {
  /** The schema that declares the fields, one after the other. */
  readonly schema: Schema;
  readonly absent: 'fine' | 'different';
  readonly except: readonly string[];
}

/**
 * Every field of a record that another record has otherwise. Integers are compared digit for digit, dates by the moment that
 * they name, texts but for surrounding blanks and the Unicode form; what only one side has inside a nested object is let be.
 */
export function compareRecords(wanted: JsonObject, got: JsonObject, comparison: Comparison): Difference[] {
  const { properties } = comparison.schema.flatten();
  return Object.entries(wanted).flatMap(([field, value]) => {
    const declared = properties.get(field);
    if (declared === undefined || comparison.except.includes(field) || isHidden(comparison.schema, declared)) return [];
    const other = Object.hasOwn(got, field) ? got[field] : undefined;
    if (other === undefined && (comparison.absent === 'fine' || value === null)) return [];
    if (other !== undefined && (holds(value, other) || isSameName(comparison.schema, declared, [value, other]) || breaksSchema(comparison.schema, declared, other))) return [];
    return [{ field, pointer: declared.pointer, wanted: value, got: other }];
  });
}

/** Addresses and names of hosts are written in any case, and kept in one. */
function isSameName(schema: Schema, { node, pointer }: LocatedNode, [wanted, got]: readonly [JsonValue, JsonValue]): boolean {
  const { format } = schema.flatten(node, pointer).node;
  return ['email', 'idn-email', 'hostname', 'idn-hostname', 'uuid', 'uri', 'url'].includes(format ?? '') && String(wanted).toLowerCase() === String(got).toLowerCase();
}

/** A value that is no such field at all is found by `body-matches-schema`. */
function breaksSchema(schema: Schema, declared: LocatedNode, value: JsonValue): boolean {
  return schema.part(declared).validate(value, 'response').length > 0;
}

/** Passwords and the like are never shown; what the server sets is its own affair. */
function isHidden(schema: Schema, { node, pointer }: LocatedNode): boolean {
  const flat = schema.flatten(node, pointer).node;
  return flat.writeOnly === true || flat.readOnly === true || flat.format === 'password';
}

function holds(wanted: JsonValue, got: JsonValue): boolean {
  if (equalJson(wanted, got)) return true;
  if (typeof wanted === 'string' && typeof got === 'string') return sameText(wanted, got);
  if (typeof wanted === 'number' && typeof got === 'number') return sameFraction(wanted, got);
  if (isList(wanted) && isList(got)) return sameList(wanted, got);
  if (isJsonObject(wanted) && isJsonObject(got)) return Object.entries(wanted).every(([key, value]) => value === null || holds(value, got[key] ?? null));
  return false;
}

/** Array.isArray does not narrow a readonly array out of a union. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** A server may keep a list as a set. */
function sameList(wanted: readonly JsonValue[], got: readonly JsonValue[]): boolean {
  return wanted.length === got.length && wanted.every((item) => got.some((other) => holds(item, other)));
}

const moment = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

function sameText(wanted: string, got: string): boolean {
  if (wanted.normalize('NFC').trim() === got.normalize('NFC').trim()) return true;
  if (!moment.test(wanted) || !moment.test(got)) return false;
  return Math.abs(Date.parse(wanted) - Date.parse(got)) < 1000;
}

/** A fraction may be kept in 32 bits; an integer may not change. */
function sameFraction(wanted: number, got: number): boolean {
  if (Number.isInteger(wanted)) return false;
  return Math.abs(wanted - got) <= Math.abs(wanted) * 1e-6;
}
