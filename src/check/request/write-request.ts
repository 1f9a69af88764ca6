import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import { encodeParameter } from '../../contract/parameter/encode-parameter.ts';
import type { EncodedParameter } from '../../contract/parameter/parameter-form.ts';
import type { Operation, Parameter } from '../../contract/model.ts';
import { parseMediaType } from '../../http/media-type.ts';
import type { HeaderList, HttpRequest } from '../../http/message.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { mediaOf, type RequestTemplate, type Source } from '../case.ts';
import { placeCredential, type CredentialParts } from '../secrets/credential.ts';
import { readPath } from '../evidence/request/read-path.ts';
import { restoredValue } from '../plan/draft/restorable.ts';
import { secretFor, type CredentialChoice, type Secrets } from '../secrets/secrets.ts';
import type { Sent } from '../subject.ts';
import { codeBody } from './code-body.ts';
import { comparableBody, noBody, writeBody } from './write-body.ts';

/** A request ready to go with what it carries; or the name of the parameter for which nothing is known. */
export type WrittenRequest =
  | { readonly ok: true; readonly request: HttpRequest; readonly sent: Sent }
  | { readonly ok: false; readonly unknown: string };

/** What it takes to write a request. `resolve` answers undefined where a source cannot be known yet. */
export interface Writing {
  readonly baseUrl: string;
  readonly secrets: Secrets;
  readonly userAgent: string;
  /** Names the run in `Vouch-Run`, so that who runs the server can tell its requests apart. */
  readonly runId?: string;
  /** Set where a plan is only described: what a server is to make up is then a placeholder, which no contract has to allow. */
  readonly described?: true;
  resolve(source: Source, parameter?: Parameter): JsonValue | undefined;
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
    const value = writing.resolve(source, parameter);
    if (value === undefined) return { ok: false, unknown: parameter.name };
    if (writing.described !== true && isForeign(source, parameter, value)) return { ok: false, unknown: parameter.name };
    written.push({ parameter, value, encoded: source.kind === 'raw' ? encodeRaw(parameter, source.text) : encodeParameter(parameter, value) });
  }
  const path = fillPath(pathOnWire(operation), written);
  if (path.includes('{')) return { ok: false, unknown: /\{([^{}]*)/.exec(path)?.[1] ?? '' };
  const located = template.locatedBy === undefined ? undefined : locatedTarget({ operation, create: template.locatedBy, path }, writing);
  if (template.locatedBy !== undefined && located === undefined) return { ok: false, unknown: 'Location' };
  const filled = fillBody(operation, template, writing);
  if (filled === undefined) return { ok: false, unknown: 'body' };
  const request = assemble({ operation, template: filled, writing, written, path });
  return { ok: true, request: located === undefined ? request : { ...request, target: located }, sent: sentOf(filled, written) };
}

/** Where the `Location` of a create leads, as a target of the same origin; undefined where it leads to the path itself, or elsewhere. */
function locatedTarget({ operation, create, path }: { readonly operation: Operation; readonly create: string; readonly path: string }, { baseUrl, resolve }: Writing): string | undefined {
  const [location, url] = ['$response.header.Location', '$url'].map((expression) => resolve({ kind: 'link', operation: create, expression, first: true }));
  if (typeof location !== 'string' || typeof url !== 'string' || !URL.canParse(location, url)) return undefined;
  const { origin, pathname, search } = new URL(location, url);
  const usual = readPath(operation.path, pathname.slice(basePathOf(baseUrl).length));
  const isUsual = pathname.startsWith(`${basePathOf(baseUrl)}/`) && (usual !== undefined || pathname === `${basePathOf(baseUrl)}${path}`);
  return origin === new URL(baseUrl).origin && !isUsual ? `${pathname}${search}` : undefined;
}

const made: ReadonlySet<Source['kind']> = new Set(['known', 'own', 'created', 'listed', 'field', 'held', 'share', 'link'] as const);

/**
 * What a server made up, and the contract's own path does not take, or a filter that is to be asked for what a record shows: the contract
 * contradicts itself, or means something else by the same name, and a request with it proves nothing.
 */
function isForeign({ kind }: Source, parameter: Parameter, value: JsonValue): boolean {
  if (!made.has(kind) || (parameter.in !== 'path' && !(parameter.in === 'query' && (kind === 'field' || kind === 'held' || kind === 'share')))) return false;
  const encoded = encodeParameter(parameter, value);
  const reading = decodeParameter(parameter, { path: new Map([[parameter.name, encoded.in === 'path' ? encoded.text : '']]), rawQuery: encoded.in === 'query' ? encoded.pairs : '', headers: [] });
  return reading.kind !== 'value' || parameter.schema.validate(reading.value, 'request').length > 0;
}

