import type { Pointer } from '../../json/pointer.ts';
import { joinPointer, parentPointer, splitPointer, valueAt, isWithin } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { writeReference } from '../read/cursor.ts';
import { scanDocument, type DocumentScan, type FoundText } from './scan-document.ts';

/** A parsed document, and its place among the documents of one contract. */
export interface LinkedDocument {
  /** The absolute URI of its source, without a fragment. */
  readonly uri: string;
  readonly value: JsonValue;
  /** `''` for the contract's own document, otherwise the pointer at which it is mounted there. */
  readonly mount: Pointer;
}

/** A reference to a missing place, or to a document that is not available. */
export interface UnresolvedReference {
  readonly document: LinkedDocument;
  readonly found: FoundText;
  /**
   * The URIs that it may mean, the most likely first, without their fragments; empty if it is not a
   * URI reference.
   */
  readonly targets: readonly string[];
}

/** A part of a document with its own URI: the document itself, or a schema with `$id`. */
interface Resource {
  readonly uri: string;
  readonly document: LinkedDocument;
  /** Its start, relative to its document. */
  readonly pointer: Pointer;
}

/**
 * The documents of one contract, and the names by which references target them and their parts
 * (JSON Schema 2020-12, section 8.2; OpenAPI 3.2, section 4.1.2). Documents are added one by one;
 * references are rewritten after all are added.
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

  /** Adds a document; returns its references to documents that are not added yet. */
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

  /** Adds another URI for a document: the one under which it was found. */
  alias(uri: string, document: LinkedDocument): void {
    if (!this.#resources.has(uri)) this.#resources.set(uri, { uri, document, pointer: '' });
  }

  /**
   * Rewrites every reference as a JSON Pointer relative to the contract's own document, in place.
   * Returns those that cannot be resolved.
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
        const mayBeLost = found.isMapping || (document.mount === '' && found.text.startsWith('#'));
        return target === undefined && !mayBeLost
          ? [{ document, found, targets: candidates(found, resources) }]
          : [];
      });
    });
    this.#bind(open);
    for (const found of open.values()) acceptAnything(found);
    return lost;
  }

  /** Gives dynamic names the meaning that each user of their schemas defines. */
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
        // A schema with `$id` is a separate scope at any place.
        const schema = Object.hasOwn(holder, '$id')
          ? holder
          : valueAt(document.value, schemaAround(parentPointer(pointer)));
        if (!isJsonObject(schema)) continue;
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

  /** The target of a rewritten reference. */
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
   * Whether a name is defined in several places, of which the path to the reference selects one.
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
    // Outer definitions are registered before inner ones, regardless of the order of members.
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

  /** The target of a reference, as a pointer relative to the contract's own document. */
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
    // Many documents write pointers relative to the document even if a schema has an `$id`, so that
    // is tried too.
    const ways = [pointer, ''].map((start) => start + fragment);
    const at =
      ways.find((way) => valueAt(document.value, way) !== undefined) ??
      ways.find((way) => passesReference(document.value, way));
    return at === undefined ? undefined : document.mount + at;
  }
}

/** Whether a pointer passes through a reference and continues in its target. */
function passesReference(document: JsonValue, pointer: Pointer): boolean {
  for (let around = parentPointer(pointer); around !== ''; around = parentPointer(around)) {
    const value = valueAt(document, around);
    if (value !== undefined) return isJsonObject(value) && typeof value['$ref'] === 'string';
  }
  return false;
}

/**
 * The schema for which a dynamic name is defined: the one whose `$defs` contain it, or the one that
 * has it.
 */
function schemaAround(pointer: Pointer): Pointer {
  const above = parentPointer(pointer);
  return above.endsWith('/$defs') ? parentPointer(above) : pointer;
}

function candidates(found: FoundText, resources: readonly Resource[]): string[] {
  const bases = [resourceAt(parentPointer(found.pointer), resources).uri, resources[0]?.uri ?? ''];
  // The URI that a document gives itself need not be where its neighbours are available: that is
  // where it was read from.
  const uris = bases.map((base) => resolve(found.text, base)).filter((uri) => uri !== undefined);
  return [...new Set(uris.map(withoutFragment))];
}

