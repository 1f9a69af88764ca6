import { hasKnownRecords } from '../../contract/infer/record-fields.ts';
import type { Contract, Resource, Schema, SchemaIssue } from '../../contract/model.ts';
import { fromInteger } from '../../json/decimal.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { fieldValue } from '../../store/field-values.ts';
import type { Query, Collection, Store, StoredRecord } from '../../store/store.ts';
import type { KeyedMutex } from '../guard-changes.ts';
import { recordsWhere } from '../records/collections-below.ts';
import { missingAmong, removeBelow } from '../records/find-record.ts';
import { conditionsBelow, holdsParents, withParents } from '../records/parent-fields.ts';
import {
  isMark,
  isView,
  collectionName,
  collectionOwner,
  collectionParents,
} from '../records/collection-name.ts';
import { browsableResources, describeKind, type RecordKind } from './record-kinds.ts';

/**
 * A resource with its number of records in a session; undefined if they have more than 200 parents.
 */
export interface ResourceView extends RecordKind {
  readonly count: number | undefined;
}

/** The location of records: one resource in one session, below these records, outermost first. */
export interface RecordPlace {
  readonly session: string;
  readonly resource: string;
  /** Undefined for top-level records; a list may name fewer parents than there are. */
  readonly parents?: readonly string[];
}

export interface PlacedRecord extends StoredRecord {
  readonly parents: readonly string[];
}

/** A page of the records of one resource, and their number. */
export interface RecordPage {
  readonly records: readonly PlacedRecord[];
  readonly total: number;
}

/** A record to store. */
export interface GivenRecord {
  readonly id: string;
  readonly record: JsonValue;
  /** Whether to refuse an existing record. */
  readonly onlyNew?: boolean;
}

/**
 * The result of storing a record. Nothing changes if it is `broken` (the contract does not allow
 * it) or `taken`.
 */
export type Put =
  | { readonly kind: 'created' | 'replaced'; readonly stored: StoredRecord }
  | { readonly kind: 'broken'; readonly issues: readonly SchemaIssue[] }
  | { readonly kind: 'full' }
  | { readonly kind: 'taken' };

/** The operations on the records of a mock. */
export type Records = Pick<
  RecordBrowser,
  'kinds' | 'resources' | 'list' | 'get' | 'put' | 'remove' | 'missing' | 'schemaOf' | 'issuesOf'
>;

/** Reads and changes the records of a mock directly; they must still conform to the contract. */
export class RecordBrowser {
  readonly #contract: Pick<Contract, 'resources'>;
  readonly #store: Store;
  readonly #turns: KeyedMutex;
  #known: ReadonlyMap<string, Resource> | undefined;

  constructor(contract: Pick<Contract, 'resources'>, store: Store, turns: KeyedMutex) {
    this.#contract = contract;
    this.#store = store;
    this.#turns = turns;
  }

  get #resources(): ReadonlyMap<string, Resource> {
    return (this.#known ??= browsableResources(this.#contract));
  }

