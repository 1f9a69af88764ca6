import type { RepairedReference } from '../references/repair-references.ts';
import { isJsonObject, membersWhere } from '../../json/value.ts';
import { joinPointer } from '../../json/pointer.ts';
import {
  type Callback,
  type Method,
  methods,
  type Operation,
  type OutgoingOperation,
  type Parameter,
  type SecurityScheme,
  type Server,
} from '../model.ts';
import type { SchemaFactory } from '../schema/schema-factory.ts';
import { collectionsOf, isLogin, isTokenScheme } from '../infer/infer-logins.ts';
import { changesPart } from '../words/read-patch.ts';
import { familiesIn } from '../words/text.ts';
import { remember } from '../../remember.ts';
import { lazy } from '../lazy.ts';
import type { Cursor } from './cursor.ts';
import { readParameters, readRequestBody, readResponses } from './read-content.ts';
import { readSecurity } from './read-security.ts';

/** The facts that all operations of a document share. */
export interface OperationContext {
  readonly root: Cursor;
  readonly schemas: SchemaFactory;
  readonly servers: readonly Server[];
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>;
}

/** What was repaired in the operations of a document, and where. */
export interface OperationRepair extends RepairedReference {
  readonly rule: string;
}

/** Every operation of a document, and what was repaired in them. */
export interface OperationsReading {
  readonly operations: Operation[];
  readonly repairs: OperationRepair[];
}

/**
 * All operations of the document, in its order, each read on first access. Adds the missing slash
 * to a path, and a number to an id that is already used.
 */
export function readOperations(around: OperationContext): OperationsReading {
  const repairs: OperationRepair[] = [];
  const known = new Set<string>();
  const paths = around.root.entries('paths').filter(([path]) => !path.startsWith('x-'));
  const declared = new Set(paths.map(([path]) => path));
  const isCollection = lazy(() =>
    collectionsOf(
      paths.flatMap(([path, item]) =>
        operationsOf(meantPath(path), item).map(({ method }) => ({ method, path })),
      ),
    ),
  );
  const operations = paths.flatMap(([written, item]) => {
    const path = meantPath(written);
    if (path !== written && declared.has(path)) return [];
    if (path !== written) repairs.push(withSlash(item, written, path));
    return operationsOf(path, item).map((place) => {
      const own = place.cursor.string('operationId') ?? `${place.method} ${path}`;
      const id = freeId(own, known);
      if (id !== own) repairs.push(renamed(place, own, id));
      return readOperation({ ...place, id, isCollection }, around);
    });
  });
  return { operations, repairs };
}

/**
 * A path begins with a slash (OpenAPI 3.1, section 4.8.8); of a whole URL, only its path is used.
 */
function meantPath(written: string): string {
  if (written.startsWith('/')) return written;
  const url = /^https?:\/\/[^/]+(?<path>.*)$/.exec(written);
  const path = url?.groups?.['path'] ?? written;
  return path.startsWith('/') ? path : `/${path}`;
}

function withSlash({ pointer }: Cursor, written: string, path: string): OperationRepair {
  return {
    pointer,
    rule: 'struct',
    message: `The path ${written} does not begin with a slash; it is read as ${path}.`,
    hint: `Write ${path}.`,
  };
}

/** An id that no earlier operation has: with a number appended if necessary. */
function freeId(own: string, known: Set<string>): string {
  let id = own;
  for (let count = 2; known.has(id); count += 1) id = `${own}_${String(count)}`;
  known.add(id);
  return id;
}

function renamed(
  { cursor, method, path }: OperationPlace,
  own: string,
  id: string,
): OperationRepair {
  return {
    pointer: joinPointer(cursor.pointer, 'operationId'),
    rule: 'operation-operationId-unique',
    message: `Another operation has the operationId ${own} too; ${method} ${path} is called ${id}.`,
    hint: 'Give each operation a unique operationId.',
  };
}

function operationsOf(path: string, item: Cursor): OperationPlace[] {
  const known = methods.map((method) => [method, item.child(method.toLowerCase())] as const);
  return [...known, ...item.entries('additionalOperations')].flatMap(([method, cursor]) =>
    cursor !== undefined && isJsonObject(cursor.value) ? [{ path, method, item, cursor }] : [],
  );
}

interface NamedOperation extends OperationPlace {
  readonly id: string;
  readonly isCollection: () => (path: string) => boolean;
}