/** The innermost part with a URI that contains a place. */
function resourceAt(pointer: Pointer, resources: readonly Resource[]): Resource {
  const around = resources.filter((resource) => isWithin(pointer, resource.pointer));
  return around.reduce((inner, resource) =>
    resource.pointer.length >= inner.pointer.length ? resource : inner,
  );
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
 * Makes a place accept any value, because each user of the schema fills it in differently and no
 * single choice would be right for the others. The accepted members count as evaluated, so that
 * `unevaluatedProperties` around it does not refuse what a user's definition allows.
 */
function acceptAnything({ holder, key }: FoundText): void {
  // The documents were read or copied for this contract only.
  const members = holder as Record<string, JsonValue>;
  delete members[key];
  const anything = { unevaluatedProperties: true, unevaluatedItems: true };
  members['allOf'] = Array.isArray(members['allOf'])
    ? [...(members['allOf'] as JsonValue[]), anything]
    : [anything];
}

function write({ holder, key }: FoundText, text: string): void {
  // The documents were read or copied for this contract only.
  const members = holder as Record<string, JsonValue>;
  const isPlain = key !== '$dynamicRef' || Object.hasOwn(members, '$ref');
  if (!isPlain) delete members[key];
  members[isPlain ? key : '$ref'] = text;
}

/**
 * The facts that binding needs: the place and the name of each open `$dynamicRef`, and the targets
 * of references.
 */
interface DynamicPlaces {
  readonly open: ReadonlyMap<JsonObject, string>;
  find(reference: string): JsonValue | undefined;
}

/** A schema that defines dynamic names for the schemas that it references: names to references. */
interface DynamicBinder {
  readonly schema: JsonObject;
  readonly meanings: ReadonlyMap<string, string>;
}

/**
 * Fills in the targets of references with the definitions of dynamic names (JSON Schema 2020-12,
 * section 8.2.3.2): the list in `{ $ref: page, $defs: { item: { $dynamicAnchor: itemType, … } } }`
 * gets its item type. Changes the documents in place. Other users of the same schema do not change,
 * nor does a schema that defines its own names if no other one defines them.
 */
function bindDynamic(binders: readonly DynamicBinder[], places: DynamicPlaces): void {
  const filled = binders.flatMap(({ schema, meanings }) => {
    const binding = new Binding(meanings, places);
    const { $defs, ...own } = schema;
    return binding.isOpen(own, { follow: false, seen: new Set() })
      ? []
      : [{ schema, own, bound: binding.fill(own, new Set([schema])) }];
  });
  for (const { schema, own, bound } of filled) {
    // The documents were read or copied for this contract only.
    const members = schema as Record<string, JsonValue>;
    for (const name of Object.keys(own)) delete members[name];
    Object.assign(members, bound);
  }
}

class Binding {
  readonly #meanings: DynamicBinder['meanings'];
  readonly #places: DynamicPlaces;

  constructor(meanings: DynamicBinder['meanings'], places: DynamicPlaces) {
    this.#meanings = meanings;
    this.#places = places;
  }

  /** `seen` holds the schemas around this one: a recursive schema is filled in once. */
  fill(schema: JsonObject, seen: ReadonlySet<JsonValue>): JsonObject {
    const name = this.#places.open.get(schema);
    const meaning = name === undefined ? undefined : this.#meanings.get(name);
    const members = Object.entries(schema).filter(
      ([key]) => meaning === undefined || key !== '$dynamicRef',
    );
    const filled = Object.fromEntries(
      members.map(([key, value]) => [key, this.#fillValue(value, seen)]),
    );
    const target =
      typeof schema['$ref'] === 'string' ? this.#places.find(schema['$ref']) : undefined;
    const inlined =
      isJsonObject(target) &&
      !seen.has(target) &&
      this.isOpen(target, { follow: true, seen: new Set() })
        ? this.#inline(target, seen)
        : undefined;
    if (inlined !== undefined) delete filled['$ref'];
    const added = [
      ...(inlined === undefined ? [] : [inlined]),
      ...(meaning === undefined ? [] : [{ $ref: meaning }]),
    ];
    return added.length === 0
      ? filled
      : {
          ...filled,
          allOf: [
            ...(Array.isArray(filled['allOf']) ? (filled['allOf'] as JsonValue[]) : []),
            ...added,
          ],
        };
  }

  #inline(target: JsonObject, seen: ReadonlySet<JsonValue>): JsonObject {
    const { $defs, $id, $anchor, $dynamicAnchor, ...own } = target;
    return this.fill(this.#places.open.has(target) ? target : own, new Set([...seen, target]));
  }

  #fillValue(value: JsonValue, seen: ReadonlySet<JsonValue>): JsonValue {
    if (Array.isArray(value))
      return (value as readonly JsonValue[]).map((item) => this.#fillValue(item, seen));
    return isJsonObject(value) ? this.fill(value, seen) : value;
  }

  /**
   * Whether a schema contains a dynamic name that this binder defines; also in its referenced
   * schemas, or only in itself.
   */
  isOpen(value: JsonValue, { follow, seen }: Search): boolean {
    if (typeof value !== 'object' || value === null || seen.has(value)) return false;
    seen.add(value);
    if (isJsonObject(value) && this.#meanings.has(this.#places.open.get(value) ?? '')) return true;
    const target =
      follow && isJsonObject(value) && typeof value['$ref'] === 'string'
        ? this.#places.find(value['$ref'])
        : undefined;
    return (
      (target !== undefined && this.isOpen(target, { follow, seen })) ||
      Object.values(value).some((member) => this.isOpen(member, { follow, seen }))
    );
  }
}

/** How a schema is searched, and what is already searched. */
interface Search {
  readonly follow: boolean;
  readonly seen: Set<JsonValue>;
}