  /** Every resource, including nested ones. */
  get kinds(): readonly RecordKind[] {
    return [...this.#resources.values()].map((resource) => describeKind(resource, this.#resources));
  }

  /** Every resource with its number of records in a session. */
  async resources(session: string): Promise<readonly ResourceView[]> {
    return Promise.all(
      this.kinds.map(async (kind) => ({
        ...kind,
        count: (await this.list({ session, resource: kind.name }, { offset: 0, limit: 0 }))?.total,
      })),
    );
  }

  /**
   * A page of the records of one resource in insertion order; undefined if they have more than 200
   * parents.
   */
  async list(
    { session, resource: name, parents = [] }: RecordPlace,
    page: PageOf,
  ): Promise<RecordPage | undefined> {
    const resource = this.#resources.get(name);
    if (resource === undefined) return { records: [], total: 0 };
    if (isView(resource)) return pageOf(await this.#shown({ session, resource, parents }), page);
    const above = await parentsAbove(resource, { session, store: this.#store, parents });
    const [only = [], ...others] = above ?? [];
    if (above === undefined || (above.length > 0 && others.length === 0))
      return above && this.#read({ session, resource, parents: only }, page);
    const pages = await Promise.all(
      above.map((texts) =>
        this.#read(
          { session, resource, parents: texts },
          { offset: 0, limit: page.offset + page.limit },
        ),
      ),
    );
    const records = pages
      .flatMap((each) => each.records)
      .slice(page.offset, page.offset + page.limit);
    return { records, total: pages.reduce((sum, { total }) => sum + total, 0) };
  }

  /** A record, or undefined if there is none. */
  async get(place: RecordPlace, id: string): Promise<JsonObject | undefined> {
    const found = this.#find(place);
    if (found === undefined) return undefined;
    const record = await this.#store.get(found.collection, id);
    return record === undefined || !isHere(record, found) ? undefined : record;
  }

  /**
   * Adds or replaces a record. The contract must allow it; missing identifiers, its own and those
   * of its parents, are filled in.
   */
  async put(place: RecordPlace, { id, record, onlyNew = false }: GivenRecord): Promise<Put> {
    const found = this.#find(place);
    if (found === undefined) return { kind: 'broken', issues: [] };
    const { whole, issues } = completeRecord(record, { id, ...found });
    if (issues.length > 0 || !isJsonObject(whole)) return { kind: 'broken', issues };
    return this.#turns.take(turnOf(found), async () => {
      if (!onlyNew) return this.#place(found.collection, { id, record: whole });
      // The store would replace a generated record, which a user who adds one does not expect.
      const isTaken = (await this.#store.get(found.collection, id)) !== undefined;
      return isTaken ? { kind: 'taken' } : this.#add(found.collection, { id, record: whole });
    });
  }

  /** The violations of the contract and the location that `put` would refuse. Stores nothing. */
  issuesOf(place: RecordPlace, { id, record }: GivenRecord): readonly SchemaIssue[] {
    const found = this.#find(place);
    return found === undefined ? [] : completeRecord(record, { id, ...found }).issues;
  }

  /** The schema of the records of a resource; undefined if there is no such resource. */
  schemaOf(resource: string): Schema | undefined {
    return this.#resources.get(resource)?.record;
  }

  /** Removes a record and everything below it; returns false if it does not exist. */
  async remove(place: RecordPlace, id: string): Promise<boolean> {
    const found = this.#find(place);
    if (found === undefined) return false;
    return this.#turns.take(turnOf(found), async () => {
      if (
        (await this.get(place, id)) === undefined ||
        !(await this.#store.delete(found.collection, id))
      )
        return false;
      const keeper = this.#resources.get(found.resource.collection) ?? found.resource;
      await removeBelow(
        {
          session: place.session,
          texts: [...(keeper.parents.length === 0 ? [] : found.parents), id],
        },
        { keeper, others: [...this.#resources.values()] },
        this.#store,
      );
      return true;
    });
  }

  /**
   * A sentence that names the missing parent record of a location; undefined if none is missing.
   */
  async missing({
    session,
    resource: name,
    parents = [],
  }: RecordPlace): Promise<string | undefined> {
    const resource = this.#resources.get(name);
    return (
      resource && (await missingAmong(parents, resource, { session, store: this.#store }))?.message
    );
  }

  async #read({ session, resource, parents }: Below, page: PageOf): Promise<RecordPage> {
    const found = await this.#store.query(
      { session, name: collectionName(resource, parents) },
      { where: [], order: [], ...page },
    );
    return {
      records: (found?.records ?? []).map(({ id, record }) => ({ id, record, parents })),
      total: found?.total ?? 0,
    };
  }

  /** Records of views contain their parents in fields. */
  async #shown({ session, resource, parents }: Below): Promise<PlacedRecord[]> {
    const collection = { session, name: resource.collection };
    const where = conditionsBelow(parents, resource);
    const placed = (await recordsWhere(this.#store, collection, where)).map(({ id, record }) => ({
      id,
      record,
      parents: resource.parents.map(({ field = '' }) => fieldValue(record, field) ?? null),
    }));
    return placed.flatMap((each) =>
      each.parents.includes(null) ? [] : [{ ...each, parents: each.parents.map(String) }],
    );
  }

  #find({ session, resource: name, parents = [] }: RecordPlace): Found | undefined {
    const resource = this.#resources.get(name);
    if (resource === undefined || parents.length !== resource.parents.length) return undefined;
    return {
      resource,
      parents,
      collection: { session, name: collectionName(resource, parents) },
    };
  }

  async #place(collection: Collection, stored: StoredRecord): Promise<Put> {
    return (await this.#store.replace(collection, stored))
      ? { kind: 'replaced', stored }
      : this.#add(collection, stored);
  }

  async #add(collection: Collection, stored: StoredRecord): Promise<Put> {
    const insertion = await this.#store.insert(collection, stored);
    return insertion === 'inserted' ? { kind: 'created', stored } : { kind: insertion };
  }
}

type PageOf = Required<Pick<Query, 'offset' | 'limit'>>;

interface Below {
  readonly session: string;
  readonly resource: Resource;
  readonly parents: readonly string[];
}

function pageOf(records: readonly PlacedRecord[], { offset, limit }: PageOf): RecordPage {
  return { records: records.slice(offset, offset + limit), total: records.length };
}

interface Found {
  readonly resource: Resource;
  readonly parents: readonly string[];
  readonly collection: Collection;
}

/** Views show some of the records of their collection. */
function isHere(record: JsonObject, { resource, parents }: Found): boolean {
  return !isView(resource) || holdsParents(record, resource, parents);
}

