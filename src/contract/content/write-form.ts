import { encodePercent } from '../../http/percent.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { MemberEncoding, Schema } from '../model.ts';
import { encodeParameter } from '../parameter/encode-parameter.ts';
import { writeScalar } from '../parameter/write-piece.ts';
import { isStyled, travelsAsJson, type FormSpec } from './read-form.ts';

/**
 * Writes an object as `application/x-www-form-urlencoded` so that `readForm` reads it back: by
 * `encoding` where there is one (OpenAPI 3.1, section 4.8.15), else lists as repeated names and
 * objects as JSON. An empty list leaves nothing to say.
 */
export function writeForm(value: JsonObject, { schema, encoding }: FormSpec): string {
  return Object.entries(value)
    .map(([name, member]) => writeMember(name, member, { schema, member: encoding?.get(name) }))
    .filter((pairs) => pairs !== '')
    .join('&');
}

interface MemberSpec {
  readonly schema: Schema | undefined;
  readonly member: MemberEncoding | undefined;
}

function writeMember(name: string, value: JsonValue, { schema, member }: MemberSpec): string {
  if (travelsAsJson(member)) return pair(encodePercent(name), stringifyJson(value));
  if (member?.style === 'deepObject') return writeDeep(encodePercent(name), value).join('&');
  if (isStyled(member) && schema !== undefined) {
    const style = member?.style ?? 'form';
    const encoded = encodeParameter(
      {
        name,
        in: 'query',
        style,
        explode: member?.explode ?? style === 'form',
        allowReserved: false,
        allowEmptyValue: false,
        schema,
      },
      value,
    );
    return encoded.in === 'query' ? encoded.pairs : '';
  }
  const items = isJsonArray(value) ? value : [value];
  return items.map((item) => pair(encodePercent(name), writeScalar(item))).join('&');
}

/**
 * `a[b][0]=c`, as deep as the value goes: what OpenAPI leaves open about `deepObject`, as its users
 * do it.
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