/** The template with a body that is all its own: what it is laid onto, if anything, is read out of an earlier answer. */
function fillBody(operation: Operation, template: RequestTemplate, { resolve }: Writing): RequestTemplate | undefined {
  const { body } = template;
  if (body?.kind !== 'json' || body.onto === undefined) return template;
  const media = mediaOf({ operation, request: template });
  const value = media && restoredValue(resolve({ kind: 'link', operation: body.onto, expression: '$response.body', first: true }), media, isJsonObject(body.value) ? body.value : {});
  return value && { ...template, body: { kind: 'json', mediaType: body.mediaType, value } };
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
  const body = template.body === undefined ? noBody : writeBody(template.body);
  const credential = credentialFor(operation, template.credential, writing.secrets);
  const query: string[] = [];
  const cookies: string[] = [];
  const asked: [name: string, value: string][] = [];
  for (const { encoded } of written) {
    if (encoded.in === 'query' && encoded.pairs !== '') query.push(encoded.pairs);
    else if (encoded.in === 'cookie') cookies.push(encoded.pair);
    else if (encoded.in === 'header') asked.push([encoded.name, encoded.value]);
  }
  for (const [name, value] of credential.query) query.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  for (const [name, value] of credential.cookies) cookies.push(`${name}=${value}`);
  const own = ownHeaders(operation, template, writing);
  const headers = [...(asked.length === 0 ? own : own.filter(([name]) => !asked.some(([other]) => other.toLowerCase() === name.toLowerCase()))), ...credential.headers, ...asked];
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
  if (body.mediaType !== undefined) headers.push(['Content-Type', body.mediaType]);
  if (template.headers !== undefined) headers.push(...template.headers);
  return { method: template.method ?? operation.method, target: targetOf(writing.baseUrl, path, query.join('&')), headers, body: codeBody(body.bytes, headers) };
}

/** What the run says of itself in every request; a parameter of the contract's may be of the same name, and counts instead. */
function ownHeaders(operation: Operation, { headers }: RequestTemplate, { userAgent, runId }: Writing): HeaderList {
  return [
    ...(headers?.some(([name]) => name.toLowerCase() === 'accept') === true ? [] : [['Accept', acceptFor(operation)] as const]),
    ['Accept-Encoding', 'gzip, deflate, br'],
    ['User-Agent', userAgent],
    ...(runId === undefined ? [] : [['Vouch-Run', runId] as const]),
  ];
}

/** An operation's path without a fragment, by which contracts tell operations on one path apart: it is never sent (RFC 9110, section 7.1). */
function pathOnWire({ path }: Pick<Operation, 'path'>): string {
  return path.split('#', 1)[0] ?? '';
}

/** The base URL's own path, the operation's path and the query, as they stand on the wire. */
function targetOf(baseUrl: string, path: string, query: string): string {
  return `${basePathOf(baseUrl)}${encodeSpaces(path)}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`;
}

function basePathOf(baseUrl: string): string {
  const known = basePaths.get(baseUrl) ?? new URL(baseUrl).pathname.replace(/\/+$/, '');
  basePaths.set(baseUrl, known);
  return known;
}

// A run has one base URL, or one for each server of its contract.
const basePaths = new Map<string, string>();

/** What a choice of credential comes to for an operation: the same in each of its requests. */
function credentialFor(operation: Operation, choice: CredentialChoice, secrets: Secrets): CredentialParts {
  const own = credentials.get(secrets) ?? new Map<Operation, Map<CredentialChoice, CredentialParts>>();
  credentials.set(secrets, own);
  const choices = own.get(operation) ?? new Map<CredentialChoice, CredentialParts>();
  own.set(operation, choices);
  const known = choices.get(choice) ?? placeCredential(operation, ({ name }) => secretFor(secrets, choice, name)?.value, choice === 'wrong-scheme' ? 'a wrong scheme' : 'its scheme');
  choices.set(choice, known);
  return known;
}

const credentials = new WeakMap<Secrets, Map<Operation, Map<CredentialChoice, CredentialParts>>>();

/** A path template may hold what no request line can; arguments are encoded already. */
function encodeSpaces(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));
}

/** Every media type that the contract shows for an answer, so that no documented answer is refused. */
function acceptFor(operation: Operation): string {
  const known = accepted.get(operation);
  if (known !== undefined) return known;
  const types = operation.responses.flatMap(({ content }) => content.map(({ mediaType }) => parseMediaType(mediaType)?.essence ?? '*/*'));
  const distinct = [...new Set(types)];
  const written = distinct.length === 0 ? '*/*' : distinct.join(', ');
  accepted.set(operation, written);
  return written;
}

const accepted = new WeakMap<Operation, string>();

function sentOf({ body }: RequestTemplate, written: readonly Written[]): Sent {
  const sent = body && comparableBody(body);
  return {
    arguments: new Map(written.map(({ parameter, value }) => [parameter, value])),
    ...(sent === undefined ? {} : { body: sent }),
  };
}
