import type { HeaderSpec } from '../../../contract/model.ts';
import { decodeParameter } from '../../../contract/parameter/decode-parameter.ts';
import { headerForm, type ParameterReading } from '../../../contract/parameter/parameter-form.ts';
import { selectResponse } from '../../../contract/select-response.ts';
import { headerValue, type HeaderList, isSameName } from '../../../http/message.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { isUnspecific, isDescribed } from '../../reading/refusal.ts';
import type { Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/** Required response headers are present, and declared ones conform to their schemas. */
export const headersMatch = check({
  id: 'headers-match',
  basis: 'contract',
  harm: 'types',
  rule: 'Required response headers are present, and every declared header conforms to its schema.',
  reason:
    'Pagination, caching and rate limits depend on headers, and clients have no other ' +
    'source for them.',
  example: ['> GET /items', '< 200 OK   (X-Total is required, but missing)'],
  confirm: 'once',
  traits: ['one response', 'head'],
  inspect(subject) {
    const { operation } = subject;
    const { response } = subject.exchange;
    if (!isDescribed(subject)) return undefined;
    const documented = response && selectResponse(operation, response.status);
    // A proxy's 413 has no paging headers, though `default` documents it.
    if (
      response === undefined ||
      documented === undefined ||
      documented.headers.length === 0 ||
      isUnspecific(documented, response)
    )
      return undefined;
    return documented.headers.flatMap((header) =>
      fieldsOf(header, response.headers).flatMap((fields) => inspectHeader(header, fields)),
    );
  },
});

/** Set-Cookie stands once for each cookie; its fields are not one value (RFC 6265, section 3). */
function fieldsOf({ name }: HeaderSpec, headers: HeaderList): readonly HeaderList[] {
  if (!isSameName(name, 'set-cookie')) return [headers];
  const cookies = headers.filter((field) => isSameName(field[0], name));
  return cookies.length < 2 ? [headers] : cookies.map((cookie) => [cookie]);
}

function inspectHeader(header: HeaderSpec, headers: HeaderList): Violation | Violation[] {
  const form = headerForm(header);
  const reading =
    writtenAsJson(header, headers) ??
    decodeParameter(form, { path: new Map(), rawQuery: '', headers });
  if (reading.kind === 'absent')
    return header.required ? violation(header, 'is missing', 'no such header') : [];
  const written = headerValue(headers, header.name) ?? '';
  if (reading.kind === 'unreadable') return violation(header, reading.message, written);
  // A value that is too expensive to validate proves nothing.
  const issues = header.schema
    .validate(reading.value, 'response')
    .filter(({ unjudged }) => unjudged !== true)
    .filter(() => !isRelative(header, written));
  return issues.slice(0, 1).map((issue) => violation(header, issue.message, written));
}

/** An object in a header that is written as JSON, as services do that OpenAPI's styles do not know. */
function writtenAsJson(
  { name, schema }: HeaderSpec,
  headers: HeaderList,
): ParameterReading | undefined {
  const text = headerValue(headers, name)?.trim() ?? '';
  if (!text.startsWith('{') || !schema.flatten().types.includes('object')) return undefined;
  const reading = parseJson(text);
  return reading.ok ? { kind: 'value', value: reading.value } : undefined;
}

/** Headers that hold a URI or a path on the same origin (RFC 9110, sections 8.7 and 10.2.2). */
const referring = /^(content-)?location$/i;

/**
 * Whether a header that holds a reference has a path where its schema says `url`: neither OpenAPI
 * nor JSON Schema defines that format, unlike `uri`, which needs a scheme.
 */
function isRelative({ name, schema }: HeaderSpec, written: string): boolean {
  const { node } = schema.flatten();
  return node.format === 'url' && referring.test(name) && /^\/[!-~]*$/.test(written);
}

function violation({ name, pointer }: HeaderSpec, clause: string, actual: string): Violation {
  return {
    at: pointer,
    message: `The response header ${name} ${clause}.`,
    expected: clause === 'is missing' ? `the header ${name}` : `${name} ${clause}`,
    actual,
  };
}
