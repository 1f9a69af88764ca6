import { follow, isNode, type Node } from './read-documents.ts';

/** One operation, in one form for Swagger 2.0 and OpenAPI 3. */
export interface ForeignOperation {
  readonly method: string;
  readonly path: string;
  /** The path of the servers that it names itself, where it names any. */
  readonly base?: string;
  readonly parameters: readonly ForeignParameter[];
  /** By media type; undefined where the operation takes no body. */
  readonly body?: { readonly isRequired: boolean; readonly content: readonly ForeignContent[] };
  readonly responses: readonly ForeignResponse[];
}

export interface ForeignParameter {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly schema: unknown;
  readonly examples: readonly unknown[];
  /** How a list is written: with commas by default; `multi` repeats the name. */
  readonly separator: string;
}

export interface ForeignContent {
  readonly mediaType: string;
  readonly schema?: unknown;
  readonly examples: readonly unknown[];
}

export interface ForeignResponse {
  readonly status: string;
  readonly content: readonly ForeignContent[];
}

const methods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'];

/** Every operation of a document under a path that begins with a slash. */
export function operationsOf(document: Node): ForeignOperation[] {
  const paths = isNode(document['paths']) ? document['paths'] : {};
  return Object.entries(paths).flatMap(([path, written]) => {
    const item = follow(document, written);
    if (!path.startsWith('/') || !isNode(item)) return [];
    return methods.flatMap((method) => {
      const operation = follow(document, item[method]);
      return isNode(operation) ? [readOperation(document, { path, method, item, operation })] : [];
    });
  });
}

interface Place {
  readonly path: string;
  readonly method: string;
  readonly item: Node;
  readonly operation: Node;
}

function readOperation(document: Node, { path, method, item, operation }: Place): ForeignOperation {
  const written = [...list(item['parameters']), ...list(operation['parameters'])].map((each) =>
    follow(document, each),
  );
  const byKey = new Map(
    written.filter(isNode).map((each) => [`${String(each['in'])} ${String(each['name'])}`, each]),
  );
  const parameters = [...byKey.values()];
  const isOld = 'swagger' in document;
  const servers = isOld ? [] : [...list(operation['servers']), ...list(item['servers'])];
  const body = isOld ? oldBody(document, operation, parameters) : newBody(document, operation);
  return {
    method: method.toUpperCase(),
    path,
    ...(servers.length === 0 ? {} : { base: pathOfServer(servers[0]) }),
    parameters: [
      ...parameters
        .filter((each) => !['body', 'formData'].includes(String(each['in'])))
        .map((each) => parameterOf(document, each)),
      ...undeclared(path, parameters),
    ],
    ...(body === undefined ? {} : { body }),
    responses: responsesOf(document, operation, isOld),
  };
}

function undeclared(path: string, parameters: readonly Node[]): ForeignParameter[] {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return names
    .filter((name) => !parameters.some((each) => each['name'] === name))
    .map((name) => ({
      name,
      in: 'path',
      isRequired: true,
      schema: { type: 'string' },
      examples: [],
      separator: ',',
    }));
}

function parameterOf(document: Node, written: Node): ForeignParameter {
  const content = contentOf(document, written['content'])[0];
  const { name, in: place, required, type, schema, explode, style } = written;
  const separators: Readonly<Record<string, string>> = {
    ssv: ' ',
    tsv: '\t',
    pipes: '|',
    multi: 'multi',
    pipeDelimited: '|',
    spaceDelimited: ' ',
  };
  const isMulti =
    type === undefined && place === 'query' && explode !== false && (style ?? 'form') === 'form';
  const own = separators[String(written['collectionFormat'] ?? style)];
  return {
    name: String(name),
    in: String(place),
    isRequired: place === 'path' || required === true,
    schema:
      content?.schema ??
      schema ??
      (type === undefined
        ? {}
        : { ...written, name: undefined, in: undefined, required: undefined }),
    examples: [...examplesOf(document, written), ...(content?.examples ?? [])],
    separator: own ?? (isMulti ? 'multi' : ','),
  };
}

