import { wordsIn } from '../../words-in.ts';
import type { DocumentFault } from '../model.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { compilePattern, patternFault, translatePattern } from '../pattern/read-pattern.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, memberOf } from '../../json/value.ts';

/** A place in a document whose kind differs from what OpenAPI requires. */
export type KindFault = Omit<DocumentFault, 'place' | 'frame'>;

/** The path from the root to a value; its pointer is written only for a fault. */
export interface ValuePath {
  readonly above?: ValuePath;
  readonly name: string | number;
}

/** What a value must be. */
export interface Kind {
  /** As used in a sentence: `an object`. */
  readonly expects: string;
  /** The rule, message and hint of a fault; the default is `struct` and what is expected. */
  explain?(value: JsonValue, instead: string | undefined): Omit<KindFault, 'pointer'> | undefined;
  /** What replaces an invalid value that cannot be left out, such as an item of a list. */
  readonly blank: JsonValue;
  /** The value without its invalid parts; undefined if the value itself has another kind. */
  sound(value: JsonValue, trail: ValuePath, report: ReportFault): JsonValue | undefined;
}

/** Receives each fault; `instead` says what an invalid value is read as, unless it is left out. */
export type ReportFault = (
  trail: ValuePath,
  kind: Kind,
  value: JsonValue,
  instead?: string,
) => void;

/** A value without members to check. */
function scalar(expects: string, isSound: (value: JsonValue) => boolean): Kind {
  return { expects, blank: {}, sound: (value) => (isSound(value) ? value : undefined) };
}

/** An object whose declared members have kinds; other members are not checked. */
export function objectOf(members: () => Readonly<Record<string, Kind>>): Kind {
  let known: ReadonlyMap<string, Kind> | undefined;
  return {
    expects: 'an object',
    blank: {},
    sound(value, trail, report) {
      if (!isJsonObject(value)) return undefined;
      const kinds = (known ??= new Map(Object.entries(members())));
      return keepValidMembers(value, {
        trail,
        report,
        kindOf: (name) => kinds.get(name),
        isMap: false,
      });
    },
  };
}

/** Members of one kind, by their names. */
export function each(kind: Kind, ...named: readonly string[]): Readonly<Record<string, Kind>> {
  return Object.fromEntries(wordsIn(...named).map((name) => [name, kind]));
}

/** An object with names that the author chose, whose values have one kind. */
export function mapOf(kind: Kind): Kind {
  return {
    expects: 'an object',
    blank: {},
    sound: (value, trail, report) =>
      isJsonObject(value)
        ? keepValidMembers(value, {
            trail,
            report,
            kindOf: (name, member) => (isAside(name, member) ? undefined : kind),
            isMap: true,
          })
        : undefined,
  };
}

/** Extensions, and a reference instead of the map. */
function isAside(name: string, value: JsonValue): boolean {
  return name.startsWith('x-') || (name === '$ref' && typeof value === 'string');
}

/**
 * A list of values of one kind. An invalid item is replaced, so that the others keep their indexes.
 */
export function listOf(kind: Kind, least = 0): Kind {
  return {
    expects: least === 0 ? 'a list' : 'a non-empty list',
    blank: [],
    sound(value, trail, report) {
      if (!isJsonArray(value) || value.length < least) return undefined;
      return keepValidItems(value, kind, { trail, report });
    },
  };
}

/** A value of any of several kinds. */
export function anyOf(expects: string, ...kinds: readonly Kind[]): Kind {
  return {
    expects,
    blank: {},
    sound(value, trail, report) {
      for (const kind of kinds) {
        const sound = kind.sound(value, trail, report);
        if (sound !== undefined) return sound;
      }
      return undefined;
    },
  };
}

interface Place {
  readonly trail: ValuePath;
  readonly report: ReportFault;
}

interface Members extends Place {
  readonly kindOf: (name: string, value: JsonValue) => Kind | undefined;
  readonly isMap: boolean;
}

/** Returns the same object if nothing is wrong: most documents are valid and are not copied. */
function keepValidMembers(
  value: JsonObject,
  { trail, report, kindOf, isMap }: Members,
): JsonObject {
  let made: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(value)) {
    const member = value[name];
    const kind = member === undefined ? undefined : kindOf(name, member);
    if (kind === undefined || member === undefined) continue;
    const here = { above: trail, name };
    const sound = kind.sound(member, here, report);
    if (sound === member) continue;
    made ??= { ...value };
    if (sound !== undefined) made[name] = sound;
    else {
      report(here, kind, member);
      if (isMap) made[name] = kind.blank;
      else delete made[name];
    }
  }
  return made ?? value;
}

