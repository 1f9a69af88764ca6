import { wordsIn } from '../../words-in.ts';
import type { Operation, Parameter } from '../../contract/model.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import { encodeParameter } from '../../contract/parameter/encode-parameter.ts';
import type { EncodedParameter } from '../../contract/parameter/parameter-form.ts';
import { writeNames } from '../../contract/protocols/names.ts';
import { type HeaderList, type HttpRequest, isSameName } from '../../http/message.ts';
import { valueAt, withValueAt } from '../../json/pointer.ts';
import { defined, isJsonObject, objectOf, type JsonValue } from '../../json/value.ts';
import { basePartsOf } from '../model/base-url.ts';
import { type Intent, mediaOf } from '../model/case.ts';
import type { Argument, BodyTemplate, RequestTemplate, Source } from '../model/request-template.ts';
import type { Sent } from '../model/step.ts';
import { identifierIn, placeIdentifier } from '../reading/identifiers.ts';
import { restoredValue } from '../reading/restored-value.ts';
import { askedTarget, followedTarget, type Writing } from './asked-target.ts';
import { definedPart, codeBody, comparableBody, noBody, writeBody } from './write-body.ts';
import { type SharedFields, ownFields, sharedFields, withoutSame } from './shared-fields.ts';

/**
 * A request ready to be sent, with its values; or the name of the parameter that has no known
 * value.
 */
export type WrittenRequest =
  | { readonly ok: true; readonly request: HttpRequest; readonly sent: Sent }
  | { readonly ok: false; readonly unknown: string };

export type { Writing } from './asked-target.ts';

interface Written {
  readonly parameter: Parameter;
  readonly value: JsonValue;
  readonly encoded: EncodedParameter;
}

/**
 * Writes the request of a template: path and query percent-encoded, credential placed, body encoded
 * for its media type.
 */
