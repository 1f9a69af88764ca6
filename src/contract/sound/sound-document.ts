import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { pointerOf, type KindFault } from './kind.ts';
import { openApiKind, swaggerKind } from './openapi-kind.ts';

/** A document in which each part that is read is of the kind that OpenAPI wants. */
export interface SoundDocument {
  readonly document: JsonObject;
  /** What was left out or replaced, in the order of the document. */
  readonly faults: readonly KindFault[];
}

/**
 * Leaves out of a document what is of another kind than its place in OpenAPI wants: an object where
 * a list belongs, `type: 5`. A schema, a response and the like that others may refer to is replaced
 * by an empty one. The same document where nothing is wrong; pointers stay as they are.
 */
export function soundDocument(document: JsonObject, dialect: string): SoundDocument {
  const faults: KindFault[] = [];
  const kind = dialect === '2.0' ? swaggerKind : openApiKind;
  const sound = kind.sound(document, { name: '' }, (trail, { expects }, value) => {
    const pointer = pointerOf(trail);
    const name = typeof trail.name === 'number' ? `Item ${String(trail.name)}` : `"${trail.name}"`;
    faults.push({ pointer, message: `${name} has to be ${expects}, and is ${nameOf(value)}.` });
  });
  return { document: isJsonObject(sound) ? sound : document, faults };
}

function nameOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return value.length > 30 ? 'a text' : `the text ${JSON.stringify(value)}`;
  return String(value);
}
