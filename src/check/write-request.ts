import { encodeParameter } from '../contract/parameter/encode-parameter.ts';
import type { EncodedParameter } from '../contract/parameter/parameter-form.ts';
import type { Operation, Parameter } from '../contract/model.ts';
import { parseMediaType } from '../http/media-type.ts';
import { emptyBody, type HeaderList, type HttpRequest } from '../http/message.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { JsonValue } from '../json/value.ts';
import type { BodyTemplate, RequestTemplate, Source } from './case.ts';
import { placeCredential } from './credential.ts';
import type { Secrets } from './secrets.ts';
import type { Sent } from './subject.ts';

/** A request ready to go with what it carries; or the name of the parameter for which nothing is known. */
export type WrittenRequest =
  | { readonly ok: true; readonly request: HttpRequest; readonly sent: Sent }
  | { readonly ok: false; readonly unknown: string };

/** What it takes to write a request. `resolve` answers undefined where a source cannot be known yet. */
export interface Writing {
  readonly baseUrl: string;
  readonly secrets: Secrets;
  readonly userAgent: string;
  resolve(source: Source): JsonValue | undefined;
}

interface Written {
  readonly parameter: Parameter;
  readonly value: JsonValue;
  readonly encoded: EncodedParameter;
}

/** Writes the request of a template: path and query percent-encoded, credential placed, body as its media type says. */
export function writeRequest(operation: Operation, template: RequestTemplate, writing: Writing): WrittenRequest {
  const written: Written[] = [];
  for (const { parameter, source } of template.arguments) {
    const value = writing.resolve(source);
    if (value === undefined) return { ok: false, unknown: parameter.name };
    written.push({ parameter, value, encoded: source.kind === 'raw' ? encodeRaw(parameter, source.text) : encodeParameter(parameter, value) });
  }
  const path = fillPath(operation.path, written);
  if (path.includes('{')) return { ok: false, unknown: /\{([^{}]*)/.exec(path)?.[1] ?? '' };
  return { ok: true, request: assemble({ operation, template, writing, written, path }), sent: sentOf(template, written) };
}

function encodeRaw(parameter: Parameter, text: string): EncodedParameter {
  switch (parameter.in) {
    case 'path':
      return { in: 'path', text };
    case 'query':
      return { in: 'query', pairs: `${encodeURIComponent(parameter.name)}=${text}` };
    case 'header':
      return { in: 'header', name: parameter.name, value: text };
    case 'cookie':
      return { in: 'cookie', pair: `${parameter.name}=${text}` };
  }
}

function fillPath(path: string, written: readonly Written[]): string {
  return written.reduce((rest, { parameter, encoded }) => (encoded.in === 'path' ? rest.replaceAll(`{${parameter.name}}`, () => encoded.text) : rest), path);
}

interface Assembly {
  readonly operation: Operation;
  readonly template: RequestTemplate;
  readonly writing: Writing;
  readonly written: readonly Written[];
  readonly path: string;
}

function assemble({ operation, template, writing, written, path }: Assembly): HttpRequest {
  const credential = placeCredential(operation, tokenOf(template, writing.secrets));
  const encoded = written.map((entry) => entry.encoded);
  const query = [
    ...encoded.flatMap((entry) => (entry.in === 'query' && entry.pairs !== '' ? [entry.pairs] : [])),
    ...credential.query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
  ].join('&');
  const cookies = [...encoded.flatMap((entry) => (entry.in === 'cookie' ? [entry.pair] : [])), ...credential.cookies.map(([name, value]) => `${name}=${value}`)];
  const headers: HeaderList = [
    ['Accept', acceptFor(operation)],
    ['Accept-Encoding', 'gzip, deflate, br'],
    ['User-Agent', writing.userAgent],
    ...credential.headers,
    ...encoded.flatMap((entry) => (entry.in === 'header' ? [[entry.name, entry.value] as const] : [])),
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ...(template.body?.mediaType === undefined ? [] : [['Content-Type', template.body.mediaType] as const]),
  ];
  return { method: operation.method, target: targetOf(writing.baseUrl, path, query), headers, body: bytesOf(template.body) };
}

function tokenOf(template: RequestTemplate, secrets: Secrets): string | undefined {
  return template.credential === 'none' ? undefined : secrets[template.credential]?.value;
}

/** The base URL's own path, the operation's path and the query, as they stand on the wire. */
function targetOf(baseUrl: string, path: string, query: string): string {
  const basePath = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return `${basePath}${encodeSpaces(path)}${query === '' ? '' : `?${query}`}`;
}

/** A path template may hold what no request line can; arguments are encoded already. */
function encodeSpaces(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));
}

/** Every media type that the contract shows for an answer, so that no documented answer is refused. */
function acceptFor(operation: Operation): string {
  const types = operation.responses.flatMap(({ content }) => content.map(({ mediaType }) => parseMediaType(mediaType)?.essence ?? '*/*'));
  const distinct = [...new Set(types)];
  return distinct.length === 0 ? '*/*' : distinct.join(', ');
}

function bytesOf(body: BodyTemplate | undefined): Uint8Array {
  if (body === undefined) return emptyBody;
  return body.kind === 'bytes' ? body.bytes : new TextEncoder().encode(stringifyJson(body.value));
}

function sentOf({ body }: RequestTemplate, written: readonly Written[]): Sent {
  return {
    arguments: new Map(written.map(({ parameter, value }) => [parameter, value])),
    ...(body?.kind === 'json' ? { body: body.value } : {}),
  };
}
