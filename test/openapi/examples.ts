import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../../src/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.ts';
import { pointersIn } from './edit.ts';

/** A value that the document shows, with the schema that it has to keep. */
export interface ShownValue {
  readonly at: Pointer;
  readonly schema: Pointer;
  readonly value: JsonValue | undefined;
}

/**
 * Every example of a document: the named ones of bodies and parameters, and those that schemas
 * carry.
 */
export function examplesIn(document: JsonObject): ShownValue[] {
  return pointersIn(document, [])
    .filter((pointer) => pointer.endsWith('/examples'))
    .flatMap((pointer) => examplesAt(document, pointer));
}

function examplesAt(document: JsonObject, pointer: Pointer): ShownValue[] {
  const owner = joinPointer('', ...splitPointer(pointer).slice(0, -1));
  const shown = valueAt(document, pointer);
  const named = isJsonObject(shown);
  return Object.keys(shown ?? {}).map((key) => {
    const at = named ? joinPointer(pointer, key, 'value') : joinPointer(pointer, key);
    return { at, schema: named ? `${owner}/schema` : owner, value: valueAt(document, at) };
  });
}

/** What Ajv has against an example: nothing when it keeps its schema. */
export function judgeExample(document: JsonObject, { schema, value }: ShownValue): string[] {
  return judge(document, schema, value);
}

const prepared = new WeakMap<JsonObject, Ajv2020>();

function ajvOf(document: JsonObject): Ajv2020 {
  const known = prepared.get(document);
  if (known !== undefined) return known;
  const ajv = addFormats
    .default(new Ajv2020({ strict: false, allErrors: true }))
    .addSchema(document, 'contract'); // ajv-formats returns its general type
  prepared.set(document, ajv);
  return ajv;
}

/** What Ajv has against a value under the schema at a pointer of the document. */
export function judge(
  document: JsonObject,
  schema: Pointer,
  value: JsonValue | undefined,
): string[] {
  const validate = ajvOf(document).compile({ $ref: `contract#${encodeURI(schema)}` });
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) =>
        `${instancePath} ${message}`.trim(),
      );
}
