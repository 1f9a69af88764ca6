import { typeOf } from '../../json/json-type.ts';
import type { Pointer } from '../../json/pointer.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Drift } from '../model/knowledge.ts';
import type { UndocumentedFields } from './undocumented-fields.ts';

interface FieldRecord {
  count: number;
  readonly types: Set<string>;
  readonly itemTypes: Set<string>;
  /** The formats that every text so far conforms to. */
  formats: readonly string[];
  large: boolean;
  example: JsonValue | undefined;
}

interface SchemaRecord {
  objects: number;
  readonly fields: Map<string, FieldRecord>;
}

/** Collects undocumented fields of responses, in the order of the plan. Deterministic. */
export class DriftGatherer {
  readonly #schemas = new Map<Pointer, SchemaRecord>();

  note(objects: readonly UndocumentedFields[]): void {
    let at: Pointer | undefined;
    let record: SchemaRecord | undefined;
    for (const { pointer, fields } of objects) {
      // The records of a list have one schema.
      if (record === undefined || pointer !== at) record = this.#recordOf(pointer);
      at = pointer;
      record.objects += 1;
      for (const [name, value] of fields)
        record.fields.set(name, noteValue(record.fields.get(name), name, value));
    }
  }

  #recordOf(pointer: Pointer): SchemaRecord {
    let record = this.#schemas.get(pointer);
    if (record === undefined)
      this.#schemas.set(pointer, (record = { objects: 0, fields: new Map() }));
    return record;
  }

  /** The undocumented fields of each schema. */
  drift(): Map<Pointer, Drift> {
    const drifted = [...this.#schemas].filter(([, { fields }]) => fields.size > 0);
    return new Map(
      drifted.map(([pointer, { objects, fields }]) => [
        pointer,
        {
          objects,
          fields: [...fields].map(([name, record]) => ({
            name,
            count: record.count,
            schema: toSchema(record),
          })),
        },
      ]),
    );
  }
}

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  email: /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
  uri: /^https?:\/\/\S+$/,
};

function noteValue(before: FieldRecord | undefined, name: string, value: JsonValue): FieldRecord {
  const record = before ?? {
    count: 0,
    types: new Set<string>(),
    itemTypes: new Set<string>(),
    formats: Object.keys(formats),
    large: false,
    example: undefined,
  };
  record.count += 1;
  record.types.add(typeOf(value));
  if (isJsonArray(value)) for (const item of value.slice(0, 20)) record.itemTypes.add(typeOf(item));
  if (typeof value === 'string')
    record.formats = record.formats.filter((format) => formats[format]?.test(value) === true);
  record.large ||=
    typeof value === 'bigint' ||
    (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) > 2_147_483_647);
  record.example ??= isShowable(name, value) ? value : undefined;
  return record;
}

const secretName = new RegExp(
  [
    'pass|secret|token|credential|auth|key|private|session|cookie|otp',
    String.raw`\bpin\b|ssn|iban|card|mail|phone|address`,
  ].join('|'),
  'i',
);
const longestExample = 40;

/** Whether a value may be shown in a contract: short, and neither a secret nor personal data. */
function isShowable(name: string, value: JsonValue): boolean {
  if (value === null || typeof value === 'object' || secretName.test(name)) return false;
  if (typeof value !== 'string') return true;
  const random =
    /^[\w+/=.-]{20,}$/.test(value) &&
    /\d/.test(value) &&
    /[a-z]/i.test(value) &&
    formats['uuid']?.test(value) !== true &&
    formats['date-time']?.test(value) !== true;
  return (
    value !== '' &&
    value.length <= longestExample &&
    !random &&
    formats['email']?.test(value) !== true
  );
}

function toSchema({ types, itemTypes, formats: kept, large, example }: FieldRecord): JsonObject {
  const names = joinTypes(types);
  const items = joinTypes(itemTypes);
  const format = types.has('string')
    ? kept[0]
    : large && !types.has('number')
      ? 'int64'
      : undefined;
  return {
    ...(names.length === 0 ? {} : { type: oneOrAll(names) }),
    ...(types.has('array') && items.length > 0 ? { items: { type: oneOrAll(items) } } : {}),
    ...(format === undefined ? {} : { format }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
}

/** An integer is a number too. */
function joinTypes(types: ReadonlySet<string>): string[] {
  return [...types]
    .filter((type) => type !== 'integer' || !types.has('number'))
    .sort((left, right) => (left === 'null' ? 1 : right === 'null' ? -1 : 0));
}

function oneOrAll(names: readonly string[]): JsonValue {
  return names.length === 1 ? (names[0] ?? '') : names;
}
