import type { Contract, Resource, SchemaIssue } from '../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { QueryResult, Store, StoredRecord } from '../../store/store.ts';
import { toInteger } from '../records/known-values.ts';
import type { Turns } from '../turns.ts';

/** A kind of record that the mock keeps, and how many a session has of it. */
export interface ResourceView {
  readonly name: string;
  /** The field by which a record is found. */
  readonly identifier: string;
  readonly count: number;
}

/** What came of putting a record in its place. `broken`: the contract does not allow it, and nothing changed. */
export type Put =
  | { readonly kind: 'created' | 'replaced'; readonly stored: StoredRecord }
  | { readonly kind: 'broken'; readonly issues: readonly SchemaIssue[] }
  | { readonly kind: 'full' };

/** What can be done with the records that a mock keeps. */
export type Records = Pick<RecordBrowser, 'names' | 'resources' | 'list' | 'get' | 'put' | 'remove'>;

/** The records that a mock keeps, as a person looks at them and changes them past the contract's operations. */
export class RecordBrowser {
  readonly #contract: Pick<Contract, 'resources'>;
  readonly #store: Store;
  readonly #turns: Turns;
  #known: ReadonlyMap<string, Resource> | undefined;

  constructor(contract: Pick<Contract, 'resources'>, store: Store, turns: Turns) {
    this.#contract = contract;
    this.#store = store;
    this.#turns = turns;
  }

  /** Those with one shelf of their own: not what is kept for each of many parents, nor what only shows the records of another. */
  get #resources(): ReadonlyMap<string, Resource> {
    const own = (): Resource[] => this.#contract.resources.filter(({ kind, parents, name, collection }) => kind === 'collection' && parents.length === 0 && name === collection);
    return (this.#known ??= new Map(own().map((resource) => [resource.name, resource])));
  }

  /** The names of all kinds of records. */
  get names(): readonly string[] {
    return [...this.#resources.keys()];
  }

  /** Every kind of record. */
  async resources(session: string): Promise<readonly ResourceView[]> {
    return Promise.all([...this.#resources.values()].map(async ({ name, identifier }) => ({ name, identifier: identifier.field, count: await this.#count(session, name) })));
  }

  /** A part of the records of one kind, in the order in which they were added. */
  async list(session: string, resource: string, { offset, limit }: { readonly offset: number; readonly limit: number }): Promise<QueryResult> {
    const found = await this.#store.query({ session, collection: resource }, { where: [], order: [], offset, limit });
    return found ?? { records: [], total: 0, offset };
  }

  /** A record, or undefined where there is none. */
  async get(session: string, resource: string, id: string): Promise<JsonObject | undefined> {
    return this.#store.get({ session, collection: resource }, id);
  }

  /** Adds a record, or replaces the one of that identifier. The contract must allow it; an identifier that it leaves out is filled in. */
  async put(session: string, name: string, { id, record }: { readonly id: string; readonly record: JsonValue }): Promise<Put> {
    const resource = this.#resources.get(name);
    if (resource === undefined) return { kind: 'broken', issues: [] };
    const whole = withIdentifier(record, id, resource);
    const issues = [...resource.record.validate(whole, 'response'), ...identifierIssues(whole, id, resource)];
    if (issues.length > 0 || !isJsonObject(whole)) return { kind: 'broken', issues };
    return this.#turns.take(`${session} ${name}`, () => this.#place({ session, collection: name }, { id, record: whole }));
  }

  /** Removes a record; false where there is none. */
  async remove(session: string, name: string, id: string): Promise<boolean> {
    return this.#turns.take(`${session} ${name}`, () => this.#store.delete({ session, collection: name }, id));
  }

  async #place(shelf: { readonly session: string; readonly collection: string }, stored: StoredRecord): Promise<Put> {
    if (await this.#store.replace(shelf, stored)) return { kind: 'replaced', stored };
    return (await this.#store.insert(shelf, stored)) === 'full' ? { kind: 'full' } : { kind: 'created', stored };
  }

  async #count(session: string, collection: string): Promise<number> {
    return (await this.list(session, collection, { offset: 0, limit: 0 })).total;
  }
}

function withIdentifier(record: JsonValue, id: string, { identifier }: Resource): JsonValue {
  if (!isJsonObject(record) || Object.hasOwn(record, identifier.field)) return record;
  const given = identifier.type === 'integer' && /^-?\d{1,30}$/.test(id) ? toInteger(BigInt(id)) : id;
  return { [identifier.field]: given, ...record };
}

function identifierIssues(record: JsonValue, id: string, { identifier, record: schema }: Resource): SchemaIssue[] {
  const given = isJsonObject(record) ? record[identifier.field] : undefined;
  if (given === undefined || String(given) === id) return [];
  return [{ at: `/${identifier.field}`, keyword: 'const', pointer: schema.pointer, message: `must be ${id}, as in the path` }];
}
