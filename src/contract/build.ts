import { VouchError } from '../errors.ts';
import { defined } from '../json/defined.ts';
import { parentPointer, type Pointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { readEffects } from './effect/read-effects.ts';
import { findGaps } from './find-gaps.ts';
import { inferResources } from './infer/infer-resources.ts';
import { type DocumentPart, makePartsLocator } from './load/mounted-parts.ts';
import { type Locator, makeLocator, type ReadText } from './locate.ts';
import type { Contract, Dialect, Operation, Schema, Tag } from './model.ts';
import { Cursor, type DocumentTree, followReference } from './read/cursor.ts';
import {
  defaultServer,
  type OperationContext,
  readOperations,
  readServers,
  readWebhooks,
} from './read/read-operations.ts';
import { readSecuritySchemes } from './read/read-security.ts';
import { DocumentLinker } from './references/link-documents.ts';
import { type DocumentScan, scanDocument } from './references/scan-document.ts';
import type { RuleSource } from './rules/read-rules.ts';
import { RuleBook } from './rules/rule-book.ts';
import { SchemaFactory } from './schema/schema-factory.ts';
import type { KindFault } from './invalid-parts/value-kind.ts';
import { dropInvalidParts } from './invalid-parts/drop-invalid-parts.ts';
import { convertSwagger } from './swagger/convert-swagger.ts';
import { lazy } from './lazy.ts';

/** A raw document with the text that it was read from. */
export interface SourceDocument {
  /** The name under which places are shown. */
  readonly file: string;
  readonly text: string | ReadText;
  readonly value: unknown;
  /** The absolute paths of everything that was read; none for a document that is no file. */
  readonly files?: readonly string[];
  /** The documents that are mounted in this one. */
  readonly parts?: readonly DocumentPart[];
  /** What references there are, where that is known. */
  readonly scan?: DocumentScan;
}

/**
 * Builds the model from a document. Throws a VouchError that names the place where the document
 * cannot be understood. What it says of an operation, of resources and of gaps is read when it is
 * first asked for.
 */
export function buildContract(source: SourceDocument): Contract {
  const locator = makePartsLocator(makeLocator(source.file, source.text), source.parts ?? []);
  const parts = readParts(source, locator);
  const { dialect, whole, document, faults, root, context, operations } = parts;
  const webhooks = lazy(() => readWebhooks(root, context.schemas));
  const inference = lazy(() => inferResources(operations));
  const gaps = lazy(() => findGaps(operations, inference().resources));
  const rules = lazy(() => new RuleBook({ ...parts.rules, ...locator }));
  const effects = lazy(() => {
    return readEffects({ operations, inference: inference(), locate: locator.locate });
  });
  return {
    title: root.child('info')?.string('title') ?? 'Untitled',
    version: root.child('info')?.string('version') ?? '',
    dialect,
    file: source.file,
    files: source.files ?? [],
    servers: context.servers,
    operations,
    get webhooks() {
      return webhooks();
    },
    tags: root.items('tags').map(readTag),
    securitySchemes: context.securitySchemes,
    get inference() {
      return inference();
    },
    get resources() {
      return inference().resources;
    },
    get unplaced() {
      return inference().unplaced;
    },
    get gaps() {
      return gaps();
    },
    get rules() {
      return rules();
    },
    get effects() {
      return effects();
    },
    document: whole,
    soundDocument: document,
    faults: faults.map((found) => ({ ...found, place: locator.locate(found.pointer) })),
    ...locator,
  };
}

/** What a contract is built from: the document, resolved and valid, and the operations in it. */
interface ContractParts {
  readonly dialect: Dialect;
  readonly whole: JsonObject;
  readonly document: JsonObject;
  readonly faults: readonly KindFault[];
  readonly root: Cursor;
  readonly context: OperationContext;
  readonly operations: readonly Operation[];
  readonly rules: Omit<RuleSource, keyof Locator>;
}

function readParts(source: SourceDocument, locator: Locator): ContractParts {
  const written = asOpenApi(source);
  const dialect = dialectOf(written, source, locator);
  const fault = makeFault(locator);
  const { document: whole, scan } = resolveReferences(written, fault, source.scan);
  const { document, faults } = dropInvalidParts(whole, dialect);
  refuseFaultyPaths(whole, document, { faults, locator });
  const converted = dialect === '2.0' ? convertSwagger(document) : undefined;
  const tree: DocumentTree = {
    root: document,
    targets: new Map(),
    fault,
    ...(converted === undefined ? {} : { origins: converted.origins }),
  };
  for (const { holder, pointer } of scan.local)
    followReference(new Cursor(tree, holder, parentPointer(pointer)));
  const root = new Cursor(tree, converted?.root ?? document, '');
  const servers = readServers(root);
  const context = {
    root,
    schemas: new SchemaFactory(tree, dialect),
    servers: servers.length > 0 ? servers : [defaultServer()],
    securitySchemes: readSecuritySchemes(root),
  };
  const operations = readOperations(context);
  const rules = {
    document,
    operations,
    pointers: scan.rules,
    schemaAt: (pointer: Pointer) => schemaAt(pointer, context.schemas),
  };
  return { dialect, whole, document, faults, root, context, operations, rules };
}

/** What a schema's pointer ends in, after `x-vouch-rules` itself. */
const schemaPlace =
  /\/(schemas|definitions|\$defs|properties)\/[^/]+$|\/(schema|itemSchema|items)$|Of\/\d+$/;

function schemaAt(pointer: Pointer, schemas: SchemaFactory): Schema | undefined {
  const node = schemaPlace.test(pointer) ? schemas.nodeAt(pointer) : undefined;
  return node === undefined ? undefined : schemas.make({ node, pointer });
}

/** Of a document whose paths are no object, nothing can be made. */
function refuseFaultyPaths(
  written: JsonObject,
  sound: JsonObject,
  { faults, locator }: { readonly faults: readonly KindFault[]; readonly locator: Locator },
): void {
  if (written['paths'] === sound['paths'] || isJsonObject(written['paths'])) return;
  const fault = faults.find(({ pointer }) => pointer === '/paths');
  if (fault === undefined || written['paths'] === null) return;
  throw new VouchError('contract-not-openapi', fault.message, {
    place: locator.locate(fault.pointer),
    frame: locator.frame(fault.pointer),
    hint: 'Make paths an object with a member for each path, such as /things.',
  });
}

function asOpenApi({ file, value }: SourceDocument): JsonObject {
  if (isJsonObject(value) && ('openapi' in value || 'swagger' in value)) return value;
  const what = isJsonObject(value)
    ? `Its top level has ${namesIn(value) || 'no members'}, but no "openapi".`
    : 'Its top level is not an object.';
  throw new VouchError('contract-not-openapi', `${file} is not an OpenAPI document. ${what}`, {
    place: { file, line: 1, column: 1 },
    hint: 'Pass a document that begins with "openapi: 3.1.0" or similar.',
  });
}

/** The first five member names. */
function namesIn(value: JsonObject): string {
  return Object.keys(value).slice(0, 5).join(', ');
}

function dialectOf(document: JsonObject, source: SourceDocument, locator: Locator): Dialect {
  const [key, known] =
    'openapi' in document
      ? (['openapi', ['3.0', '3.1', '3.2']] as const)
      : (['swagger', ['2.0']] as const);
  const written = document[key];
  // An unquoted 2.0 or 3.1 is a number to YAML and JSON.
  const text =
    typeof written === 'number' && Number.isInteger(written) ? written.toFixed(1) : String(written);
  const dialect = known.find((version) => text === version || text.startsWith(`${version}.`));
  if (dialect !== undefined) return dialect;
  throw new VouchError(
    'contract-unsupported',
    `${source.file} has version ${text}; vouch supports Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2.`,
    {
      hint: 'Check the version in the document.',
      place: locator.locate(`/${key}`),
      frame: locator.frame(`/${key}`),
    },
  );
}

function makeFault(locator: Locator): DocumentTree['fault'] {
  return (pointer, message, hint) =>
    new VouchError('contract-reference', message, {
      place: locator.locate(pointer),
      frame: locator.frame(pointer),
      ...defined({ hint }),
    });
}

function readTag(cursor: Cursor): Tag {
  const description = cursor.string('description');
  const parent = cursor.string('parent') ?? cursor.string('x-parent');
  return {
    name: cursor.string('name') ?? '',
    ...defined({ description, parent }),
  };
}

/** A document whose references are JSON Pointers into itself, and what references it has. */
interface ResolvedDocument {
  readonly document: JsonObject;
  readonly scan: DocumentScan;
}

/**
 * Brings a document that names its parts (`$id`, `$anchor`, `$self`) into a form in which every
 * reference is a JSON Pointer; the document that was given stays as it is. Throws through `fault`
 * for a reference to another document, which is not at hand.
 */
function resolveReferences(
  document: JsonObject,
  fault: DocumentTree['fault'],
  known?: DocumentScan,
): ResolvedDocument {
  const scan = known ?? scanDocument(document);
  if (scan.outward.length === 0 && scan.names.length === 0) return { document, scan };
  const copy = structuredClone(document);
  const linker = new DocumentLinker();
  linker.add({ uri: 'contract:/document', value: copy, mount: '' });
  const [lost] = linker.rewrite();
  if (lost !== undefined) {
    const { pointer, text } = lost.found;
    throw fault(
      pointer,
      `The reference ${text} points to another document, ` +
        'but this contract was not read from a file.',
      'Pass the path of the contract instead of its content, or bundle it first: ' +
        'npx @redocly/cli bundle FILE --output bundled.yaml',
    );
  }
  return { document: isJsonObject(copy) ? copy : document, scan: scanDocument(copy) };
}