/** The key of the mutex, the same as for operations. */
function turnOf({ resource, collection }: Found): string {
  return `${collection.session} ${resource.collection}`;
}

/**
 * The location of a record: its identifier, which the record of a singleton does not contain, and
 * its parents, outermost first.
 */
interface RecordAddress {
  readonly id: string;
  readonly resource: Resource;
  readonly parents: readonly string[];
}

/** A complete record, and the violations of the contract and of its location. */
interface CompleteRecord {
  readonly whole: JsonValue;
  readonly issues: readonly SchemaIssue[];
}

/** Adds missing identifiers to a record: its own and those of its parents. */
function completeRecord(record: JsonValue, address: RecordAddress): CompleteRecord {
  const whole = isJsonObject(record) ? withAbove(withIdentifier(record, address), address) : record;
  const said = isJsonObject(whole) ? addressIssues(whole, address) : [];
  return { whole, issues: [...address.resource.record.validate(whole, 'response'), ...said] };
}

function withIdentifier(
  record: JsonObject,
  { id, resource: { kind, identifier } }: RecordAddress,
): JsonObject {
  if (kind === 'singleton' || Object.hasOwn(record, identifier.field)) return record;
  const given =
    identifier.type === 'integer' && /^-?\d{1,30}$/.test(id) ? fromInteger(BigInt(id)) : id;
  return { [identifier.field]: given, ...record };
}

function withAbove(record: JsonObject, { resource, parents }: RecordAddress): JsonObject {
  return resource.parents.reduce((held, parent, index) => {
    const text = parents[index];
    if (
      text === undefined ||
      parent.field === undefined ||
      fieldValue(held, parent.field) !== undefined
    )
      return held;
    return withParents(held, { parents: [parent], record: resource.record }, [text]);
  }, record);
}

function addressIssues(
  record: JsonObject,
  { id, resource, parents }: RecordAddress,
): SchemaIssue[] {
  const { kind, identifier } = resource;
  const own = {
    given: kind === 'singleton' ? undefined : record[identifier.field],
    text: id,
    at: joinPointer('', identifier.field),
    where: 'path',
  };
  const above = resource.parents.flatMap(({ field }, index) =>
    field === undefined
      ? []
      : {
          given: fieldValue(record, field),
          text: parents[index] ?? '',
          at: joinPointer('', ...field.split('.')),
          where: 'parent',
        },
  );
  const wrong = [own, ...above].filter(
    ({ given, text }) => given !== undefined && String(given) !== text,
  );
  return wrong.map(({ text, at, where }) => ({
    at,
    keyword: 'const',
    pointer: resource.record.pointer,
    message: `must be ${text}, as in the ${where}`,
  }));
}

/** The maximum number of parents to search: each needs a query to the store. */
const maxParents = 200;

/** Where to search parents, and which of them are known, outermost first. */
interface ParentSearch {
  readonly session: string;
  readonly store: Store;
  readonly parents: readonly string[];
}

/**
 * Every combination of parents of a resource, each outermost first; undefined if there are more
 * than 200. If the contract does not determine the parents, those with records.
 */
async function parentsAbove(
  resource: Resource,
  search: ParentSearch,
): Promise<readonly (readonly string[])[] | undefined> {
  const { parents } = search;
  if (parents.length >= resource.parents.length) return [parents];
  const unknown = resource.parents
    .slice(parents.length)
    .some(({ resource: above }) => above === undefined || !hasKnownRecords(above));
  return unknown ? touchedParents(resource, search) : walkDown(resource, search);
}

async function touchedParents(
  { collection }: Resource,
  { session, store, parents }: ParentSearch,
): Promise<string[][] | undefined> {
  const { collections } = await store.dump(session);
  const names = Object.keys(collections).filter(
    (name) => collectionOwner(name) === collection && !isMark(name),
  );
  const found = names
    .map(collectionParents)
    .filter((texts) => parents.every((text, index) => texts[index] === text));
  return found.length > maxParents ? undefined : found;
}

async function walkDown(
  resource: Resource,
  { session, store, parents }: ParentSearch,
): Promise<readonly (readonly string[])[] | undefined> {
  let found: readonly (readonly string[])[] = [parents];
  for (const { resource: above } of resource.parents.slice(parents.length)) {
    if (above === undefined) return [];
    const next: (readonly string[])[] = [];
    for (const texts of found) {
      const collection = { session, name: collectionName(above, texts) };
      const limit = maxParents + 1 - next.length;
      const below = await recordsWhere(store, collection, conditionsBelow(texts, above), limit);
      next.push(...below.map(({ id }) => [...texts, id]));
      if (next.length > maxParents) return undefined;
    }
    found = next;
  }
  return found;
}