function keepValidItems(value: JsonArray, kind: Kind, { trail, report }: Place): JsonArray {
  let made: JsonValue[] | undefined;
  for (const [name, item] of value.entries()) {
    const here = { above: trail, name };
    const sound = kind.sound(item, here, report);
    if (sound === item) continue;
    if (sound === undefined) report(here, kind, item);
    (made ??= [...value])[name] = sound ?? kind.blank;
  }
  return made ?? value;
}

export function pointerOf({ above, name }: ValuePath): Pointer {
  return above === undefined ? '' : joinPointer(pointerOf(above), name);
}

export const text = scalar('a string', (value) => typeof value === 'string');
export const flag = scalar('true or false', (value) => typeof value === 'boolean');
export const anything = scalar('any value', () => true);
const number = scalar(
  'a number',
  (value) => typeof value === 'number' || typeof value === 'bigint',
);
const count = scalar(
  'a non-negative integer',
  (value) => (typeof value === 'bigint' || Number.isInteger(value)) && Number(value) >= 0,
);
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', 'file'];
const isType = (value: unknown): boolean => typeof value === 'string' && types.includes(value);
/** The names of JSON Schema types in other languages, in lower case. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ...['str', 'text', 'char', 'date', 'datetime', 'date-time', 'dateTime', 'timestamp', 'time'].map(
    (name) => [name.toLowerCase(), 'string'] as const,
  ),
  ...['uuid', 'guid', 'email', 'uri', 'url', 'enum', 'binary', 'base64', 'password'].map(
    (name) => [name, 'string'] as const,
  ),
  ...['int', 'int32', 'int64', 'long', 'short', 'bigint'].map((name) => [name, 'integer'] as const),
  ...['float', 'double', 'decimal', 'numeric'].map((name) => [name, 'number'] as const),
  ...['list', 'tuple', 'set'].map((name) => [name, 'array'] as const),
  ...['map', 'dict', 'hash', 'struct', 'dictionary'].map((name) => [name, 'object'] as const),
  ['bool', 'boolean'],
]);

/** The type of JSON Schema that a name of another language means, or the types of a list. */
export function meantType(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) {
    const all = value.map((item) => (isJsonArray(item) ? undefined : meantType(item)));
    const known = all.filter((item) => item !== undefined);
    return known.length > 0 && known.length === all.length ? [...new Set(known)] : undefined;
  }
  if (typeof value !== 'string') return undefined;
  const plain = value.trim().toLowerCase();
  return types.includes(plain) ? plain : typeNames.get(plain);
}

const type: Kind = {
  expects: `one of ${types.slice(0, -1).join(', ')}, or a list of them`,
  blank: {},
  explain: (value, instead) =>
    instead === undefined
      ? undefined
      : {
          rule: 'struct',
          severity: 'warning',
          message:
            `The type ${JSON.stringify(value)} is not one of OpenAPI; ` +
            `it is read as ${instead}.`,
          hint: `Write type: ${isJsonArray(value) ? instead : instead.replaceAll('"', '')}`,
        },
  sound(value, trail, report) {
    const isSound = isJsonArray(value) ? value.length > 0 && value.every(isType) : isType(value);
    if (isSound) return value;
    const meant = meantType(value);
    if (meant !== undefined) report(trail, type, value, JSON.stringify(meant));
    return meant;
  },
};
const names = scalar(
  'a list of strings',
  (value) => isJsonArray(value) && value.every((item) => typeof item === 'string'),
);
const bound = anyOf('a number', number, flag);

/** Patterns of other dialects of regular expressions are translated. */
const pattern: Kind = {
  expects: 'a string',
  blank: {},
  explain: (value, instead) =>
    typeof value !== 'string'
      ? undefined
      : {
          rule: 'vouch/pattern-valid',
          message:
            `The pattern ${String(value)} is no regular expression: ` +
            `${patternFault(String(value)) ?? ''}; ` +
            `it is ${instead === undefined ? 'ignored' : `read as ${instead}`}.`,
          hint: 'Correct it; patterns are those of ECMA-262 (JavaScript).',
        },
  sound(value, trail, report) {
    if (typeof value !== 'string') return undefined;
    if (compilePattern(value) !== undefined) return value;
    const meant = translatePattern(value);
    if (meant !== undefined) report(trail, pattern, value, meant);
    return meant;
  },
};

