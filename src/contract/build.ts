import { VouchError } from '../errors.ts';
import { isJsonObject, type JsonObject, objectOf } from '../json/value.ts';
import { type Pointer, valueAt } from '../json/pointer.ts';
import { readEffects } from './effect/read-effects.ts';
import { findGaps } from './find-gaps.ts';
import { inferResources } from './infer/infer-resources.ts';
import { type DocumentPart, makePartsLocator } from './load/mounted-parts.ts';
import type { RepairedText } from '../json/repair-yaml.ts';
import { codeFrame, faultsIn, type Locator, makeLocator, type ReadText } from './locate.ts';
import type { Contract, Dialect, DocumentFault, Operation, Schema, Tag } from './model.ts';
import { Cursor, type DocumentTree } from './read/cursor.ts';
import {
  defaultServer,
  type OperationContext,
  readOperations,
  readServers,
  readWebhooks,
} from './read/read-operations.ts';
import { readSecuritySchemes } from './read/read-security.ts';
import { DocumentLinker } from './references/link-documents.ts';
import { cutCircles } from './references/cut-circles.ts';
import {
  leadTo,
  meantByName,
  type RepairedReference,
  repairReferences,
  takeAnything,
} from './references/repair-references.ts';
import { type DocumentScan, scanDocument } from './references/scan-document.ts';
import type { RuleSource } from './rules/read-rules.ts';
import { checkStatedFacts } from './words/stated-facts.ts';
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
  /** What the user named, to read it again. */
  readonly source?: string | undefined;
  readonly text: string | ReadText;
  readonly value: unknown;
  /** The absolute paths of everything that was read; empty for a document that is not a file. */
  readonly files?: readonly string[];
  /** The documents that are mounted in this one. */
  readonly parts?: readonly DocumentPart[];
  /** The references of the document, if the caller has scanned them. */
  readonly scan?: DocumentScan;
  /** What was repaired in the text. */
  readonly repaired?: RepairedText | undefined;
  /** References to other documents that could not be followed. */
  readonly lost?: readonly RepairedReference[];
  /** Finds places in the document; default: in its text. */
  readonly locator?: Locator;
  /** The absolute paths of the Overlays that were applied to the document. */
  readonly overlays?: readonly string[];
  readonly overlayFaults?: readonly DocumentFault[];
}

/**
 * Builds the model from a document. Throws a VouchError with the place where the document cannot be
 * understood. Operations, resources and gaps are read on first access.
 */
export function buildContract(source: SourceDocument): Contract {
  const { file, overlays = [] } = source;
  const locator = locatorOf(source);
  const parts = readParts(source, locator);
  const { dialect, whole, document, faults, root, context, operations } = parts;
  const webhooks = lazy(() => readWebhooks(root, context.schemas));
  const inference = lazy(() => inferResources(operations));
  const gaps = lazy(() => findGaps(operations, inference().resources, rules()));
  const rules = lazy(() => new RuleBook({ ...parts.rules, ...locator }));
  const effects = lazy(() => readEffects({ operations, inference: inference(), ...locator }));
  return {
    title: root.child('info')?.string('title') ?? 'Untitled',
    description: root.child('info')?.string('description'),
    version: root.child('info')?.string('version') ?? '',
    dialect,
    file,
    ...(source.source === undefined ? {} : { source: source.source }),
    files: [...(source.files ?? []), ...overlays],
    overlays,
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
    faults: [...sourceFaults(source), ...faults.map((found) => locateFault(found, locator))],
    ...locator,
  };
}

function locatorOf({ file, text, repaired, locator, parts = [] }: SourceDocument): Locator {
  return makePartsLocator(locator ?? makeLocator(file, text, repaired?.text), parts);
}

/** A repair whose place is not looked up yet. */
type Repair = Pick<DocumentFault, 'pointer' | 'rule' | 'message' | 'hint'>;

/** Locates a fault only on request: many faults are only counted. */
function locateFault(found: Repair, locator: Locator): DocumentFault {
  const place = lazy(() => locator.locate(found.pointer));
  const frame = lazy(() => locator.frame(found.pointer));
  return {
    ...found,
    get place() {
      return place();
    },
    get frame() {
      return frame();
    },
  };
}

/** What was repaired in the texts of the document and its parts, and the faults of its Overlays. */
function sourceFaults(source: SourceDocument): DocumentFault[] {
  const { file, text, repaired, parts = [], overlayFaults = [] } = source;
  const repairs = [{ file, text, repaired }, ...parts].flatMap((part) => {
    const written = typeof part.text === 'string' ? part.text : (part.text() ?? '');
    return (part.repaired?.repairs ?? []).map(({ message, line, column }) => ({
      pointer: '',
      rule: 'vouch/valid-yaml',
      message,
      place: { file: part.file, line, column },
      frame: codeFrame(written, { line, column }),
    }));
  });
  return [...repairs, ...overlayFaults];
}

