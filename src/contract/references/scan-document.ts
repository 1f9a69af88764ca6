import { wordsIn } from '../../words-in.ts';
import { VouchError } from '../../errors.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../json/value.ts';
import { factsKeyword } from '../words/stated-facts.ts';

export interface DocumentScan {
  /**
   * References that are not JSON Pointers into the document itself: to other documents, to anchors.
   * In the order of the document.
   */
  readonly outward: readonly FoundText[];
  /**
   * References into the document itself. Each text is given once, without those of schemas,
   * callbacks and webhooks, which are resolved on demand; with `all`, every occurrence is given.
   */
  readonly local: readonly FoundText[];
  /** Every text of a local reference, including those that are resolved on demand. */
  readonly texts: ReadonlySet<string>;
  /**
   * Names that schemas define for themselves, and references by such names (JSON Schema 2020-12,
   * section 8.2; `$self` of OpenAPI 3.2).
   */
  readonly names: readonly FoundText[];
  /** The pointers of `x-vouch-rules`. */
  readonly rules: readonly Pointer[];
  /** The pointers of `x-vouch-facts`. */
  readonly facts: readonly Pointer[];
}

/** A text at the member `key` of `holder`. */
export interface FoundText {
  readonly text: string;
  readonly holder: JsonObject;
  readonly key: string;
  readonly pointer: Pointer;
  /** Whether it is a name in a discriminator's mapping, which need not resolve. */
  readonly isMapping: boolean;
}

/**
 * Finds the references of a document in one pass, without resolving any. Examples, defaults and
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
 * The role of an object's members: keywords, names that the author chose, paths, examples by name,
 * or one such example.
 */
type Role = 'keywords' | 'names' | 'paths' | 'examples' | 'example' | 'mapping';

/**
 * Keywords whose members have names that the author chose. A name such as `default` is not a
 * keyword there.
 */
const roles: ReadonlyMap<string, Role> = new Map<string, Role>([
  ...(
    'properties patternProperties dependentSchemas $defs definitions schemas responses ' +
    'parameters requestBodies headers securitySchemes securityDefinitions links callbacks ' +
    'pathItems mediaTypes content webhooks x-webhooks encoding additionalOperations'
  )
    .split(' ')
    .map((key) => [key, 'names'] as const),
  ['paths', 'paths'],
  ['examples', 'examples'],
  ['mapping', 'mapping'],
]);

const data: ReadonlySet<string> = new Set(['example', 'default', 'const', 'enum']);
const exampleData: ReadonlySet<string> = new Set(['value', 'dataValue', 'serializedValue']);
const mediaType = /^[\w.+*-]+\/[\w.+*-]/;
const readLater: ReadonlySet<string> = new Set(
  wordsIn('schema schemas itemSchema definitions callbacks webhooks x-webhooks'),
);
const naming: ReadonlySet<string> = new Set(
  wordsIn('$id $anchor $dynamicAnchor $dynamicRef $self'),
);

const maxDepth = 1_000;

class Scanner implements DocumentScan {
  readonly outward: FoundText[] = [];
  readonly local: FoundText[] = [];
  readonly texts = new Set<string>();
  readonly names: FoundText[] = [];
  readonly rules: Pointer[] = [];
  readonly facts: Pointer[] = [];
  readonly #all: boolean;
  readonly #path: (string | number)[] = [];
  readonly #known = new Set<string>();
  /** The number of enclosing levels that are read on demand. */
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
    // Twice as fast as Object.keys, which allocates an array per object.
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
    } else if (role === 'keywords') this.#visitKeyword(holder, key, text);
  }

  #visitKeyword(holder: JsonObject, key: string, text: string): void {
    if (naming.has(key)) this.#add(this.names, holder, key, text);
    else if (key === factsKeyword) this.facts.push(joinPointer('', ...this.#path, key));
  }

  #visitMember(key: string, value: JsonArray | JsonObject, role: Role): void {
    if (key === 'x-vouch-rules' && role === 'keywords')
      this.rules.push(joinPointer('', ...this.#path, key));
    if (key === factsKeyword && role === 'keywords')
      this.facts.push(joinPointer('', ...this.#path, key));
    if (isData(key, role)) return;
    const isLater = role === 'keywords' && readLater.has(key);
    if (isLater) this.#later += 1;
    this.#path.push(key);
    // A list of examples in a schema is data; a map of them holds Example Objects.
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
      // An object, not an array; `Array.isArray` does not narrow a readonly one.
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
 * In Swagger 2.0, examples are by media type, and each is data. A path begins with a slash; a
 * member beside it that begins with `x-` is an extension (OpenAPI 3.1, section 4.8.8).
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
 * Whether a value of a discriminator's mapping is a reference to another document, and not the name
 * of a schema (OpenAPI 3.1, section 4.8.25.1).
 */
function leadsOut(text: string): boolean {
  if (text.startsWith('#')) return false;
  return /[/#]/.test(text) || /\.(ya?ml|json)$/i.test(text);
}
