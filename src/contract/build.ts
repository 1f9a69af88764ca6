import { VouchError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { Cursor, type DocumentTree } from './cursor.ts';
import { findGaps } from './find-gaps.ts';
import { inferResources } from './infer-resources.ts';
import { makeLocator, type Locator } from './locate.ts';
import type { Contract, Dialect, Tag } from './model.ts';
import { readOperations } from './read-operations.ts';
import { readSecuritySchemes } from './read-security.ts';
import { defaultServer, readServers } from './read-servers.ts';
import { SchemaFactory } from './schema.ts';

/** A raw document with the text that it was read from. */
export interface SourceDocument {
  /** The name under which places are shown. */
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
}

/** Builds the model from a document. Throws a VouchError that names the place where the document cannot be understood. */
export function buildContract(source: SourceDocument): Contract {
  const locator = makeLocator(source.file, source.text);
  const document = asOpenApi(source);
  const dialect = dialectOf(document, source, locator);
  const tree: DocumentTree = { root: document, fault: makeFault(locator) };
  refuseExternalReferences(document, tree);
  const root = new Cursor(tree, document, '');
  const servers = readServers(root);
  const surroundings = {
    root,
    schemas: new SchemaFactory(tree, dialect),
    servers: servers.length > 0 ? servers : [defaultServer()],
    securitySchemes: readSecuritySchemes(root),
  };
  const operations = readOperations(surroundings);
  const { resources, unplaced } = inferResources(operations);
  return {
    title: root.child('info')?.string('title') ?? 'Untitled',
    version: root.child('info')?.string('version') ?? '',
    dialect,
    file: source.file,
    servers: surroundings.servers,
    operations,
    tags: root.items('tags').map(readTag),
    securitySchemes: surroundings.securitySchemes,
    resources,
    unplaced,
    gaps: findGaps(operations, resources),
    document,
    ...locator,
  };
}

function asOpenApi({ file, value }: SourceDocument): JsonObject {
  if (isJsonObject(value) && ('openapi' in value || 'swagger' in value)) return value;
  const what = isJsonObject(value) ? `Its top level has ${Object.keys(value).slice(0, 5).join(', ') || 'no members'}, but no "openapi".` : 'Its top level is no object.';
  throw new VouchError('contract-not-openapi', `${file} is not an OpenAPI document. ${what}`, { hint: 'Name a document that begins with "openapi: 3.1.0" or the like.' });
}

function dialectOf(document: JsonObject, source: SourceDocument, locator: Locator): Dialect {
  const written = String(document['openapi'] ?? document['swagger']);
  const dialect = (['3.0', '3.1', '3.2'] as const).find((known) => written === known || written.startsWith(`${known}.`));
  if (dialect !== undefined) return dialect;
  const pointer = 'openapi' in document ? '/openapi' : '/swagger';
  throw new VouchError('contract-unsupported', `${source.file} says that it is version ${written}; vouch reads OpenAPI 3.0, 3.1 and 3.2.`, {
    hint: written.startsWith('2') ? 'Convert it first, for instance with `npx swagger2openapi`.' : 'Check the version that the document names.',
    place: locator.locate(pointer),
    frame: locator.frame(pointer),
  });
}

function makeFault(locator: Locator): DocumentTree['fault'] {
  return (pointer, message, hint) =>
    new VouchError('contract-reference', message, {
      place: locator.locate(pointer),
      frame: locator.frame(pointer),
      ...(hint === undefined ? {} : { hint }),
    });
}

/** A `$ref` to another document is refused wherever it stands, before anything is followed. Examples are data and left alone. */
function refuseExternalReferences(document: JsonObject, tree: DocumentTree): void {
  const queue: Cursor[] = [new Cursor(tree, document, '')];
  for (let cursor = queue.pop(); cursor !== undefined; cursor = queue.pop()) {
    const value = cursor.value;
    if (typeof value !== 'object' || value === null) continue;
    const reference = isJsonObject(value) ? value['$ref'] : undefined;
    if (typeof reference === 'string' && !reference.startsWith('#')) {
      throw tree.fault(`${cursor.pointer}/$ref`, `The reference ${reference} leads to another document; vouch reads one file and fetches nothing.`, 'Bundle the document first: npx @redocly/cli bundle FILE --output bundled.yaml');
    }
    for (const key of Object.keys(value)) {
      if (isData(key)) continue;
      const child = cursor.raw(key) ?? childOf(cursor, key);
      if (child !== undefined) queue.push(child);
    }
  }
}

function isData(key: string): boolean {
  return key === 'example' || key === 'default' || key === 'const' || key === 'enum' || key.startsWith('x-');
}

function childOf(cursor: Cursor, key: string): Cursor | undefined {
  const value = Array.isArray(cursor.value) ? cursor.value[Number(key)] : undefined;
  return value === undefined ? undefined : new Cursor(cursor.tree, value, `${cursor.pointer}/${key}`);
}

function readTag(cursor: Cursor): Tag {
  const description = cursor.string('description');
  const parent = cursor.string('parent') ?? cursor.string('x-parent');
  return {
    name: cursor.string('name') ?? '',
    ...(description === undefined ? {} : { description }),
    ...(parent === undefined ? {} : { parent }),
  };
}
