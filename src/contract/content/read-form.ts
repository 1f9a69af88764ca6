import { isJsonMediaType } from '../../http/media-type.ts';
import { decodeQueryPercent } from '../../http/percent.ts';
import { splitQuery } from '../../http/query.ts';
import type { MediaTypeSpec, MemberEncoding, Schema } from '../model.ts';
import { decodeParameter } from '../parameter/decode-parameter.ts';
import { FormReader, mostFields, type FormResult } from './form-reader.ts';
import { readJsonLeaf, type MemberReading } from './member-tree.ts';

/** How a form is described. */
export type FormSpec = Pick<MediaTypeSpec, 'schema' | 'encoding'>;

/**
 * Reads `application/x-www-form-urlencoded` by the properties of its schema: names repeated for
 * lists, brackets (`a[b][0]`) for what is nested, JSON where a member is an object, or as
 * `encoding` has it (OpenAPI 3.1, section 4.8.15). A field of which the schema does not say what it
 * is stays a text. Never throws.
 */
export function readForm(text: string, { schema, encoding }: FormSpec): FormResult {
  const reader = new FormReader(schema);
  const pairs = splitQuery(text);
  if (pairs.length > mostFields)
    return {
      ok: false,
      message: `The form in the body has ${String(pairs.length)} fields; more than ${String(mostFields)} are not read.`,
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
 * Whether a member is written like a query parameter of a style of its own; brackets are read
 * everywhere.
 */
export function isStyled(member: MemberEncoding | undefined): boolean {
  return (
    member !== undefined &&
    member.style !== 'deepObject' &&
    (member.explode === false || (member.style !== undefined && member.style !== 'form'))
  );
}

/** Whether a member of a form is JSON by what the contract says of it. */
export function travelsAsJson(member: MemberEncoding | undefined): boolean {
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
  const style = member.style ?? 'form';
  const form = {
    name,
    in: 'query',
    style,
    explode: member.explode ?? style === 'form',
    allowReserved: false,
    allowEmptyValue: false,
    schema,
  } as const;
  const reading = decodeParameter(form, { path: new Map(), rawQuery, headers: [] });
  if (reading.kind === 'absent') return undefined;
  return reading.kind === 'value'
    ? { ok: true, value: reading.value }
    : { ok: false, message: reading.message };
}
