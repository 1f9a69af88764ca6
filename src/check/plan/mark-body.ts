import type { Schema } from '../../contract/model.ts';
import { splitPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { hash } from '../case.ts';
import { brokenRules } from './draft/broken-rules.ts';
import type { DraftBody } from './draft/draft-body.ts';

const likely = [/name|title|label/i, /subject|description|message|comment|note|text/i];

/** Enough for a name, a blank and the mark. */
const shortestRoom = 80;

/** A body to mark: what it is for, and the place in it that is put to the test and so stays as it is. */
export interface Marking {
  readonly runId: string;
  readonly label: string;
  readonly at?: Pointer;
}

/**
 * Writes the run's name into a free text of a body, so that what the run leaves behind can be told by people, and so that no
 * two bodies are the same. A body without such a text, or which the mark would change from valid to invalid, stays as it is.
 */
export function markBody(body: DraftBody, value: JsonValue, { runId, label, at }: Marking): JsonValue {
  const field = freeText(body);
  if (field === undefined || !isJsonObject(value) || splitPointer(at ?? '')[0] === field) return value;
  const text = value[field];
  if (typeof text !== 'string' || !Object.hasOwn(value, field)) return value;
  const marked = { ...value, [field]: `${text} ${runId}-${hash(label).slice(0, hashLength)}`.trimStart() };
  return body.schema === undefined || body.schema.validate(marked, 'request').length === brokenRules(body.schema, value).length ? marked : value;
}

/** How much of a label's hash a mark bears. */
const hashLength = 6;

/** The mark of one body in a text, which begins with the run's name and a hyphen; undefined where it bears none. */
export function markIn(text: string, prefix: string): string | undefined {
  const start = text.indexOf(prefix);
  return start === -1 ? undefined : text.slice(start, start + prefix.length + hashLength);
}

/** The field of a body that bears a name and takes any text. */
function freeText({ schema }: DraftBody): string | undefined {
  if (schema === undefined) return undefined;
  if (!fields.has(schema)) fields.set(schema, findFreeText(schema));
  return fields.get(schema);
}

const fields = new WeakMap<Schema, string | undefined>();

function findFreeText(schema: Schema): string | undefined {
  const free = [...schema.flatten().properties].flatMap(([name, place]) => {
    const { node, types } = schema.flatten(place.node, place.pointer);
    const bound = node.enum !== undefined || node.const !== undefined || node.format !== undefined || node.pattern !== undefined || node.readOnly === true;
    return types.includes('string') && types.length <= 2 && !bound && (node.maxLength ?? shortestRoom) >= shortestRoom ? [name] : [];
  });
  return likely.flatMap((pattern) => free.filter((name) => pattern.test(name)))[0];
}
