import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { QueryResult } from '../../store/store.ts';
import type { Put, Records, ResourceView } from '../control/record-browser.ts';
import type { JoinedNames } from './joined-names.ts';

/** The records of one contract among several. */
export interface RecordsPart {
  readonly records: Records;
  readonly names: JoinedNames;
}

interface Owned {
  readonly records: Records;
  readonly own: string;
}

/** The records of several contracts, by names that say which contract's they are where two have the same. */
export class JoinedRecords implements Records {
  readonly #parts: readonly RecordsPart[];

  constructor(parts: readonly RecordsPart[]) {
    this.#parts = parts;
  }

  get names(): readonly string[] {
    return this.#parts.flatMap(({ records, names }) => records.names.map((name) => names.toShared(name)));
  }

  async resources(session: string): Promise<readonly ResourceView[]> {
    const all = await Promise.all(this.#parts.map(async ({ records, names }) => (await records.resources(session)).map((view) => ({ ...view, name: names.toShared(view.name) }))));
    return all.flat();
  }

  async list(session: string, resource: string, page: { readonly offset: number; readonly limit: number }): Promise<QueryResult> {
    const owner = this.#find(resource);
    return owner === undefined ? { records: [], total: 0, offset: page.offset } : owner.records.list(session, owner.own, page);
  }

  async get(session: string, resource: string, id: string): Promise<JsonObject | undefined> {
    const owner = this.#find(resource);
    return owner?.records.get(session, owner.own, id);
  }

  async put(session: string, resource: string, given: { readonly id: string; readonly record: JsonValue }): Promise<Put> {
    const owner = this.#find(resource);
    return owner === undefined ? { kind: 'broken', issues: [] } : owner.records.put(session, owner.own, given);
  }

  async remove(session: string, resource: string, id: string): Promise<boolean> {
    const owner = this.#find(resource);
    return owner === undefined ? false : owner.records.remove(session, owner.own, id);
  }

  #find(resource: string): Owned | undefined {
    for (const { records, names } of this.#parts) {
      const own = names.toOwn(resource);
      if (own !== undefined) return { records, own };
    }
    return undefined;
  }
}