/** What a contract is built from: the document, resolved and valid, and the operations in it. */
interface ContractParts {
  readonly dialect: Dialect;
  readonly whole: JsonObject;
  readonly document: JsonObject;
  readonly faults: readonly Repair[];
  readonly root: Cursor;
  readonly context: OperationContext;
  readonly operations: readonly Operation[];
  readonly rules: Omit<RuleSource, keyof Locator>;
}

function readParts(source: SourceDocument, locator: Locator): ContractParts {
  const { dialect, whole, document, scan, faults } = readValid(source, locator);
  const converted = dialect === '2.0' ? convertSwagger(document) : undefined;
  const tree: DocumentTree = {
    root: document,
    targets: new Map(),
    fault: faultsIn(locator, 'contract-reference'),
    origins: converted?.origins,
  };
  const root = new Cursor(tree, converted?.root ?? document, '');
  const servers = readServers(root);
  const context = {
    root,
    schemas: new SchemaFactory(tree, dialect),
    servers: servers.length > 0 ? servers : [defaultServer()],
    securitySchemes: readSecuritySchemes(root),
  };
  for (const pointer of scan.facts) checkFactsAt(document, pointer, locator);
  const { operations, repairs } = readOperations(context);
  const rules = {
    document,
    operations,
    pointers: scan.rules,
    schemaAt: (pointer: Pointer) => schemaAt(pointer, context.schemas),
  };
  const allFaults = [...faults, ...repairs];
  return { dialect, whole, document, faults: allFaults, root, context, operations, rules };
}

/** Throws for an `x-vouch-facts` that states what vouch does not know. */
function checkFactsAt(document: JsonObject, pointer: Pointer, locator: Locator): void {
  const facts = valueAt(document, pointer);
  // A part that is not valid was dropped, and is a fault of its own.
  if (facts === undefined) return;
  checkStatedFacts(facts, pointer, (at, message, hint) => {
    const [place, frame] = [locator.locate(at), locator.frame(at)];
    return new VouchError('contract-invalid', `x-vouch-facts: ${message}`, { place, frame, hint });
  });
}

/** A document in which every part has its kind and every reference resolves. */
interface ValidParts extends Pick<ContractParts, 'dialect' | 'whole' | 'document' | 'faults'> {
  readonly scan: DocumentScan;
}

function readValid(source: SourceDocument, locator: Locator): ValidParts {
  const written = asOpenApi(source);
  const { dialect, repairs } = readDialect(written, source, locator);
  refuseEmpty(written, source);
  const { document: whole, scan, lost } = resolveReferences(written, dialect, source.scan);
  const { document: valid, faults } = dropInvalidParts(whole, dialect);
  refuseFaultyPaths(whole, valid, { faults, locator });
  const outward = scan.outward.filter(({ isMapping }) => !isMapping).map(({ text }) => text);
  const texts = [...scan.texts, ...outward];
  const resolved = repairReferences(valid, texts, dialect);
  const straight = cutCircles(resolved.document, texts, dialect);
  return {
    dialect,
    whole,
    document: straight.document,
    scan,
    faults: [
      ...repairs,
      ...[...lost, ...(source.lost ?? []), ...resolved.repairs, ...straight.repairs].map(
        (repair) => ({ ...repair, rule: 'no-unresolved-refs' }),
      ),
      ...faults,
    ],
  };
}

/** What a schema's pointer ends in, after `x-vouch-rules` itself. */
const schemaPlace =
  /\/(schemas|definitions|\$defs|properties)\/[^/]+$|\/(schema|itemSchema|items)$|Of\/\d+$/;

function schemaAt(pointer: Pointer, schemas: SchemaFactory): Schema | undefined {
  const node = schemaPlace.test(pointer) ? schemas.nodeAt(pointer) : undefined;
  return node === undefined ? undefined : schemas.make({ node, pointer });
}

/** Throws if `paths` is not an object: nothing can be made of such a document. */
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
  const isNamed = isJsonObject(value) && ('openapi' in value || 'swagger' in value);
  if (isJsonObject(value) && (isNamed || hasPaths(value))) return value;
  throw notOpenApi(
    file,
    isJsonObject(value)
      ? 'Its top level has no member "openapi".'
      : 'Its top level is not an object.',
    'Pass a document that begins with "openapi: 3.1.0" or similar.',
  );
}

