import { stringifyJson } from '../json/stringify-json.ts';
import type { JsonValue } from '../json/value.ts';
import type { Operation, Resource, SecurityScheme } from '../contract/model.ts';
import type { RunningMock } from '../library/start-mock.ts';
import { plainValue } from '../values/plain-value.ts';

/** Up to three curl commands that work when they are pasted: list, create and read one record, or the nearest to it. */
export function sampleRequests(mock: RunningMock): string[] {
  const requests = mock.contract.resources.flatMap((resource) => requestsOfResource(mock, resource));
  const simple = mock.contract.operations.filter((operation) => operation.method === 'GET' && !operation.path.includes('{'));
  return [...requests, ...simple.map((operation) => curl(mock, operation, operation.path))].slice(0, 3);
}

function requestsOfResource(mock: RunningMock, resource: Resource): string[] {
  const { list, create, read } = resource.operations;
  const known = mock.prepared.fixtures.get(resource.name)?.[0]?.id;
  const listing = list === undefined ? [] : [curl(mock, list, `${list.path}${exampleQuery(resource)}`)];
  const creating = create === undefined ? [] : [curl(mock, create, create.path, exampleBody(create))];
  const reading = read === undefined || known === undefined ? [] : [curl(mock, read, read.path.replace(/\{[^{}]+\}$/, encodeURIComponent(known)))];
  return [...listing, ...creating, ...reading];
}

function exampleQuery(resource: Resource): string {
  const limit = resource.list?.limit;
  const filter = resource.list?.filters[0];
  const value = filter?.parameter.schema.flatten().node.enum?.[0];
  const pairs = [
    ...(limit === undefined ? [] : [`${encodeURIComponent(limit.parameter.name)}=3`]),
    ...(filter === undefined || value === undefined ? [] : [`${encodeURIComponent(filter.parameter.name)}=${encodeURIComponent(String(value))}`]),
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
  const url = `${mock.origin}${operation.servers[0]?.basePath ?? ''}${path}`;
  const data = body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quote(stringifyJson(body))}`];
  return ['curl', ...credential(operation, mock.keys[0] ?? ''), ...data, quote(url)].join(' ');
}

/** The credential of the first requirement that curl can send in a header. */
function credential(operation: Operation, key: string): string[] {
  return (operation.security[0] ?? []).flatMap(({ scheme }) => credentialOf(scheme, key));
}

function credentialOf(scheme: SecurityScheme, key: string): string[] {
  if (scheme.kind === 'bearer') return [`-H ${quote(`Authorization: Bearer ${key}`)}`];
  if (scheme.kind === 'basic') return [`-u ${quote(key.includes(':') ? key : `user:${key}`)}`];
  if (scheme.kind === 'apiKey' && scheme.in === 'header') return [`-H ${quote(`${scheme.key}: ${key}`)}`];
  return scheme.kind === 'apiKey' && scheme.in === 'cookie' ? [`-b ${quote(`${scheme.key}=${key}`)}`] : [];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
