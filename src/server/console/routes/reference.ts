import type {
  MediaTypeSpec,
  Operation,
  SecurityScheme,
  Contract,
} from '../../../contract/model.ts';
import type { ExistingNames } from '../../../mock/control/example-request.ts';
import { exampleAnswer, exampleRequest, writeBody } from '../../../mock/control/example-request.ts';
import { defaultSession } from '../../../mock/request/request-context.ts';
import { demoKey, isKnownKey } from '../../../mock/security/credentials.ts';
import type { ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { json, unknownName } from '../../control/control-response.ts';
import { readFields } from '../../control/fields.ts';
import type {
  ContentReference,
  OperationReference,
  Reference,
  WrittenRequest,
} from '../console-api.ts';
import { existingNames } from '../existing-values.ts';
import { schemaTree } from '../schema-tree.ts';
import { type TryRequest, writeRequest } from '../send-try.ts';
import { keyPlaceholder, writeSamples } from '../write-samples.ts';
import { brief, ownOrigin, showParameter } from './operations.ts';
import { readAsking, requestBody, requestMembers } from './services.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonObject,
  mapMembers,
  objectOf,
  arrayOf,
} from '../../../json/value.ts';

const something = { type: 'object' };

/** What the documentation page reads, without a token: nothing here is secret, or changes. */
export const referenceRoutes: readonly ControlRoute[] = [
  {
    id: 'getReference',
    method: 'GET',
    path: '/reference',
    summary: 'The operations of the contract, and how clients show who they are',
    open: true,
    answers: { 200: { description: 'The reference', schema: something } },
    answer: async ({ parts: { mock } }) => json(writeReference(mock)),
  },
  {
    id: 'getOperationReference',
    method: 'GET',
    path: '/reference/{id}',
    summary:
      'An operation with its schemas as trees, and an example of its request, which names ' +
      'records of the session of this browser',
    open: true,
    answers: {
      200: { description: 'The operation', schema: something },
      404: 'The contract has no such operation',
    },
    answer: async ({ parts: { mock, browsers }, request, path: { id = '' } }) => {
      const { operations } = mock.options.contract;
      const operation = operations.find((each) => each.id === id);
      return operation === undefined
        ? unknownName(
            'operation',
            id,
            operations.map((each) => each.id),
          )
        : json(
            await describeOperation(mock, operation, browsers.sessionOf(request) ?? defaultSession),
          );
    },
  },
  {
    id: 'writeRequest',
    method: 'POST',
    path: '/reference',
    summary: 'A request as it is sent, and as code in five languages; nothing is sent',
    open: true,
    body: requestBody,
    answers: { 200: { description: 'The request', schema: something } },
    answer: async ({ parts, request }) => {
      const asked = readAsking(parts, readFields(request.body, requestMembers));
      return json(write(parts, asked, ownOrigin(parts, request) ?? ''));
    },
  },
  {
    id: 'getContract',
    method: 'GET',
    path: '/contract.json',
    summary: 'The contract with the mock as its first server',
    open: true,
    answers: { 200: { description: 'An OpenAPI document', schema: something } },
    answer: async ({ parts: { mock } }) =>
      json(docsDocument(mock.options.contract, { base: mock.options.mounting?.base })),
  },
];

function writeReference(mock: ControlParts['mock']): Reference {
  const { contract, keys, authentication } = mock.options;
  const isShown = authentication !== 'off' && isKnownKey(demoKey, keys);
  return {
    title: contract.title,
    version: contract.version,
    description: contract.description ?? '',
    operations: contract.operations.map((operation) => brief(mock, operation)),
    schemes: [...contract.securitySchemes.values()].flatMap((scheme) => howToShow(scheme) ?? []),
    key: isShown ? demoKey : null,
  };
}

/** How a client sends the credential of a scheme. */
function howToShow(scheme: SecurityScheme): string | undefined {
  switch (scheme.kind) {
    case 'bearer':
      return scheme.source === 'http'
        ? 'A token in Authorization: Bearer TOKEN.'
        : 'A token of OAuth in Authorization: Bearer TOKEN.';
    case 'apiKey':
      return `A key in the ${scheme.in} ${scheme.key}.`;
    case 'basic':
      return 'User and password in Authorization: Basic.';
    case 'mutualTLS':
      return 'A client certificate.';
    default:
      return undefined;
  }
}

