import {
  joinPointer,
  parentPointer,
  splitPointer,
  valueAt,
  type Pointer,
} from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { writeReference } from '../read/cursor.ts';
import { bindDynamic } from './bind-dynamic.ts';
import { scanDocument, type DocumentScan, type FoundText } from './scan-document.ts';

/** A document that has been read, and where it stands among those that make up one contract. */
export interface LinkedDocument {
  /** The absolute URI that it was read from, without a fragment. */
  readonly uri: string;
  readonly value: JsonValue;
  /**
   * `''` for the contract's own document, the pointer at which it is mounted there for any other.
   */
  readonly mount: Pointer;
}

/** A reference that leads nowhere, or to a document that is not at hand. */
export interface UnresolvedReference {
  readonly document: LinkedDocument;
  readonly found: FoundText;
  /**
   * The URIs that it may mean, the likeliest first, without their fragments; empty where it is no
   * URI reference.
   */
  readonly targets: readonly string[];
}

/** A part of a document that has a URI of its own: the document itself, or a schema with `$id`. */
interface Resource {
  readonly uri: string;
  readonly document: LinkedDocument;
  /** Where it begins, counted from the beginning of its document. */
  readonly pointer: Pointer;
}

/**
 * The documents of one contract, and the names by which they and their parts are referred to (JSON
 * Schema 2020-12, section 8.2; OpenAPI 3.2, section 4.1.2). Documents are added one by one, and
 * their references rewritten once all are there.
 */
export class DocumentLinker {
  readonly #entries: {
    readonly document: LinkedDocument;
    readonly scan: DocumentScan;
    readonly resources: readonly Resource[];
  }[] = [];
  readonly #resources = new Map<string, Resource>();
  /** `URI#name` to the document and the pointer in it. */
  readonly #anchors = new Map<
    string,
    { readonly document: LinkedDocument; readonly pointer: Pointer }
  >();

  /**
   * Takes a document in, and answers which of its references lead to documents that are not there
   * yet.
   */
  add(document: LinkedDocument): UnresolvedReference[] {
    const scan = scanDocument(document.value, true);
    const resources = this.#nameResources(document, scan);
    this.#entries.push({ document, scan, resources });
    this.#nameAnchors(document, scan, resources);
    return scan.outward.flatMap((found) => {
      const targets = candidates(found, resources);
      return targets.some((uri) => this.#resources.has(uri)) ? [] : [{ document, found, targets }];
    });
  }

  /** Lets a further URI lead to a document: the one that it was found under. */
  alias(uri: string, document: LinkedDocument): void {
    if (!this.#resources.has(uri)) this.#resources.set(uri, { uri, document, pointer: '' });
  }

  /**
   * Writes every reference as a JSON Pointer from the contract's own document, in place. Answers
   * those that lead nowhere.
   */
  rewrite(): UnresolvedReference[] {
    const open = new Map<JsonObject, FoundText>();
    const lost = this.#entries.flatMap(({ document, scan, resources }) => {
      const dynamic = scan.names.filter(({ key }) => key === '$dynamicRef');
      for (const found of dynamic)
        if (this.#isBoundLater(found.text)) open.set(found.holder, found);
      return [
        ...scan.outward,
        ...scan.local,
        ...dynamic.filter(({ holder }) => !open.has(holder)),
      ].flatMap((found) => {
        const target = this.#find(found, resources);
        if (target !== undefined) write(found, writeReference(target));
        const mayBeLost = found.isMapping || (document.mount === '' && isOwn(found));
        return target === undefined && !mayBeLost
          ? [{ document, found, targets: candidates(found, resources) }]
          : [];
      });
    });
    this.#bind(open);
    for (const found of open.values()) acceptAnything(found);
    return lost;
  }

  /** Gives names that are bound later the meaning that each user of their schemas gives them. */
  #bind(found: ReadonlyMap<JsonObject, FoundText>): void {
    if (found.size === 0) return;
    const open = new Map(
      [...found].map(([holder, { text }]) => [holder, text.slice(text.indexOf('#') + 1)]),
    );
    const names = new Set(open.values());
    const binders = new Map<JsonObject, Map<string, string>>();
    for (const { document, scan } of this.#entries) {
      for (const { key, text, pointer, holder } of scan.names) {
        if (key !== '$dynamicAnchor' || !names.has(text)) continue;
        // What has an `$id` is a scope of its own, wherever it stands.
        const schema = Object.hasOwn(holder, '$id')
          ? holder
          : valueAt(document.value, schemaAround(parentPointer(pointer)));
        if (schema === undefined || !isJsonObject(schema)) continue;
        const isAlias = typeof holder['$ref'] === 'string' && Object.keys(holder).length === 2;
        binders.set(
          schema,
          (binders.get(schema) ?? new Map<string, string>()).set(
            text,
            isAlias
              ? String(holder['$ref'])
              : writeReference(document.mount + parentPointer(pointer)),
          ),
        );
      }
    }
    const bound = [...binders].map(([schema, meanings]) => ({ schema, meanings }));
    bindDynamic(bound, { open, find: (reference) => this.#valueOf(reference) });
  }

  /** What a reference that was rewritten leads to. */
  #valueOf(reference: string): JsonValue | undefined {
    const pointer = decode(reference.slice(1));
    const around = this.#entries
      .map(({ document }) => document)
      .filter(({ mount }) => pointer?.startsWith(mount) === true)
      .sort((left, right) => right.mount.length - left.mount.length)[0];
    return pointer === undefined || around === undefined
      ? undefined
      : valueAt(around.value, pointer.slice(around.mount.length));
  }

  /**
   * Whether a name is given in several places, of which the one that counts is known only on the
   * way there.
   */
  #isBoundLater(reference: string): boolean {
    const anchors = this.#entries.flatMap(({ scan }) =>
      scan.names.filter(
        ({ key, text }) => key === '$dynamicAnchor' && reference.endsWith(`#${text}`),
      ),
    );
    return anchors.length > 1;
  }

  #nameResources(document: LinkedDocument, { names }: DocumentScan): Resource[] {
    const resources: Resource[] = [{ uri: document.uri, document, pointer: '' }];
    // What stands around is named before what stands inside, however the members are ordered.
    for (const { key, text, pointer } of names.toSorted(
      (left, right) => left.pointer.length - right.pointer.length,
    )) {
      const at = parentPointer(pointer);
      if (key !== '$id' && !(key === '$self' && at === '')) continue;
      const uri = resolve(text, resourceAt(at, resources).uri);
      if (uri !== undefined) resources.push({ uri: withoutFragment(uri), document, pointer: at });
    }
    for (const resource of resources) this.#resources.set(resource.uri, resource);
    return resources;
  }

  #nameAnchors(
    document: LinkedDocument,
    { names }: DocumentScan,
    resources: readonly Resource[],
  ): void {
    for (const { key, text, pointer } of names) {
      if (key !== '$anchor' && key !== '$dynamicAnchor') continue;
      const at = parentPointer(pointer);
      const name = `${resourceAt(at, resources).uri}#${text}`;
      if (!this.#anchors.has(name)) this.#anchors.set(name, { document, pointer: at });
    }
  }

  /** Where a reference leads, as a pointer from the contract's own document. */
  #find(found: FoundText, resources: readonly Resource[]): Pointer | undefined {
    const fragment = decode(
      found.text.includes('#') ? found.text.slice(found.text.indexOf('#') + 1) : '',
    );
    if (fragment === undefined) return undefined;
    for (const uri of candidates(found, resources)) {
      const resource = this.#resources.get(uri);
      const target = resource && this.#findIn(resource, fragment);
      if (target !== undefined) return target;
    }
    return undefined;
  }

  #findIn({ uri, document, pointer }: Resource, fragment: string): Pointer | undefined {
    if (fragment !== '' && !fragment.startsWith('/')) {
      const anchor = this.#anchors.get(`${uri}#${fragment}`);
      return anchor && anchor.document.mount + anchor.pointer;
    }
    // Many write pointers from the beginning of the document even where a schema has an `$id`, so
    // that is tried too.
    const ways = [pointer, ''].map((start) => start + fragment);
    const at =
      ways.find((way) => valueAt(document.value, way) !== undefined) ??
      ways.find((way) => passesReference(document.value, way));
    return at === undefined ? undefined : document.mount + at;
  }
}

