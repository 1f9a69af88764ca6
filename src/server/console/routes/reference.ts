import type {
  MediaTypeSpec,
  Operation,
  SecurityScheme,
  Contract,
  Direction,
  FlatSchema,
  Schema,
} from '../../../contract/model.ts';
import type { ExistingNames } from '../../../mock/control/example-request.ts';
import { exampleAnswer, exampleRequest, writeBody } from '../../../mock/control/example-request.ts';
import { defaultSession } from '../../../mock/request/request-context.ts';
import { demoKey, isKnownKey } from '../../../mock/security/credentials.ts';
import type { ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { json, readFields, unknownName } from '../../control/fields.ts';
import type {
  ContentReference,
  OperationReference,
  Reference,
  WrittenRequest,
  SchemaNode,
} from '../console-api.ts';
import { existingNames } from '../existing-values.ts';
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
  textOf,
} from '../../../json/value.ts';
import { ruleOf } from '../form-fields.ts';

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

/** Members below this depth are named, and not shown: schemas may be recursive. */
const maxDepth = 6;
/** The most members of one schema that are shown: a page is read by a person. */
const maxNodes = 400;

/**
 * A schema as a tree for people: types in words, rules, and members; those that the direction does
 * not have are left out.
 */
function schemaTree(schema: Schema, direction: Direction): SchemaNode {
  return new TreeWriter(schema, direction).write('', schema.flatten(), {
    isRequired: false,
    around: [],
  });
}

interface Place {
  readonly isRequired: boolean;
  /** The schemas around it. */
  readonly around: readonly string[];
}

class TreeWriter {
  readonly #schema: Schema;
  readonly #direction: Direction;
  #nodes = 0;

  constructor(schema: Schema, direction: Direction) {
    this.#schema = schema;
    this.#direction = direction;
  }

  write(name: string, flat: FlatSchema, { isRequired, around }: Place): SchemaNode {
    this.#nodes += 1;
    const { node, pointer } = flat;
    const isCut = around.includes(pointer) || around.length >= maxDepth || this.#nodes >= maxNodes;
    const within = [...around, pointer];
    return {
      name,
      type: this.#typeOf(flat),
      required: isRequired,
      readOnly: node.readOnly === true,
      deprecated: node['deprecated'] === true,
      description: typeof node.description === 'string' ? node.description : '',
      rule: ruleOf(node),
      choices: (node.const === undefined ? (node.enum ?? []) : [node.const]).map(textOf),
      fallback: node.default === undefined ? null : textOf(node.default),
      members: isCut ? [] : this.#membersOf(flat, within),
      variants: isCut ? [] : this.#variantsOf(flat, within),
    };
  }

  #typeOf(flat: FlatSchema): string {
    const { node } = flat;
    const known = flat.types.filter(
      (type) => !(type === 'integer' && flat.types.includes('number')),
    );
    if (known.length >= 6) return node.oneOf || node.anyOf ? 'one of' : 'any';
    const item = this.#itemOf(flat);
    return known
      .map((type) => (type === 'array' && item ? `array of ${this.#typeOf(item)}` : type))
      .join(' or ');
  }

  #itemOf({ items }: FlatSchema): FlatSchema | undefined {
    return items && isJsonObject(items.node) ? this.#schema.flatten(items) : undefined;
  }

  /** The members of an object, or of the items of a list. */
  #membersOf(flat: FlatSchema, around: readonly string[]): SchemaNode[] {
    const item = this.#itemOf(flat);
    if (flat.properties.size === 0 && item !== undefined)
      return around.includes(item.pointer) ? [] : this.#membersOf(item, [...around, item.pointer]);
    const named = [...flat.properties].flatMap(([name, written]) => {
      const member = this.#schema.flatten(written);
      const isHidden =
        member.node[this.#direction === 'request' ? 'readOnly' : 'writeOnly'] === true;
      const place = { isRequired: flat.required.has(name), around };
      return isHidden ? [] : [this.write(name, member, place)];
    });
    const { others } = flat;
    if (!others || !isJsonObject(others.node)) return named;
    const other = this.#schema.flatten(others);
    return [...named, this.write('(any name)', other, { isRequired: false, around })];
  }

  #variantsOf({ node, pointer }: FlatSchema, around: readonly string[]): SchemaNode[] {
    const keyword = node.oneOf === undefined ? 'anyOf' : 'oneOf';
    return (node[keyword] ?? []).map((variant, index) => {
      const flat = this.#schema.flatten({
        node: variant,
        pointer: `${pointer}/${keyword}/${String(index)}`,
      });
      const name = nameOf(flat) ?? `Option ${String(index + 1)}`;
      return this.write(name, flat, { isRequired: false, around });
    });
  }
}

/** The title of a schema, or its name among the components. */
function nameOf({ node, pointer }: FlatSchema): string | undefined {
  if (typeof node['title'] === 'string') return node['title'];
  return /\/(?:schemas|definitions|\$defs)\/([^/]+)$/.exec(pointer)?.[1];
}