interface OperationPlace {
  readonly path: string;
  readonly method: Method;
  readonly item: Cursor;
  readonly cursor: Cursor;
}

function readOperation(
  { path, method, item, cursor, id, isCollection }: NamedOperation,
  around: OperationContext,
): Operation {
  const own = [...readServers(cursor), ...readServers(item)];
  const parameters = lazy(() =>
    readParameters({ path, item, cursor }, around.schemas)
      .filter((parameter) => !isCredential(parameter, security()))
      .map((parameter) => withFamily(parameter, around)),
  );
  const requestBody = lazy(() => readRequestBody(cursor, around.schemas));
  const responses = lazy(() => readResponses(cursor, around.schemas));
  const security = lazy(() => {
    const required = readSecurity(cursor, around.root, around.securitySchemes);
    if (cursor.raw('security') !== undefined || !required.every(isTokenAlone)) return required;
    const handing = { method, path, requestBody: requestBody(), responses: responses() };
    // Nobody has the token yet that the document asks for by default.
    return required.length > 0 && isLogin(handing, isCollection()) ? [[], ...required] : required;
  });
  const callbacks = lazy(() => readCallbacks(cursor, around.schemas));
  const extensions = membersWhere(cursor.object, (key) => key.startsWith('x-'));
  const description = around.root.child('info')?.string('description');
  const told = lazy(() =>
    changesPart({ pointer: cursor.pointer, ...optionalWords(cursor), extensions }, { description }),
  );
  return {
    id,
    method,
    path,
    tags: cursor.items('tags').map((tag) => String(tag.value)),
    deprecated: cursor.flag('deprecated'),
    ...optionalWords(cursor),
    general: description,
    get parameters() {
      return parameters();
    },
    get requestBody() {
      return requestBody();
    },
    get changesPart() {
      return method === 'PUT' && told();
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
    extensions,
    pointer: cursor.pointer,
  };
}

function withFamily(parameter: Parameter, around: OperationContext): Parameter {
  // The description is read once for all operations.
  const familyOf = remember(families, around, ({ root }) =>
    familiesIn(root.child('info')?.string('description') ?? ''),
  );
  const ofFamily = familyOf(parameter.name);
  return ofFamily === undefined ? parameter : { ...parameter, ofFamily };
}

const families = new WeakMap<OperationContext, ReturnType<typeof familiesIn>>();

/** Whether a requirement is met by what a login gives. */
function isTokenAlone(requirement: Operation['security'][number]): boolean {
  return requirement.every(({ scheme }) => isTokenScheme(scheme));
}

/**
 * Whether a parameter describes the credential a second time: the security scheme defines its
 * value.
 */
function isCredential({ in: location, name }: Parameter, security: Operation['security']): boolean {
  const plain = (text: string): string => (location === 'header' ? text.toLowerCase() : text);
  return security
    .flat()
    .some(
      ({ scheme }) =>
        scheme.kind === 'apiKey' && scheme.in === location && plain(scheme.key) === plain(name),
    );
}

/** Whether two URLs name one server: documents repeat the common server in each operation. */
function isSameServer(left: string, right: string): boolean {
  return left.replace(/\/+$/, '') === right.replace(/\/+$/, '');
}

const words = [
  ['summary', 'summary'],
  ['description', 'description'],
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

/**
 * The callbacks of an operation, in the order of the document (OpenAPI 3.1, section 4.8.18): one
 * for each name, URL and method.
 */
function readCallbacks(operation: Cursor, schemas: SchemaFactory): Callback[] {
  return operation.entries('callbacks').flatMap(([name, callback]) => {
    const urls = Object.keys(callback.object).filter(
      (key) => !key.startsWith('x-') && key !== '$ref',
    );
    return urls.flatMap((url) => {
      const item = callback.child(url);
      return item === undefined
        ? []
        : readOutgoing(name, item, schemas).map((outgoing) => ({ ...outgoing, url }));
    });
  });
}

/**
 * The webhooks of a document (OpenAPI 3.1, section 4.8.1), and those that a 3.0 document declares
 * as `x-webhooks`.
 */
export function readWebhooks(root: Cursor, schemas: SchemaFactory): OutgoingOperation[] {
  const declared = [...root.entries('webhooks'), ...root.entries('x-webhooks')];
  return declared.flatMap(([name, item]) => readOutgoing(name, item, schemas));
}

function readOutgoing(name: string, item: Cursor, schemas: SchemaFactory): OutgoingOperation[] {
  return methods.flatMap((method) => {
    const cursor = item.child(method.toLowerCase());
    if (cursor === undefined || !isJsonObject(cursor.value)) return [];
    const summary = cursor.string('summary');
    const body = readRequestBody(cursor, schemas);
    return {
      name,
      method,
      summary,
      parameters: readParameters({ item, cursor }, schemas),
      requestBody: body,
      responses: readResponses(cursor, schemas),
      pointer: cursor.pointer,
    };
  });
}

/**
 * The servers that a document, path item or operation names, variables filled with their defaults
 * (OpenAPI 3.1, section 4.8.5).
 */
export function readServers(owner: Cursor): Server[] {
  return owner.items('servers').map(readServer);
}

/** The server of a document that names none: `/`, as OpenAPI states. */
export function defaultServer(): Server {
  return { url: '/', basePath: '', basePaths: [''], openPaths: [], pointer: '' };
}

function readServer(cursor: Cursor): Server {
  const [url = '/', ...others] = fillIn(cursor.string('url') ?? '/', cursor.child('variables'));
  const name = cursor.string('name') ?? cursor.string('x-name');
  const description = cursor.string('description');
  return {
    url,
    basePath: basePathOf(url),
    basePaths: [...new Set([url, ...others].map(basePathOf))],
    openPaths: openPathsOf(cursor.string('url') ?? '/', cursor.child('variables')),
    name,
    description,
    pointer: joinPointer(cursor.pointer, 'url'),
  };
}

/** A host without a scheme: `api.example.com/v1`, `localhost:8080`. */
const hostAlone =
  /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.(?:[a-z]{2,3}|info|cloud|local))(?::\d+)?(?=\/|$)/i;

const maxUrls = 100;

/**
 * A URL with its variables filled in: with their defaults first, then with the other values of
 * their enumerations.
 */
function fillIn(url: string, variables: Cursor | undefined): string[] {
  const pieces = url.split(/(\{[^{}]+\})/);
  return pieces.reduce<string[]>(
    (filled, piece) => {
      const values = piece.startsWith('{') ? valuesOf(piece, variables) : [piece];
      return values.flatMap((value) => filled.map((begun) => begun + value)).slice(0, maxUrls);
    },
    [''],
  );
}

/** What stands before a variable in the path of a URL: a host, if there is one, and a slash. */
const beforePath = /^(?:[^/?#]*:\/\/[^/?#]*|(?![^/?#]*:\/\/)[^/?#]*)\//;

/** The base paths with a parameter in the place of each variable without an enumeration. */
function openPathsOf(url: string, variables: Cursor | undefined): string[] {
  const open = [...url.matchAll(/\{([^{}]+)\}/g)].filter(({ 1: name = '', index }) => {
    return (
      variables?.child(name)?.items('enum').length === 0 && beforePath.test(url.slice(0, index))
    );
  });
  const marked = open.reduceRight((text, { 0: written, index }) => {
    const after = text.slice(index + written.length);
    return `${text.slice(0, index)}server-variable-${String(index)}-${after}`;
  }, url);
  return marked === url
    ? []
    : fillIn(marked, variables).map((filled) =>
        basePathOf(filled).replaceAll(/server-variable-\d+-/g, '{$&}'),
      );
}

function valuesOf(written: string, variables: Cursor | undefined): string[] {
  const variable = variables?.child(written.slice(1, -1));
  const values = [
    variable?.string('default') ?? written,
    ...(variable?.items('enum') ?? [])
      .map(({ value }) => value)
      .filter((value) => typeof value === 'string'),
  ];
  return [...new Set(values)];
}

/**
 * The path of a URL without its trailing slash; relative URLs start at the root. A scheme or a host
 * whose variable has no value is accepted, and so is a host without a scheme; a text with blanks is
 * not a URL.
 */
function basePathOf(url: string): string {
  const written = url.trim();
  const behind = /^[^/?#]*:\/\/[^/?#]*/.exec(written) ?? hostAlone.exec(written);
  const local = behind === null ? written : written.slice(behind[0].length) || '/';
  const isUrl = !/\s/.test(written) && URL.canParse(local, 'http://localhost');
  const path = isUrl ? new URL(local, 'http://localhost').pathname : '';
  // The path of a URL such as mailto:a is not a base path.
  return path.startsWith('/') ? path.replace(/\/+$/, '') : '';
}
