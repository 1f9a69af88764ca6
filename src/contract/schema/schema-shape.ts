import { hash } from 'node:crypto';
import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Pointer } from '../../json/pointer.ts';
import { mapSubschemas } from './convert-schema.ts';
import type { FindTarget } from './flatten-schema.ts';
import type { LocatedNode, SchemaNode } from '../model.ts';
import { isWithin } from './schema-issue.ts';

/** All that a schema says, wherever it says it. */
export interface SchemaShape {
  /** The same for two schemas that judge alike, and whose references lead to such again. */
  readonly hash: string;
  /**
   * Where the schema stands, and what it refers to: place by place where another of the same text
   * has the like.
   */
  readonly places: readonly Pointer[];
}

/** What no value is judged by. */
const annotations = [
  'title',
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
  'externalDocs',
  'xml',
  '$comment',
];
/** What is larger is likely to be the only one of its kind, and to read it all takes time. */
const maxPlaces = 24;
const maxTextLength = 16_384;

/** What makes no difference between two schemas, and what makes a schema like no other one. */
export interface ShapeWords {
  readonly passedOver: readonly string[];
  readonly unlike: readonly string[];
}

/**
 * The shape of a schema by what values are judged by, unless told otherwise; undefined for a large
 * one, and where a reference leads nowhere.
 */
export function shapeOf(
  start: LocatedNode,
  findTarget: FindTarget,
  { passedOver, unlike }: ShapeWords = { passedOver: annotations, unlike: [] },
): SchemaShape | undefined {
  const places: LocatedNode[] = [start];
  const texts: string[] = [];
  let length = 0;
  const refer = (reference: string, from: Pointer): string => {
    const target = findTarget(reference, from);
    const known = places.findIndex(({ pointer }) => pointer === target.pointer);
    return `#${String(known === -1 ? places.push(target) - 1 : known)}`;
  };
  try {
    for (let index = 0; index < places.length; index += 1) {
      const place = places[index];
      if (place === undefined || places.length > maxPlaces || length > maxTextLength)
        return undefined;
      const reading = {
        passedOver,
        refer: (reference: string) => refer(reference, place.pointer),
      };
      const nesting = nestingOf(place.pointer, places.slice(0, index));
      const text = `${nesting} ${stringifyJson(plain(place.node, reading))}`;
      if (unlike.some((word) => text.includes(`"${word}":`))) return undefined;
      texts.push(text);
      length += text.length;
    }
  } catch {
    return undefined;
  }
  return {
    hash: hash('sha256', texts.join('\n'), 'base64'),
    places: places.map(({ pointer }) => pointer),
  };
}

/**
 * The pointer into one schema as it is into another of the same shape. A place within another one
 * is that one first: the innermost counts.
 */
export function movePointer(
  pointer: Pointer,
  from: readonly Pointer[],
  to: readonly Pointer[],
): Pointer {
  let found: number | undefined;
  for (let index = 0; index < from.length; index += 1) {
    const place = from[index] ?? '';
    if (isWithin(pointer, place) && place.length >= (from[found ?? -1]?.length ?? 0)) found = index;
  }
  return found === undefined ? pointer : (to[found] ?? '') + pointer.slice(from[found]?.length);
}

/**
 * A reference into what is around it, or into what another reference leads to, has to lead to the
 * same place there.
 */
function nestingOf(pointer: Pointer, others: readonly LocatedNode[]): string {
  const related = others.flatMap((other, index) => {
    if (isWithin(pointer, other.pointer))
      return [`in ${String(index)} ${pointer.slice(other.pointer.length)}`];
    return isWithin(other.pointer, pointer)
      ? [`around ${String(index)} ${other.pointer.slice(pointer.length)}`]
      : [];
  });
  return related.join(', ');
}

interface Reading {
  readonly passedOver: readonly string[];
  readonly refer: (reference: string) => string;
}

function plain(node: SchemaNode, reading: Reading): JsonValue {
  // What stands in a schema comes from the document, so it is JSON.
  if (!isJsonObject(node)) return node as JsonValue;
  const { $ref, ...own } = mapSubschemas(node, (child) =>
    plain(child as SchemaNode, reading),
  ) as JsonObject;
  for (const name of reading.passedOver) delete (own as Record<string, JsonValue>)[name];
  return typeof $ref === 'string' ? { ...own, $ref: reading.refer($ref) } : own;
}
