import { type ParameterForm, plainForm } from '../parameter/parameter-form.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { decodeQueryPercent, encodePercent, splitQuery } from '../../http/target.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson } from '../../json/value.ts';
import type { MediaTypeSpec, MemberEncoding, Schema } from '../model.ts';
import { decodeParameter } from '../parameter/decode-parameter.ts';
import { encodeParameter, writeScalar } from '../parameter/encode-parameter.ts';
import type { FormResult, MemberReading } from './form-reader.ts';
import { FormReader, maxFields, readJsonLeaf } from './form-reader.ts';

export type FormSpec = Pick<MediaTypeSpec, 'schema' | 'encoding'>;

/**
 * Reads `application/x-www-form-urlencoded` by the properties of its schema: repeated names for
 * lists, brackets (`a[b][0]`) for nested values, JSON if a member is an object or `encoding` says
 * so (OpenAPI 3.1, section 4.8.15). A field without a type stays text. Never throws.
 */
export function readForm(text: string, { schema, encoding }: FormSpec): FormResult {
  const reader = new FormReader(schema);
  const pairs = splitQuery(text);
  if (pairs.length > maxFields)
    return {
      ok: false,
      message:
        `The form in the body has ${String(pairs.length)} fields; ` +
        `more than ${String(maxFields)} are not read.`,
    };
  const styled = new Map<string, string[]>();
  for (const [rawName, rawValue] of pairs) {
    const [name, value] = [decodeQueryPercent(rawName), decodeQueryPercent(rawValue)];
    if (name === undefined || value === undefined)
      return { ok: false, message: 'The form in the body holds a broken percent-escape.' };
    const member = encoding?.get(name);
    if (isStyled(member)) styled.set(name, [...(styled.get(name) ?? []), `${rawName}=${rawValue}`]);
    else
      reader.add(
        name,
        travelsAsJson(member)
          ? readJsonLeaf(value)
          : { ok: true, leaf: { kind: 'text', text: value } },
      );
  }
  for (const [name, own] of styled)
    reader.set(
      name,
      readStyled(
        { name, schema: reader.property(name), member: encoding?.get(name) },
        own.join('&'),
      ),
    );
  return reader.finish();
}

/**
 * Whether a member is written like a query parameter with its own style; brackets are read
 * everywhere.
 */
function isStyled(member: MemberEncoding | undefined): boolean {
  return (
    member !== undefined &&
    member.style !== 'deepObject' &&
    (member.explode === false || (member.style !== undefined && member.style !== 'form'))
  );
}

/** Whether the contract says that a member of a form is JSON. */
function travelsAsJson(member: MemberEncoding | undefined): boolean {
  return (
    member?.style === undefined &&
    member?.explode === undefined &&
    isJsonMediaType(member?.contentType ?? '')
  );
}

interface StyledMember {
  readonly name: string;
  readonly schema: Schema | undefined;
  readonly member: MemberEncoding | undefined;
}

function readStyled(
  { name, schema, member = {} }: StyledMember,
  rawQuery: string,
): MemberReading | undefined {
  if (schema === undefined) return undefined;
  const reading = decodeParameter(styledForm(name, schema, member), {
    path: new Map(),
    rawQuery,
    headers: [],
  });
  if (reading.kind === 'absent') return undefined;
  return reading.kind === 'value'
    ? { ok: true, value: reading.value }
    : { ok: false, message: reading.message };
}

function styledForm(
  name: string,
  schema: Schema,
  { style = 'form', explode = style === 'form' }: MemberEncoding = {},
): ParameterForm {
  return { ...plainForm(name, 'query', schema), style, explode };
}

/**
 * Writes an object as `application/x-www-form-urlencoded` in the form that `readForm` reads: by
 * `encoding` if there is one (OpenAPI 3.1, section 4.8.15), otherwise lists as repeated names and
 * objects as JSON. An empty list writes nothing.
 */
export function writeForm(value: JsonObject, { schema, encoding }: FormSpec): string {
  return Object.entries(value)
    .map(([name, member]) => writeMember(name, member, schema, encoding?.get(name)))
    .filter((pairs) => pairs !== '')
    .join('&');
}

function writeMember(
  name: string,
  value: JsonValue,
  schema: Schema | undefined,
  member: MemberEncoding | undefined,
): string {
  if (travelsAsJson(member)) return pair(encodePercent(name), stringifyJson(value));
  if (member?.style === 'deepObject') return writeDeep(encodePercent(name), value).join('&');
  if (isStyled(member) && schema !== undefined) {
    const encoded = encodeParameter(styledForm(name, schema, member), value);
    return encoded.in === 'query' ? encoded.pairs : '';
  }
  const items = isJsonArray(value) ? value : [value];
  return items.map((item) => pair(encodePercent(name), writeScalar(item))).join('&');
}

/**
 * `a[b][0]=c`, at any depth: OpenAPI leaves nested `deepObject` open, and this is the common form.
 */
function writeDeep(name: string, value: JsonValue): string[] {
  if (isJsonArray(value))
    return value.flatMap((item, index) => writeDeep(`${name}%5B${String(index)}%5D`, item));
  if (!isJsonObject(value)) return [pair(name, writeScalar(value))];
  return Object.entries(value).flatMap(([member, held]) =>
    writeDeep(`${name}%5B${encodePercent(member)}%5D`, held),
  );
}

function pair(name: string, text: string): string {
  return `${name}=${encodePercent(text)}`;
}