/** The names of its members are patterns. */
const patternProperties: Kind = {
  expects: 'an object',
  blank: {},
  sound(value, trail, report) {
    if (!isJsonObject(value)) return undefined;
    if (Object.keys(value).every((name) => compilePattern(name) !== undefined))
      return mapOf(schemaKind).sound(value, trail, report);
    const members = Object.entries(value).flatMap(([name, member]) => {
      const here = { above: trail, name };
      const read = pattern.sound(name, here, report);
      if (read === undefined) report(here, pattern, name);
      return typeof read === 'string' ? [[read, member] as const] : [];
    });
    return mapOf(schemaKind).sound(Object.fromEntries(members), trail, report);
  },
};

const discriminator = anyOf('an object with a propertyName', text, {
  ...objectOf(() => ({ mapping: mapOf(text), defaultMapping: text })),
  sound(value, trail, report) {
    if (!isJsonObject(value) || typeof value['propertyName'] !== 'string') return undefined;
    return objectOf(() => ({ mapping: mapOf(text), defaultMapping: text })).sound(
      value,
      trail,
      report,
    );
  },
});

const xml = objectOf(() => ({
  ...each(text, 'name namespace prefix nodeType'),
  ...each(flag, 'attribute wrapped'),
}));

/** Keywords of JSON Schema 2020-12, OpenAPI and Swagger; other members of a schema are not read. */
const object = objectOf(() => ({
  ...each(text, '$ref $dynamicRef $anchor $dynamicAnchor $id format'),
  ...each(text, 'contentEncoding contentMediaType'),
  type,
  pattern,
  required: names,
  enum: listOf(anything),
  examples: anyOf('a list', listOf(anything), mapOf(anything)),
  ...each(number, 'minimum maximum multipleOf'),
  ...each(bound, 'exclusiveMinimum exclusiveMaximum'),
  ...each(count, 'minLength maxLength minItems maxItems minProperties maxProperties'),
  ...each(count, 'minContains maxContains'),
  ...each(flag, 'uniqueItems nullable readOnly writeOnly deprecated'),
  ...each(schemaKind, 'items additionalProperties not if then else contains propertyNames'),
  ...each(schemaKind, 'unevaluatedItems unevaluatedProperties contentSchema'),
  ...each(listOf(schemaKind, 1), 'allOf anyOf oneOf prefixItems'),
  ...each(mapOf(schemaKind), 'properties dependentSchemas $defs definitions'),
  patternProperties,
  dependentRequired: mapOf(names),
  discriminator,
  xml,
}));

/**
 * A list in `items` is a tuple up to JSON Schema 2019-09, and read as `prefixItems` where the
 * schema says how many items there are. Elsewhere the author lists what any item may be: the kinds
 * of a mixed list, or one kind behind a dash.
 */
const schemaObject: Kind = {
  ...object,
  sound(value, trail, report) {
    const items = memberOf(value, 'items');
    if (!isJsonObject(value) || !isSchemaList(items)) return object.sound(value, trail, report);
    const isTuple = tupleBounds.some((name) => value[name] !== undefined);
    const instead = isTuple ? 'a tuple (prefixItems)' : 'what any item may be';
    report({ above: trail, name: 'items' }, schemaKind, items, instead);
    const { items: _, ...rest } = value;
    const [only, ...others] = items;
    const read = others.length === 0 && only !== undefined ? only : { anyOf: items };
    const meant = isTuple ? { prefixItems: items, ...rest } : { ...value, items: read };
    return object.sound(meant, trail, report);
  },
};

/** The keywords that only an array of known length needs. */
const tupleBounds = ['maxItems', 'additionalItems', 'unevaluatedItems'];

function isSchemaList(items: JsonValue | undefined): items is JsonArray {
  return isJsonArray(items) && items.length > 0 && items.every((item) => isJsonObject(item));
}

/** A schema: an object, or true or false. */
export const schemaKind: Kind = anyOf('a schema object', flag, schemaObject);
