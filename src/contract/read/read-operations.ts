import { isJsonObject, type JsonObject } from '../../json/value.ts';
import type { Cursor } from './cursor.ts';
import { whenAsked } from '../when-asked.ts';
import { readCallbacks } from './read-callbacks.ts';
import {
  methods,
  type Method,
  type Operation,
  type Parameter,
  type SecurityScheme,
  type Server,
} from '../model.ts';
import { readRequestBody, readResponses } from './read-content.ts';
import { readParameters } from './read-parameters.ts';
import { readSecurity } from './read-security.ts';
import { readServers } from './read-servers.ts';
import type { SchemaFactory } from '../schema/schema-factory.ts';

/** What every operation of a document shares. */
export interface OperationSurroundings {
  readonly root: Cursor;
  readonly schemas: SchemaFactory;
  readonly servers: readonly Server[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
}

/**
 * Every operation of the document, in its order, each read when it is first asked for. Throws where
 * two have one id.
 */
export function readOperations(around: OperationSurroundings): Operation[] {
  const paths = around.root.entries('paths').filter(([path]) => path.startsWith('/'));
  const operations = paths.flatMap(([path, item]) => readPathItem(path, item, around));
  refuseSameIds(operations, around.root);
  return operations;
}

function readPathItem(path: string, item: Cursor, around: OperationSurroundings): Operation[] {
  const known = methods.map((method) => [method, item.child(method.toLowerCase())] as const);
  return [...known, ...item.entries('additionalOperations')].flatMap(([method, cursor]) => {
    return cursor !== undefined && isJsonObject(cursor.value)
      ? [readOperation({ path, method, item, cursor }, around)]
      : [];
  });
}

interface OperationPlace {
  readonly path: string;
  readonly method: Method;
  readonly item: Cursor;
  readonly cursor: Cursor;
}

function readOperation(
  { path, method, item, cursor }: OperationPlace,
  around: OperationSurroundings,
): Operation {
  const own = [...readServers(cursor), ...readServers(item)];
  const parameters = whenAsked(() =>
    readParameters(item, cursor, around.schemas).filter(
      (parameter) => !isCredential(parameter, security()),
    ),
  );
  const requestBody = whenAsked(() => readRequestBody(cursor, around.schemas));
  const responses = whenAsked(() => readResponses(cursor, around.schemas));
  const security = whenAsked(() => readSecurity(cursor, around.root, around.securitySchemes));
  const callbacks = whenAsked(() => readCallbacks(cursor, around.schemas));
  return {
    id: cursor.string('operationId') ?? `${method} ${path}`,
    method,
    path,
    tags: cursor.items('tags').map((tag) => String(tag.value)),
    deprecated: cursor.flag('deprecated'),
    ...optionalWords(cursor),
    get parameters() {
      return parameters();
    },
    get requestBody() {
      return requestBody();
    },
    get responses() {
      return responses();
    },
    get callbacks() {
      return callbacks();
    },
    get security() {
      return security();
    },
    servers: own.length > 0 ? own : around.servers,
    ownServers:
      own.length > 0 &&
      !own.some(({ url }) => around.servers.some((shared) => isSameServer(shared.url, url))),
    extensions: extensionsOf(cursor.object),
    pointer: cursor.pointer,
  };
}

/**
 * Whether a parameter is the credential, described once more: what travels there is the scheme's to
 * say.
 */
function isCredential({ in: place, name }: Parameter, security: Operation['security']): boolean {
  const plain = (text: string): string => (place === 'header' ? text.toLowerCase() : text);
  return security
    .flat()
    .some(
      ({ scheme }) =>
        scheme.kind === 'apiKey' && scheme.in === place && plain(scheme.key) === plain(name),
    );
}

/**
 * Whether two URLs name one server: documents name the server of all operations in each of them
 * again.
 */
function isSameServer(left: string, right: string): boolean {
  return left.replace(/\/+$/, '') === right.replace(/\/+$/, '');
}

const words = [
  ['summary', 'summary'],
  ['x-sunset', 'sunset'],
  ['x-deprecated-at', 'deprecatedAt'],
  ['x-replaced-by', 'replacedBy'],
  ['x-stability-level', 'stability'],
] as const;

function optionalWords(cursor: Cursor): { [name in (typeof words)[number][1]]?: string } {
  return Object.fromEntries(
    words.flatMap(([key, name]) =>
      cursor.string(key) === undefined ? [] : [[name, cursor.string(key)]],
    ),
  );
}

function extensionsOf(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key.startsWith('x-')));
}

function refuseSameIds(operations: readonly Operation[], root: Cursor): void {
  const seen = new Map<string, Operation>();
  for (const operation of operations) {
    const earlier = seen.get(operation.id);
    if (earlier !== undefined) {
      throw root.tree.fault(
        `${operation.pointer}/operationId`,
        `Two operations are called ${operation.id}: ${earlier.method} ${earlier.path} and ${operation.method} ${operation.path}.`,
        'Give each operation an operationId of its own.',
      );
    }
    seen.set(operation.id, operation);
  }
}
