import { VouchError } from '../../errors.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';

/** What a document says of references and names. */
export interface DocumentScan {
  /**
   * References that are no JSON Pointers into the document itself: to other documents, to anchors.
   * In the order of the document.
   */
  readonly outward: readonly FoundText[];
  /**
   * References into the document itself. Those of schemas, callbacks and webhooks, which are
   * followed only when they are needed, are left out, and each text is given once, unless all are
   * asked for.
   */
  readonly local: readonly FoundText[];
  /** Every text of a local reference, those that are followed later too. */
  readonly texts: ReadonlySet<string>;
  /**
   * Names that schemas give themselves, and references by such names (JSON Schema 2020-12, section
   * 8.2; `$self` of OpenAPI 3.2).
   */
  readonly names: readonly FoundText[];
  /** Where rules of the contract's owner stand: the pointers of `x-vouch-rules`. */
  readonly rules: readonly Pointer[];
}

/** A text that stands as the member `key` of `holder`. */
export interface FoundText {
  readonly text: string;
  readonly holder: JsonObject;
  readonly key: string;
  readonly pointer: Pointer;
  /** Whether it is a name in a discriminator's mapping, where nothing has to be found. */
  readonly isMapping: boolean;
}

/**
 * Finds the references of a document in one pass, without following any. Examples, defaults and
 * extensions are data, so their `$ref` members are ignored. Throws a VouchError for a value that
 * contains itself, or is nested more than 1,000 levels deep.
 */
export function scanDocument(document: JsonValue, all = false): DocumentScan {
  const scanner = new Scanner(all);
  if (isJsonObject(document)) scanner.visitObject(document, 'keywords');
  else if (Array.isArray(document)) scanner.visitItems(document);
  return scanner;
}

/**
 * What the members of an object are: keywords, names that the author chose, paths, examples by
 * name, or one such example.
 */
type Role = 'keywords' | 'names' | 'paths' | 'examples' | 'example' | 'mapping';

/**
 * Keywords under which the author chooses the names. A name such as `default` is no keyword there.
 */
const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ...[
    'properties',
    'patternProperties',
    'dependentSchemas',
    '$defs',
    'definitions',
    'schemas',
    'responses',
    'parameters',
  ].map((key) => [key, 'names'] as const),
  ...[
    'requestBodies',
    'headers',
    'securitySchemes',
    'securityDefinitions',
    'links',
    'callbacks',
    'pathItems',
    'mediaTypes',
  ].map((key) => [key, 'names'] as const),
  ...['content', 'webhooks', 'x-webhooks', 'encoding', 'additionalOperations'].map(
    (key) => [key, 'names'] as const,
  ),
  ['paths', 'paths'],
  ['examples', 'examples'],
  ['mapping', 'mapping'],
]);

const data: ReadonlySet<string> = new Set(['example', 'default', 'const', 'enum']);
const exampleData: ReadonlySet<string> = new Set(['value', 'dataValue', 'serializedValue']);
const mediaType = /^[\w.+*-]+\/[\w.+*-]/;
const readLater: ReadonlySet<string> = new Set([
  'schema',
  'schemas',
  'itemSchema',
  'definitions',
  'callbacks',
  'webhooks',
  'x-webhooks',
]);
const naming: ReadonlySet<string> = new Set([
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$self',
]);

const maxDepth = 1_000;

class Scanner implements DocumentScan {
  readonly outward: FoundText[] = [];
  readonly local: FoundText[] = [];
  readonly texts = new Set<string>();
  readonly names: FoundText[] = [];
  readonly rules: Pointer[] = [];
  readonly #all: boolean;
  readonly #path: (string | number)[] = [];
  readonly #known = new Set<string>();
  /** How many levels above are read only when they are needed. */
  #later = 0;

  constructor(all: boolean) {
    this.#all = all;
  }

  visitObject(object: JsonObject, role: Role): void {
    if (this.#path.length > maxDepth)
      throw new VouchError(
        'contract-unreadable',
        'The document contains itself, or is nested more than 1,000 levels deep.',
        { hint: 'Pass the document with its references as written, not resolved.' },
      );
    // Twice as fast as Object.keys, which makes an array for each object.
    for (const key in object) {
      const value = object[key];
      if (typeof value === 'string') this.#visitText(object, key, value, role);
      else if (typeof value === 'object' && value !== null && Object.hasOwn(object, key))
        this.#visitMember(key, value, role);
    }
  }

  #visitText(holder: JsonObject, key: string, text: string, role: Role): void {
    if (role === 'mapping') {
      if (leadsOut(text)) this.#add(this.outward, holder, key, text);
      else if (this.#all && text.startsWith('#')) this.#add(this.local, holder, key, text);
    } else if (key === '$ref') {
      const isLocal = text === '#' || text.startsWith('#/');
      if (isLocal) this.texts.add(text);
      if (!isLocal) this.#add(this.outward, holder, key, text);
      else if (this.#all) this.#add(this.local, holder, key, text);
      else if (this.#later === 0 && !this.#known.has(text))
        this.#add(this.local, holder, key, text);
    } else if (role === 'keywords' && naming.has(key)) {
      this.#add(this.names, holder, key, text);
    }
  }

  #visitMember(key: string, value: JsonArray | JsonObject, role: Role): void {
    if (key === 'x-vouch-rules' && role === 'keywords')
      this.rules.push(joinPointer('', ...this.#path, key));
    if (isData(key, role)) return;
    const isLater = role === 'keywords' && readLater.has(key);
    if (isLater) this.#later += 1;
    this.#path.push(key);
    // A schema's list of examples is data; a map of them holds Example Objects.
    if (!Array.isArray(value)) this.visitObject(value as JsonObject, roleOf(key, role));
    else if (!(key === 'examples' && role === 'keywords')) this.visitItems(value);
    this.#path.pop();
    if (isLater) this.#later -= 1;
  }

  visitItems(items: JsonArray): void {
    for (let index = 0; index < items.length; index += 1) {
      const item = items[index];
      if (typeof item !== 'object' || item === null) continue;
      this.#path.push(index);
      if (Array.isArray(item)) this.visitItems(item);
      // An object that is no array; `Array.isArray` does not narrow a readonly one.
      else this.visitObject(item as JsonObject, 'keywords');
      this.#path.pop();
    }
  }

  #add(list: FoundText[], holder: JsonObject, key: string, text: string): void {
    this.#known.add(text);
    list.push({
      holder,
      key,
      text,
      pointer: joinPointer('', ...this.#path, key),
      isMapping: key !== '$ref' && !naming.has(key),
    });
  }
}

/**
 * Swagger 2.0 has its examples by media type, and each of them is data. A path begins with a slash:
 * what begins with `x-` beside it is an extension (OpenAPI 3.1, section 4.8.8).
 */
function isData(key: string, role: Role): boolean {
  if (role === 'keywords') return data.has(key) || (key.startsWith('x-') && key !== 'x-webhooks');
  if (role === 'paths') return key.startsWith('x-');
  return role === 'example' ? exampleData.has(key) : role === 'examples' && mediaType.test(key);
}

function roleOf(key: string, role: Role): Role {
  if (role === 'examples') return 'example';
  return role === 'keywords' ? (roles.get(key) ?? 'keywords') : 'keywords';
}

/**
 * Whether the value of a discriminator's mapping is a reference to elsewhere, and no name of a
 * schema (OpenAPI 3.1, section 4.8.25.1).
 */
function leadsOut(text: string): boolean {
  if (text.startsWith('#')) return false;
  return /[/#]/.test(text) || /\.(ya?ml|json)$/i.test(text);
}