/** Whether a pointer leads through a reference, behind which it may go on. */
function passesReference(document: JsonValue, pointer: Pointer): boolean {
  for (let around = parentPointer(pointer); around !== ''; around = parentPointer(around)) {
    const value = valueAt(document, around);
    if (value !== undefined) return isJsonObject(value) && typeof value['$ref'] === 'string';
  }
  return false;
}

/**
 * The schema for which a dynamic name is given: the one in whose `$defs` it stands, or the one that
 * has it itself.
 */
function schemaAround(pointer: Pointer): Pointer {
  const above = parentPointer(pointer);
  return above.endsWith('/$defs') ? parentPointer(above) : pointer;
}

function candidates(found: FoundText, resources: readonly Resource[]): string[] {
  const bases = [resourceAt(parentPointer(found.pointer), resources).uri, resources[0]?.uri ?? ''];
  // A name that a document gives itself need not be where its neighbours are to be had: that is
  // where it was read from.
  const uris = bases.map((base) => resolve(found.text, base)).filter((uri) => uri !== undefined);
  return [...new Set(uris.map(withoutFragment))];
}

/** The innermost part with a URI of its own that a place belongs to. */
function resourceAt(pointer: Pointer, resources: readonly Resource[]): Resource {
  const around = resources.filter(
    (resource) => pointer === resource.pointer || pointer.startsWith(`${resource.pointer}/`),
  );
  return around.reduce((inner, resource) =>
    resource.pointer.length >= inner.pointer.length ? resource : inner,
  );
}

/**
 * Whether a reference points into its own document; an unresolved one is reported when it is
 * followed.
 */
function isOwn({ text }: FoundText): boolean {
  return text.startsWith('#');
}

function resolve(text: string, base: string): string | undefined {
  return URL.canParse(text, base) ? new URL(text, base).href : undefined;
}

function withoutFragment(uri: string): string {
  return uri.split('#', 1)[0] ?? '';
}

function decode(fragment: string): string | undefined {
  try {
    return fragment.startsWith('/')
      ? joinPointer('', ...splitPointer(decodeURIComponent(fragment)))
      : decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/**
 * A place that each user of a schema fills in another way takes whatever comes: to judge it by one
 * of them would be wrong for the rest. What it takes counts as evaluated, so that no
 * `unevaluatedProperties` around it refuses what the user's way may name.
 */
function acceptAnything({ holder, key }: FoundText): void {
  // The documents were read, or copied, for this contract alone.
  const members = holder as Record<string, JsonValue>;
  delete members[key];
  const anything = { unevaluatedProperties: true, unevaluatedItems: true };
  members['allOf'] = Array.isArray(members['allOf'])
    ? [...(members['allOf'] as JsonValue[]), anything]
    : [anything];
}

function write({ holder, key }: FoundText, text: string): void {
  // The documents were read, or copied, for this contract alone.
  const members = holder as Record<string, JsonValue>;
  const isPlain = key !== '$dynamicRef' || Object.hasOwn(members, '$ref');
  if (!isPlain) delete members[key];
  members[isPlain ? key : '$ref'] = text;
}
