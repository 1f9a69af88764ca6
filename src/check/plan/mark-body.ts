import type { Schema } from '../../contract/model.ts';
import { type Pointer, splitPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { countBroken } from '../../values/broken-rules.ts';
import { hash } from '../model/case.ts';
import type { BodyTemplate } from '../model/request-template.ts';
import { bodyOf, type DraftBody } from './draft/draft-body.ts';
import { withOwnIdentifier } from './draft/identifiers.ts';

/** What a body is marked for, and the place in it that is tested and so stays as it is. */
export interface Marking {
  readonly runId: string;
  readonly label: string;
  readonly at?: Pointer | undefined;
}

/** A value, marked, as a body in the media type of a draft. */
export function markedBody(body: DraftBody, value: JsonValue, marking: Marking): BodyTemplate {
  return bodyOf(body, markBody(body, value, marking));
}

/**
 * Writes the run's id into a free text of a body, so that people recognise what the run leaves
 * behind, and no two bodies are the same. Texts that may be keys and e-mail addresses get it too:
 * many services require them to be unique. A text that the mark would make invalid stays as it is.
 */
function markBody(body: DraftBody, value: JsonValue, { runId, label, at }: Marking): JsonValue {
  if (!isJsonObject(value)) return value;
  const { freeText, keys } = body.texts;
  const mark = `${runId}-${hash(label).slice(0, hashLength)}`;
  const tested = splitPointer(at ?? '')[0];
  const fields = new Set([...(freeText === undefined ? [] : [freeText]), ...keys]);
  const marked = withTexts(body, value, {
    fields: [...fields].filter((field) => field !== tested),
    write: (before) => `${before} ${mark}`.trimStart(),
  });
  const owned: JsonValue =
    body.identifier === undefined || body.namedBy !== undefined || body.identifier[0] === tested
      ? marked
      : withOwnIdentifier(marked, { path: body.identifier, schema: body.schema, salt: mark });
  if (!isJsonObject(owned)) return owned;
  // The service may know an address that the contract shows; only a new record gets another one.
  const addresses = body.shown && body.makesRecord !== true ? [] : body.texts.addresses;
  return withTexts(body, owned, {
    fields: addresses.filter((field) => field !== tested),
    write: (before) => before.replace(/^([^@"]{1,40})@/, `$1.${mark}@`),
  });
}

/**
 * The body of a create with unique texts in its keys: some requests send it as it is, such as one
 * under a wrong media type.
 */
export function withOwnKeys(body: DraftBody, salt: string): DraftBody {
  const { value } = body;
  if (!isJsonObject(value)) return body;
  const write = (before: string): string => `${before} vouch-${hash(salt)}`.trimStart();
  return { ...body, value: withTexts(body, value, { fields: body.texts.keys, write }) };
}

/** Rewrites texts of a body, except where that would break another number of rules. */
function withTexts(
  { schema }: DraftBody,
  value: JsonObject,
  {
    fields,
    write,
  }: { readonly fields: readonly string[]; readonly write: (before: string) => string },
): JsonObject {
  return fields.reduce((whole, field) => {
    const before = Object.hasOwn(whole, field) ? whole[field] : undefined;
    if (typeof before !== 'string') return whole;
    const changed = { ...whole, [field]: write(before) };
    return schema === undefined || breaksAsMany(schema, whole, changed) ? changed : whole;
  }, value);
}

/** Whether a changed value breaks as many rules of a schema as before. */
function breaksAsMany(schema: Schema, value: JsonValue, changed: JsonValue): boolean {
  const count = countBroken(schema, value);
  return count === 0
    ? schema.accepts(changed, 'request')
    : schema.validate(changed, 'request').length === count;
}

/** How many digits of a label's hash a mark has. */
const hashLength = 6;

/**
 * The mark in a text, which begins with `prefix` (the run's id and a hyphen); undefined without.
 */
export function markIn(text: string, prefix: string): string | undefined {
  const start = text.indexOf(prefix);
  return start === -1 ? undefined : text.slice(start, start + prefix.length + hashLength);
}