function examplesOf(document: Node, owner: Node): unknown[] {
  const named = isNode(owner['examples'])
    ? Object.values(owner['examples']).map((each) => follow(document, each))
    : [];
  const values = named.flatMap((each) => (isNode(each) && 'value' in each ? [each['value']] : []));
  return [owner['example'], owner['x-example'], ...values].filter((value) => value !== undefined);
}

function contentOf(document: Node, content: unknown): ForeignContent[] {
  if (!isNode(content)) return [];
  return Object.entries(content).map(([mediaType, media]) => {
    const node = follow(document, media);
    return isNode(node)
      ? { mediaType, schema: node['schema'], examples: examplesOf(document, node) }
      : { mediaType, examples: [] };
  });
}

function newBody(document: Node, operation: Node): ForeignOperation['body'] {
  const body = follow(document, operation['requestBody']);
  if (!isNode(body)) return undefined;
  const content = contentOf(document, body['content']);
  return content.length === 0 ? undefined : { isRequired: body['required'] === true, content };
}

function oldBody(
  document: Node,
  operation: Node,
  parameters: readonly Node[],
): ForeignOperation['body'] {
  const consumes = texts(operation['consumes'] ?? document['consumes']);
  const body = parameters.find((each) => each['in'] === 'body');
  if (body !== undefined) {
    const content = (consumes.length > 0 ? consumes : ['application/json']).map((mediaType) => ({
      mediaType,
      schema: body['schema'],
      examples: examplesOf(document, body),
    }));
    return { isRequired: body['required'] === true, content };
  }
  const fields = parameters.filter((each) => each['in'] === 'formData');
  if (fields.length === 0) return undefined;
  const hasFile = fields.some(({ type }) => type === 'file');
  const mediaType =
    hasFile || consumes.some((each) => each.startsWith('multipart/'))
      ? 'multipart/form-data'
      : 'application/x-www-form-urlencoded';
  const properties = Object.fromEntries(
    fields.map((field) => [
      String(field['name']),
      field['type'] === 'file'
        ? { type: 'string' }
        : { ...field, name: undefined, in: undefined, required: undefined },
    ]),
  );
  const required = fields
    .filter((field) => field['required'] === true)
    .map(({ name }) => String(name));
  return {
    isRequired: required.length > 0,
    content: [{ mediaType, schema: { type: 'object', properties, required }, examples: [] }],
  };
}

function responsesOf(document: Node, operation: Node, isOld: boolean): ForeignResponse[] {
  const responses = follow(document, operation['responses']);
  const produces = texts(operation['produces'] ?? document['produces']);
  return Object.entries(isNode(responses) ? responses : {}).flatMap(([status, written]) => {
    const response = follow(document, written);
    if (!isNode(response) || status.startsWith('x-')) return [];
    if (!isOld) return [{ status, content: contentOf(document, response['content']) }];
    const types = produces.length > 0 ? produces : ['application/json'];
    const { schema } = response;
    const content =
      schema === undefined ? [] : types.map((mediaType) => ({ mediaType, schema, examples: [] }));
    return [{ status, content }];
  });
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function texts(value: unknown): string[] {
  return list(value).filter((item) => typeof item === 'string');
}

/** The path under which a document's first server serves its operations. */
export function basePathOf(document: Node): string {
  if ('swagger' in document)
    return typeof document['basePath'] === 'string'
      ? `/${document['basePath']}`.replace(/^\/+/, '/').replace(/\/+$/, '')
      : '';
  return pathOfServer(list(document['servers'])[0]);
}

function pathOfServer(server: unknown): string {
  if (!isNode(server) || typeof server['url'] !== 'string') return '';
  const variables = isNode(server['variables']) ? server['variables'] : {};
  const url = server['url'].replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = variables[name];
    return isNode(variable) && typeof variable['default'] === 'string'
      ? variable['default']
      : whole;
  });
  const path = URL.canParse(url, 'http://localhost')
    ? new URL(url, 'http://localhost').pathname
    : '';
  return path.replace(/\/+$/, '');
}
