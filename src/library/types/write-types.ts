import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAddress } from '../../contract/load/source.ts';
import type { Contract, Operation, Resource } from '../../contract/model.ts';
import { type JsonValue, memberOf } from '../../json/value.ts';
import { VouchError } from '../../errors.ts';
import { layoutOf } from '../../contract/infer/record-view.ts';
import { splitPointer } from '../../json/pointer.ts';

/** The part of openapi-typescript that is used. */
interface Typescriber {
  default(source: URL | object): Promise<unknown>;
  astToString(ast: unknown): string;
}

/**
 * The types of a contract as a module of TypeScript: those of openapi-typescript, which fetch
 * clients such as openapi-fetch take, and below them the handlers, records and claims of vouch.
 * Throws a VouchError ('types-missing') if openapi-typescript is not installed in the project.
 */
export async function writeTypes(contract: Contract, folder: string): Promise<string> {
  const { default: typed, astToString } = await findTypescriber(folder);
  const ast = await typed(sourceOf(contract));
  const title = `${contract.title} ${contract.version}`.replaceAll(/\s+/g, ' ');
  return [
    `// ${title}: types made by \`vouch types\`. Do not edit them: run it again.\n`,
    writeContractTypes(contract),
    astToString(ast),
  ].join('\n');
}

/**
 * The document as it is understood: in OpenAPI 3, without invalid parts. The file itself where it
 * refers to others.
 */
function sourceOf({ soundDocument, files, overlays }: Contract): URL | object {
  const [file] = files;
  const isWhole = files.length <= 1 || file === undefined || isAddress(file);
  return isWhole || (overlays?.length ?? 0) > 0 ? plain(soundDocument) : pathToFileURL(file);
}

/** A copy without bigints, which are bounds and examples: types have neither. */
function plain(value: JsonValue): object {
  return JSON.parse(
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)),
  ) as object;
}

/** Types are of use to who has TypeScript, so the project has both, and vouch neither. */
async function findTypescriber(folder: string): Promise<Typescriber> {
  const name = 'openapi-typescript';
  try {
    const path = createRequire(join(folder, 'package.json')).resolve(name);
    // A module of CommonJS: all that it exports is its default.
    const { default: typescriber } = (await import(
      /* @vite-ignore */ pathToFileURL(path).href
    )) as { readonly default: Typescriber };
    return typescriber;
  } catch (cause) {
    throw new VouchError('types-missing', `${name} cannot be used: it writes the types.`, {
      hint: `Install it in your project: npm install --save-dev ${name} typescript@5`,
      cause,
    });
  }
}

/** The methods that openapi-typescript reads. */
const typedMethods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']);

/**
 * What a program that uses vouch needs of a contract, in TypeScript: its handlers, its records and
 * its operations. It stands below what openapi-typescript writes, and refers to that.
 */
export function writeContractTypes({ operations, resources, soundDocument }: Contract): string {
  const records = resources
    .filter(({ collection, name }) => collection === name)
    .map((resource) => `${keyOf(resource.name)}: ${recordType(resource, soundDocument)};`);
  const isWhole = operations.every(({ method }) => typedMethods.has(method));
  return `import type {
  Claim as ClaimOf,
  ExchangePattern as PatternOf,
${isWhole ? '' : '  Handler as AnyHandler,\n'}  HandlerOf,
  MockHandle,
  SessionHandle,
} from 'vouch';

/** The records of each resource, by the names of \`vouch mock --explain\`. */
export interface Records {
${lines(records)}}

/** The handler of each operation. */
export type Handlers = {
${lines(operations.map((operation) => `${keyOf(operation.id)}?: ${handlerType(operation)};`))}};

/** The handler of one operation: \`const handler: Handler<'${operations[0]?.id ?? 'id'}'> = …\`. */
export type Handler<Id extends OperationId> = NonNullable<Handlers[Id]>;

export type OperationId = keyof Handlers;
/** A running mock, a session of it, and what they verify, with the operations of this contract. */
export type Mock = MockHandle<OperationId>;
export type Session = SessionHandle<OperationId>;
export type Claim = ClaimOf<OperationId>;
export type ExchangePattern = PatternOf<OperationId>;
`;
}

function lines(members: readonly string[]): string {
  return members.map((member) => `  ${member}\n`).join('');
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function handlerType({ method, path }: Operation): string {
  return typedMethods.has(method)
    ? `HandlerOf<paths[${JSON.stringify(path)}][${JSON.stringify(method.toLowerCase())}], Records>`
    : 'AnyHandler';
}

/** The type of the records: any object where no type of openapi-typescript is theirs. */
function recordType({ record }: Resource, document: JsonValue): string {
  const { node, pointer } = record.follow(record);
  const typed =
    layoutOf(record) === undefined && nodeAt(document, pointer) === node
      ? typeAt(splitPointer(pointer))
      : undefined;
  return typed ?? 'Record<string, unknown>';
}

function nodeAt(document: JsonValue, pointer: string): JsonValue | undefined {
  let node: JsonValue | undefined = document;
  for (const name of splitPointer(pointer)) {
    if (Array.isArray(node)) node = (node as readonly JsonValue[])[Number(name)];
    else node = memberOf(node, name);
  }
  return node;
}

/** The type that openapi-typescript gives a place of the document; undefined if it has none. */
function typeAt(pointer: readonly string[]): string | undefined {
  const [start = '', ...below] = pointer;
  const schemaAt = below.indexOf('schema');
  if (start === 'components' && below[0] === 'schemas')
    return within(`components${indexed(below.slice(0, 2))}`, below.slice(2));
  if ((start !== 'components' && start !== 'paths') || schemaAt < 0) return undefined;
  return within(`${start}${indexed(below.slice(0, schemaAt))}`, below.slice(schemaAt + 1));
}

function indexed(names: readonly string[]): string {
  return names
    .map((name, index) => (isStatus(names[index - 1], name) ? `[${name}]` : `[${quoted(name)}]`))
    .join('');
}

/** Statuses are numbers in the types. */
function isStatus(before: string | undefined, name: string): boolean {
  return before === 'responses' && /^\d{3}$/.test(name);
}

function within(type: string, [keyword, name, ...rest]: readonly string[]): string | undefined {
  if (keyword === undefined) return type;
  if (keyword === 'items')
    return within(`NonNullable<${type}>[number]`, name === undefined ? [] : [name, ...rest]);
  return keyword === 'properties' && name !== undefined
    ? within(`NonNullable<${type}>[${quoted(name)}]`, rest)
    : undefined;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
