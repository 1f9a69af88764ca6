import { shellQuote } from '../../http/curl.ts';
import { usableRequirement } from '../../check/secrets/credential.ts';
import type {
  Contract,
  Operation,
  Parameter,
  Resource,
  SecurityScheme,
} from '../../contract/model.ts';
import { encodeParameter } from '../../contract/parameter/encode-parameter.ts';
import type { EncodedParameter } from '../../contract/parameter/parameter-form.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';
import type { RunningMock } from '../../library/start-mock.ts';
import { basePathsOf } from '../../mock/route/mounted-paths.ts';
import { plainValue } from '../../values/plain-value.ts';

/**
 * Up to three working curl commands: list, create and read a record, or the nearest equivalents.
 */
export function sampleRequests(mock: RunningMock): string[] {
  const resources = isLarge(mock.contract) ? [] : mock.contract.resources.filter(isReachable);
  const requests = resources.flatMap((resource) => requestsOfResource(mock, resource));
  const listed = resources.map(({ operations }) => operations.list);
  const simple = mock.contract.operations.filter(
    (operation) =>
      operation.method === 'GET' && !operation.path.includes('{') && !listed.includes(operation),
  );
  return [
    ...new Set([
      ...requests,
      ...simple.slice(0, 3).map((operation) => curl(mock, operation, operation.path)),
    ]),
  ].slice(0, 3);
}

/** Whether any value works for the parents in the path of a resource. */
function isReachable({ kind, parents }: Resource): boolean {
  return kind === 'collection' && parents.every(({ resource }) => resource === undefined);
}

/**
 * Fills the path parameters: with the contract's example, otherwise with a value that the schema
 * allows.
 */
function fillParameters(path: string, operation: Operation): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_written, name: string) => {
    const parameter = operation.parameters.find(
      (candidate) => candidate.in === 'path' && candidate.name === name,
    );
    return encodeURIComponent(String((parameter && valueOf(parameter)) ?? 1));
  });
}

function valueOf({ name, schema, examples: [example] }: Parameter): JsonValue | undefined {
  if (example?.value !== undefined) return example.value;
  const made = plainValue(schema, { seed: 'banner', direction: 'request', name });
  return made.ok ? made.value : undefined;
}

/** The parameters of the query and the headers that an operation requires, as they are sent. */
function requiredPieces({ parameters }: Operation): EncodedParameter[] {
  return parameters
    .filter(({ in: location, required }) => required && location !== 'path')
    .flatMap((parameter) => {
      const value = valueOf(parameter);
      return value === undefined ? [] : [encodeParameter(parameter, value)];
    });
}

function requestsOfResource(mock: RunningMock, resource: Resource): string[] {
  const { list, create, read } = resource.operations;
  const known = mock.prepared.fixtures.get(resource.name)?.[0]?.id;
  const listing =
    list === undefined
      ? []
      : [curl(mock, list, `${fillParameters(list.path, list)}${exampleQuery(resource)}`)];
  const creating =
    create === undefined
      ? []
      : [curl(mock, create, fillParameters(create.path, create), exampleBody(create))];
  const reading =
    read === undefined || known === undefined
      ? []
      : [curl(mock, read, read.path.replace(/\{[^{}]+\}$/, encodeURIComponent(known)))];
  return [...listing, ...creating, ...reading];
}

function exampleQuery(resource: Resource): string {
  const limit = resource.list?.limit;
  const filter = resource.list?.filters[0];
  const value = filter?.parameter.schema.flatten().node.enum?.[0];
  const pairs = [
    ...(limit === undefined ? [] : [`${encodeURIComponent(limit.parameter.name)}=3`]),
    ...(filter === undefined || value === undefined
      ? []
      : [`${encodeURIComponent(filter.parameter.name)}=${encodeURIComponent(String(value))}`]),
  ];
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function exampleBody(operation: Operation): JsonValue | undefined {
  const content = operation.requestBody?.content[0];
  const example = content?.examples[0]?.value;
  if (example !== undefined || content?.schema === undefined) return example;
  const made = plainValue(content.schema, { seed: 'banner', direction: 'request' });
  return made.ok ? made.value : undefined;
}

function curl(mock: RunningMock, operation: Operation, path: string, body?: JsonValue): string {
  const key = mock.keys[0] ?? '';
  const base = basePathsOf(operation, mock.prepared.documents[0]?.base)[0] ?? '';
  const pieces = requiredPieces(operation);
  const asked = pieces.flatMap((piece) =>
    piece.in === 'query' && !path.includes(`?${piece.pairs.split('=', 1).join('')}=`)
      ? [piece.pairs]
      : [],
  );
  const url = `${mock.origin}${base}${withPairs(path, [...asked, ...queryKeys(operation, key)])}`;
  const headers = pieces.flatMap((piece) =>
    piece.in === 'header' ? [`-H ${shellQuote(`${piece.name}: ${piece.value}`)}`] : [],
  );
  const data =
    body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${shellQuote(stringifyJson(body))}`];
  return [
    'curl',
    ...curlTlsFlags(mock),
    ...credential(operation, key),
    ...headers,
    ...data,
    shellQuote(url),
  ].join(' ');
}

/** The credential of the first requirement that curl can send; none if it is optional. */
function credential(operation: Operation, key: string): string[] {
  return schemesOf(operation).flatMap((scheme) => credentialOf(scheme, key));
}

function schemesOf(operation: Operation): SecurityScheme[] {
  const requirement = usableRequirement(operation) ?? operation.security[0] ?? [];
  return requirement.map(({ scheme }) => scheme);
}

function queryKeys(operation: Operation, key: string): string[] {
  return schemesOf(operation).flatMap((scheme) =>
    scheme.kind === 'apiKey' && scheme.in === 'query'
      ? [`${encodeURIComponent(scheme.key)}=${encodeURIComponent(key)}`]
      : [],
  );
}

function withPairs(path: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

function credentialOf(scheme: SecurityScheme, key: string): string[] {
  if (scheme.kind === 'bearer') return [`-H ${shellQuote(`Authorization: Bearer ${key}`)}`];
  if (scheme.kind === 'basic') return [`-u ${shellQuote(key.includes(':') ? key : `user:${key}`)}`];
  if (scheme.kind === 'http' && scheme.scheme.toLowerCase() === 'digest')
    return [`--digest -u ${shellQuote(`user:${key}`)}`];
  if (scheme.kind === 'apiKey' && scheme.in === 'header')
    return [`-H ${shellQuote(`${scheme.key}: ${key}`)}`];
  return scheme.kind === 'apiKey' && scheme.in === 'cookie'
    ? [`-b ${shellQuote(`${scheme.key}=${key}`)}`]
    : [];
}

/** The curl flags that trust the generated certificate; empty for a given certificate. */
export function curlTlsFlags({ tls }: Pick<RunningMock, 'tls'>): string[] {
  if (tls?.authority === undefined) return [];
  return tls.caFile === undefined ? ['-k'] : [`--cacert ${shellQuote(tls.caFile)}`];
}

const manyOperations = 200;

/** Whether a contract is too large to read completely for the banner; its parts load lazily. */
export function isLarge({ operations }: Pick<Contract, 'operations'>): boolean {
  return operations.length > manyOperations;
}