export function writeRequest(
  operation: Operation,
  template: RequestTemplate,
  writing: Writing,
): WrittenRequest {
  const written: Written[] = [];
  for (const argument of planned(template.arguments, writing)) {
    const filled = fillArgument(argument, template, writing);
    if (filled === undefined) return { ok: false, unknown: argument.parameter.name };
    if (filled !== 'left out') written.push(filled);
  }
  const path = fillPath(operation, (name) => textInPath(written, name));
  if (path.includes('{')) return { ok: false, unknown: /\{([^{}]*)/.exec(path)?.[1] ?? '' };
  const asked = askedTarget(operation, template, { path, writing });
  if (asked?.target === undefined && asked !== undefined)
    return { ok: false, unknown: asked.unknown };
  const filled = fillBody(operation, nameBody(template, written), writing);
  if (filled === undefined) return { ok: false, unknown: 'body' };
  const request = assemble({
    operation,
    template: withCarried(operation, filled, written),
    writing,
    written: written.flatMap(asSent),
    path,
  });
  const { credentialName } = sharedFields(operation, template, writing);
  const target = asked?.target ?? followedTarget(request.target, template, writing);
  const sent = {
    ...sentOf(filled, written),
    ...(credentialName === undefined ? {} : { credential: credentialName }),
  };
  return {
    ok: true,
    request: target === undefined ? request : { ...request, target },
    sent,
  };
}

/** The body of a call with the values of the parameters that it carries. */
function withCarried(
  { wire }: Operation,
  template: RequestTemplate,
  written: readonly Written[],
): RequestTemplate {
  const { body } = template;
  if (wire === undefined || body?.kind === 'bytes') return template;
  if (body !== undefined && !isJsonObject(body.value)) return template;
  const { mediaType } = wire;
  let values: JsonValue | undefined =
    mediaType === undefined || body !== undefined ? undefined : {};
  for (const { parameter, value } of written) {
    const { carried } = parameter;
    const sent = carried?.many === true ? [value] : value;
    if (carried?.in === 'body') values = withValueAt(values, carried.at, sent);
  }
  if (!isJsonObject(values)) return template;
  if (body === undefined) {
    const kind = { kind: 'json', mediaType: mediaType ?? 'application/json' } as const;
    return { ...template, body: { ...kind, value: values } };
  }
  const value = isJsonObject(body.value) ? { ...values, ...body.value } : values;
  return { ...template, body: { ...body, value } };
}

/** A value that is sent in the query, or in the body, and not where its parameter stands. */
function asSent(written: Written): Written[] {
  const { parameter, value } = written;
  const { carried } = parameter;
  if (carried === undefined || carried.in === 'path') return [written];
  if (carried.in === 'body') return parameter.in === 'path' ? [written] : [];
  const name = carried.at.slice(1);
  const asQuery: Parameter = { ...parameter, name, in: 'query', style: 'form' };
  const sent = carried.many === true ? [value] : value;
  return [{ ...written, encoded: encodeParameter(asQuery, sent) }];
}

/** An argument with its value; undefined if it has none, or none that the contract accepts. */
function fillArgument(
  { parameter, source }: Argument,
  { body }: RequestTemplate,
  writing: Writing,
): Written | 'left out' | undefined {
  const resolved =
    source.kind === 'members' ? maskOf(parameter, body) : writing.resolve(source, parameter);
  if (resolved === undefined) return undefined;
  const value = definedPart(parameter, resolved);
  if (value === undefined) return 'left out';
  const encoded =
    source.kind === 'raw' ? encodeRaw(parameter, source.text) : encodeParameter(parameter, value);
  const written = { parameter, value, encoded };
  const isOdd = writing.described !== true && isMadeUp(source, parameter) && isForeign(written);
  return isOdd ? undefined : written;
}

/** The mask that names each member of a body, so that an update changes what it sends. */
function maskOf(parameter: Parameter, body: BodyTemplate | undefined): JsonValue {
  const value = body === undefined || body.kind === 'bytes' ? undefined : body.value;
  return writeNames(parameter, isJsonObject(value ?? null) ? Object.keys(value ?? {}) : []);
}

/**
 * The arguments without the declared headers for which the user gives a value: the user's value is
 * sent.
 */
function planned(
  args: readonly Argument[],
  { secrets: { headers }, intent }: Writing,
): readonly Argument[] {
  if (headers.length === 0) return args;
  const isGiven = ({ in: location, name }: Parameter): boolean =>
    location === 'header' &&
    !isTested(name, intent) &&
    headers.some((header) => isSameName(header.name, name));
  return args.filter(({ parameter }) => !isGiven(parameter));
}

/** Whether a request is invalid because of a header for which the user gives a valid value. */
function isTested(name: string, intent: Intent | undefined): boolean {
  return intent?.kind === 'invalid' && intent.part === 'header' && isSameName(intent.subject, name);
}

/** Values for a query that come from a response. */
const selecting: ReadonlySet<Source['kind']> = new Set([
  'field',
  'held',
  'expression',
  'share',
] as const);

const made: ReadonlySet<Source['kind']> = new Set(
  wordsIn('known seen own created listed field held expression share link made'),
);

/**
 * Whether the value of an argument comes from a response: an identifier in the path, or a filter
 * for a field of a record.
 */
function isMadeUp({ kind }: Source, { in: location }: Parameter): boolean {
  return made.has(kind) && (location === 'path' || (location === 'query' && selecting.has(kind)));
}

/**
 * Whether the contract's own parameter rejects the value: the contract contradicts itself, or uses
 * one name for two things, and the request would prove nothing.
 */
function isForeign({ parameter, encoded }: Written): boolean {
  const reading = decodeParameter(parameter, {
    path: new Map([[parameter.name, encoded.in === 'path' ? encoded.text : '']]),
    rawQuery: encoded.in === 'query' ? encoded.pairs : '',
    headers: [],
  });
  return reading.kind !== 'value' || parameter.schema.validate(reading.value, 'request').length > 0;
}

function textInPath(written: readonly Written[], name: string): string | undefined {
  for (const { parameter, encoded } of written)
    if (encoded.in === 'path' && parameter.name === name) return encoded.text;
  return undefined;
}

/** The template with the identifier of its path in its body, if the body repeats it. */
function nameBody(template: RequestTemplate, written: readonly Written[]): RequestTemplate {
  const { body } = template;
  if (body === undefined || body.kind === 'bytes' || body.namedBy === undefined) return template;
  const { identifier = [], namedBy } = body;
  const named = written.find(
    ({ parameter }) => parameter.in === 'path' && parameter.name === namedBy,
  );
  const before = identifierIn(body.value, identifier);
  // Before the record is known, a plan shows the value of the contract.
  if (named === undefined || before === undefined) return template;
  const name = typeof before === 'string' ? asText(named.value) : named.value;
  return { ...template, body: { ...body, value: placeIdentifier(body.value, identifier, name) } };
}

/** A number as text, for a body that repeats it as text. */
function asText(value: JsonValue): JsonValue {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
}

/**
 * The template with a complete body: the part of an earlier response that it changes is filled in.
 */
function fillBody(
  operation: Operation,
  template: RequestTemplate,
  { resolve }: Writing,
): RequestTemplate | undefined {
  const { body } = template;
  if (body !== undefined && body.kind !== 'bytes' && body.fills !== undefined)
    return fillPlaces(template, body, resolve);
  if (body?.kind !== 'json' || body.onto === undefined) return template;
  const media = mediaOf({ operation, request: template });
  const value =
    media &&
    restoredValue(
      resolve({ kind: 'link', operation: body.onto, expression: '$response.body', first: true }),
      media,
      objectOf(body.value),
    );
  return value && { ...template, body: { kind: 'json', mediaType: body.mediaType, value } };
}

/** The template with the values of earlier answers in its body; undefined if one is unknown. */
function fillPlaces(
  template: RequestTemplate,
  body: Exclude<BodyTemplate, { kind: 'bytes' }>,
  resolve: Writing['resolve'],
): RequestTemplate | undefined {
  let { value } = body;
  for (const { at, source } of body.fills ?? []) {
    // A run may have learned to leave out what has another text in each request.
    if (source.kind === 'unique' && valueAt(value, at) === undefined) continue;
    const found = resolve(source);
    if (found === undefined) return undefined;
    value = withValueAt(value, at, found);
  }
  return {
    ...template,
    body:
      body.kind === 'json'
        ? { kind: 'json', mediaType: body.mediaType, value }
        : {
            kind: 'content',
            media: body.media,
            value,
            ...defined({ altered: body.altered, label: body.label }),
          },
  };
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

interface Assembly {
  readonly operation: Operation;
  readonly template: RequestTemplate;
  readonly writing: Writing;
  readonly written: readonly Written[];
  readonly path: string;
}

function assemble({ operation, template, writing, written, path }: Assembly): HttpRequest {
  const body = template.body === undefined ? noBody : writeBody(template.body);
  const shared = sharedFields(operation, template, writing);
  const { credential, added } = shared;
  const query: string[] = [];
  const cookies: string[] = [];
  const asked: [name: string, value: string][] = [];
  for (const { encoded } of written) {
    if (encoded.in === 'query' && encoded.pairs !== '') query.push(encoded.pairs);
    else if (encoded.in === 'cookie') cookies.push(encoded.pair);
    else if (encoded.in === 'header') asked.push([encoded.name, encoded.value]);
  }
  for (const [name, value] of credential.query)
    query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  for (const [name, value] of credential.cookies) cookies.push(`${name}=${value}`);
  const own = added.cookies.filter(
    ([name]) => !cookies.some((pair) => pair.startsWith(`${name}=`)),
  );
  cookies.push(...own.map((pair) => pair.join('=')));
  const isTesting = added.headers.some(([name]) => isTested(name, writing.intent));
  const isPlain =
    asked.length === 0 && cookies.length === 0 && template.headers === undefined && !isTesting;
  const headers = isPlain
    ? shared.headersFor(body.mediaType)
    : headersOf({
        shared,
        writing,
        asked,
        cookies,
        mediaType: body.mediaType,
        more: template.headers ?? [],
      });
  return {
    method: template.method ?? operation.wire?.method ?? operation.method,
    target: targetOf(writing.baseUrl, path, query.join('&')),
    headers,
    body: codeBody(body.bytes, headers),
  };
}

interface HeaderParts {
  readonly shared: SharedFields;
  readonly writing: Writing;
  /** The parameters that the contract declares in the header. */
  readonly asked: HeaderList;
  readonly cookies: readonly string[];
  readonly mediaType: string | undefined;
  /** The fields that the template adds. */
  readonly more: HeaderList;
}

function headersOf({ shared, writing, asked, cookies, mediaType, more }: HeaderParts): HeaderList {
  const { accept, credential } = shared;
  const own = ownFields(
    more.some(([name]) => isSameName(name, 'accept')) ? undefined : accept,
    writing,
  );
  const untested = shared.added.headers.filter(([name]) => !isTested(name, writing.intent));
  const added = withoutSame(withoutSame(untested, more), asked);
  return [
    ...withoutSame(withoutSame(own, asked), added),
    ...credential.headers,
    ...added,
    ...asked,
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ...(mediaType === undefined ? [] : [['Content-Type', mediaType] as const]),
    ...more,
  ];
}

/** The base URL's own path, the operation's path and the query, as they are sent. */
function targetOf(baseUrl: string, path: string, query: string): string {
  const written = `${basePartsOf(baseUrl).path}${encodeSpaces(path)}`;
  if (query === '') return written;
  return `${written}${path.includes('?') ? '&' : '?'}${query}`;
}

/**
 * A path template may contain characters that a request line cannot; arguments are already encoded.
 */
function encodeSpaces(path: string): string {
  return unwritable.test(path)
    ? path.replaceAll(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))
    : path;
}

const unwritable = /[^\x21-\x7e]/;

function sentOf({ body }: RequestTemplate, written: readonly Written[]): Sent {
  const sent = body && comparableBody(body);
  const given = new Map<Parameter, JsonValue>();
  for (const { parameter, value } of written) given.set(parameter, value);
  return sent === undefined ? { arguments: given } : { arguments: given, body: sent };
}

/**
 * The path of an operation with its parameters filled in by `textOf`. A parameter without a text
 * keeps its braces.
 */
function fillPath(operation: Operation, textOf: (name: string) => string | undefined): string {
  const pieces = piecesOf(operation);
  let path = pieces[0] ?? '';
  for (let at = 1; at < pieces.length; at += 2) {
    const name = pieces[at] ?? '';
    path += `${textOf(name) ?? `{${name}}`}${pieces[at + 1] ?? ''}`;
  }
  return path;
}

/**
 * The texts of a path template, and between them the names of its parameters. Without a fragment,
 * by which some contracts distinguish operations on one path: it is never sent (RFC 9110, section
 * 7.1).
 */
function piecesOf(operation: Operation): readonly string[] {
  const { path } = operation.wire ?? operation;
  return (path.split('#', 1)[0] ?? '').split(/\{([^{}]*)\}/);
}