/** What a document describes, or has for others: each has one of these, whatever its version. */
const contents = ['paths', 'webhooks', 'components', 'definitions', 'parameters', 'responses'];

function refuseEmpty(document: JsonObject, { file }: SourceDocument): void {
  if (contents.some((name) => Object.hasOwn(document, name))) return;
  throw notOpenApi(
    file,
    'It has no paths, webhooks or components.',
    'Pass a document that describes an API: its paths have a member for each path.',
  );
}

function notOpenApi(file: string, what: string, hint: string): VouchError {
  return new VouchError('contract-not-openapi', `${file} is not an OpenAPI document. ${what}`, {
    place: { file, line: 1, column: 1 },
    hint,
  });
}

/** Whether a document without a version looks like OpenAPI. */
function hasPaths({ info, paths }: JsonObject): boolean {
  const names = Object.keys(objectOf(paths));
  return isJsonObject(info) && names.length > 0 && names.every((name) => /^(?:\/|x-)/.test(name));
}

function readDialect(
  document: JsonObject,
  source: SourceDocument,
  locator: Locator,
): { readonly dialect: Dialect; readonly repairs: readonly Repair[] } {
  const key = 'openapi' in document ? 'openapi' : 'swagger';
  const written = document[key];
  // An unquoted 2.0 or 3.1 is a number to YAML and JSON.
  const text =
    typeof written === 'number' && Number.isInteger(written) ? written.toFixed(1) : String(written);
  const known = key === 'openapi' ? (['3.0', '3.1', '3.2'] as const) : (['2.0'] as const);
  const dialect = known.find((version) => text === version || text.startsWith(`${version}.`));
  if (dialect !== undefined) return { dialect, repairs: [] };
  const meant = meantDialect(document, written === undefined ? '' : text.trim());
  if (meant !== undefined) {
    const what = written === undefined ? 'no version' : `the version ${text} under "${key}"`;
    const message = `The document has ${what}; it is read as version ${meant}.`;
    const hint = `Write ${meant === '2.0' ? 'swagger: "2.0"' : `openapi: ${meant}.0`}.`;
    const pointer = written === undefined ? '' : `/${key}`;
    return { dialect: meant, repairs: [{ pointer, rule: 'struct', message, hint }] };
  }
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

/**
 * The intended version: under the other key, without its minor number, or by the members present.
 */
function meantDialect(document: JsonObject, text: string): Dialect | undefined {
  if (/^v?2(?:\.0.*)?$/.test(text)) return '2.0';
  const version = /^v?3(?:\.([012]))?(?![\d])/.exec(text);
  if (version !== null && (version[1] !== undefined || !text.includes('.')))
    return version[1] === '1' ? '3.1' : version[1] === '2' ? '3.2' : '3.0';
  if (text !== '') return undefined;
  const isOld = ['definitions', 'host', 'basePath', 'securityDefinitions', 'produces'].some(
    (name) => name in document,
  );
  return isOld ? '2.0' : '3.0';
}

/** A document whose references are JSON Pointers into itself, and those references. */
interface ResolvedDocument {
  readonly document: JsonObject;
  readonly scan: DocumentScan;
  /** References to other documents, which are not available. */
  readonly lost: readonly RepairedReference[];
}

/**
 * Returns a copy of a document that names its parts (`$id`, `$anchor`, `$self`) in which every
 * reference is a JSON Pointer. A reference to another document, which is not available, is removed.
 */
function resolveReferences(
  document: JsonObject,
  dialect: Dialect,
  known?: DocumentScan,
): ResolvedDocument {
  const scan = known ?? scanDocument(document);
  if (scan.outward.length === 0 && scan.names.length === 0) return { document, scan, lost: [] };
  const copy = structuredClone(document);
  const linker = new DocumentLinker();
  linker.add({ uri: 'contract:/document', value: copy, mount: '' });
  const lost = linker.rewrite().map(({ found }): RepairedReference => {
    const { pointer, text } = found;
    const meant = meantByName(copy, text);
    if (meant !== undefined) return leadTo(found, meant, pointer);
    takeAnything(found, dialect);
    return {
      pointer,
      message:
        `The reference ${text} points to another document, but this contract was not read from ` +
        'a file; anything is valid in its place.',
      hint:
        'Pass the path of the contract instead of its content, or bundle it first: ' +
        'npx @redocly/cli bundle FILE --output bundled.yaml',
    };
  });
  return { document: copy, scan: scanDocument(copy), lost };
}

function readTag(cursor: Cursor): Tag {
  const description = cursor.string('description');
  const parent = cursor.string('parent') ?? cursor.string('x-parent');
  return { name: cursor.string('name') ?? '', description, parent };
}