async function describeOperation(
  mock: ControlParts['mock'],
  operation: Operation,
  session: string,
): Promise<OperationReference> {
  const { seed } = mock.options;
  const existing = await existingNames(operation, mock, session);
  const { parameters } = exampleRequest(operation, seed, existing);
  const describe = (content: MediaTypeSpec, direction: Direction): ContentReference =>
    describeContent(content, direction, { seed, existing });
  return {
    ...brief(mock, operation),
    description: operation.description ?? '',
    tries: operation.extensions['x-test-panel'] !== false,
    parameters: parameters.map((example) => ({
      ...showParameter(example),
      schema: {
        ...schemaTree(example.parameter.schema, 'request'),
        ...(example.parameter.description === undefined
          ? {}
          : { description: example.parameter.description }),
      },
    })),
    bodies: (operation.requestBody?.content ?? []).map((content) => describe(content, 'request')),
    responses: operation.responses.map(({ status, description, headers, content }) => ({
      status,
      description,
      headers: headers.map(({ name }) => name),
      contents: content.map((each) => describe(each, 'response')),
    })),
  };
}

type Direction = 'request' | 'response';

function describeContent(
  spec: MediaTypeSpec,
  direction: Direction,
  { seed, existing }: { readonly seed: string; readonly existing: ExistingNames },
): ContentReference {
  const { mediaType, schema } = spec;
  return {
    mediaType,
    schema: schema === undefined ? null : schemaTree(schema, direction),
    example:
      direction === 'request'
        ? writeBody(spec, seed, existing).text
        : exampleAnswer(spec, seed, existing),
  };
}

function write({ mock }: ControlParts, asked: TryRequest, origin: string): WrittenRequest {
  const key = asked.key ?? keyPlaceholder;
  const request = writeRequest(mock, { ...asked, key });
  return {
    method: request.method,
    target: request.target,
    headers: request.headers.map(([name, value]) => [name, value]),
    samples: writeSamples(request, origin, key),
  };
}

/** The location of the operations on this port. */
interface Standing {
  /** The base path that replaces the document's. */
  readonly base: string | undefined;
}

/**
 * The loaded contract with the mock as its first server. The URL is relative to the page, so that
 * any name of this machine works.
 */
function docsDocument(
  { document, servers, dialect }: Pick<Contract, 'document' | 'servers' | 'dialect'>,
  { base }: Standing,
): JsonObject {
  const own = base ?? servers[0]?.basePath ?? '';
  if (dialect === '2.0') return { ...withoutHost(document), basePath: own === '' ? '/' : own };
  return withServers(
    { ...document, servers: [mockServer(own), ...arrayOf(document['servers'])] },
    base ?? '',
  );
}

function withoutHost({ host: _host, schemes: _schemes, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** The mock also replaces servers of paths and operations. */
function withServers(document: JsonObject, base: string): JsonObject {
  const { paths } = document;
  if (!isJsonObject(paths)) return document;
  return {
    ...document,
    paths: mapMembers(paths, (item) => (isJsonObject(item) ? mapItem(item, base) : item)),
  };
}

function mapItem(item: JsonObject, base: string): JsonObject {
  const entries = Object.entries(ownServers(item, base)).map(
    ([key, value]) =>
      [key, isJsonObject(value) && key !== 'parameters' ? ownServers(value, base) : value] as const,
  );
  return Object.fromEntries(entries);
}

function ownServers(holder: JsonObject, base: string): JsonObject {
  const servers = arrayOf(holder['servers']);
  const first = servers[0];
  if (first === undefined) return holder;
  return { ...holder, servers: [mockServer(base + pathOf(first)), ...servers] };
}

function pathOf(server: JsonValue): string {
  const url = isJsonObject(server) ? fillVariables(server) : '/';
  const path = URL.canParse(url, 'http://localhost')
    ? new URL(url, 'http://localhost').pathname
    : '/';
  return path.startsWith('/') ? path.replace(/\/+$/, '') : '';
}

function fillVariables({ url, variables }: JsonObject): string {
  const known = objectOf(variables);
  return String(url ?? '').replaceAll(/\{([^{}]+)\}/g, (written, name: string) => {
    const variable = known[name];
    return isJsonObject(variable) ? String(variable['default'] ?? '') : written;
  });
}

function mockServer(path: string): JsonObject {
  return { url: path === '' ? '/' : path, description: 'This mock' };
}
