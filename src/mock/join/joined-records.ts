import type { Schema, SchemaIssue } from '../../contract/model.ts';
import type { JsonObject } from '../../json/value.ts';
import type {
  GivenRecord,
  Put,
  RecordPage,
  RecordPlace,
  Records,
  ResourceView,
} from '../control/record-browser.ts';
import type { RecordKind } from '../control/record-kinds.ts';
import type { ScenarioSwitch } from '../mock.ts';
import { unknownScenario } from '../scenarios/scenario-fault.ts';
import type { JoinedNames } from './join-contracts.ts';

/** The records of one contract among several. */
export interface RecordsPart {
  readonly records: Records;
  readonly names: JoinedNames;
}

/** The records of several contracts; shared names have the contract as a prefix. */
export class JoinedRecords implements Records {
  readonly #parts: readonly RecordsPart[];

  constructor(parts: readonly RecordsPart[]) {
    this.#parts = parts;
  }

  get kinds(): readonly RecordKind[] {
    return this.#parts.flatMap(({ records, names }) =>
      records.kinds.map((kind) => rename(kind, names)),
    );
  }

  async resources(session: string): Promise<readonly ResourceView[]> {
    const all = await Promise.all(
      this.#parts.map(async ({ records, names }) =>
        (await records.resources(session)).map((view) => rename(view, names)),
      ),
    );
    return all.flat();
  }

  async list(
    place: RecordPlace,
    page: Parameters<Records['list']>[1],
  ): Promise<RecordPage | undefined> {
    const owner = this.#find(place);
    return owner === undefined ? { records: [], total: 0 } : owner.records.list(owner.place, page);
  }

  async get(place: RecordPlace, id: string): Promise<JsonObject | undefined> {
    const owner = this.#find(place);
    return owner?.records.get(owner.place, id);
  }

  async put(place: RecordPlace, given: GivenRecord): Promise<Put> {
    const owner = this.#find(place);
    return owner === undefined
      ? { kind: 'broken', issues: [] }
      : owner.records.put(owner.place, given);
  }

  issuesOf(place: RecordPlace, given: GivenRecord): readonly SchemaIssue[] {
    const owner = this.#find(place);
    return owner === undefined ? [] : owner.records.issuesOf(owner.place, given);
  }

  schemaOf(resource: string): Schema | undefined {
    const owner = this.#find({ session: '', resource });
    return owner?.records.schemaOf(owner.place.resource);
  }

  async remove(place: RecordPlace, id: string): Promise<boolean> {
    const owner = this.#find(place);
    return owner === undefined ? false : owner.records.remove(owner.place, id);
  }

  async missing(place: RecordPlace): Promise<string | undefined> {
    const owner = this.#find(place);
    return owner?.records.missing(owner.place);
  }

  #find(
    place: RecordPlace,
  ): { readonly records: Records; readonly place: RecordPlace } | undefined {
    for (const { records, names } of this.#parts) {
      const own = names.toOwn(place.resource);
      if (own !== undefined) return { records, place: { ...place, resource: own } };
    }
    return undefined;
  }
}

/** A resource with its names among several contracts. */
function rename<Kind extends RecordKind>(kind: Kind, { toShared }: JoinedNames): Kind {
  const parents = kind.parents.map((parent) => ({
    ...parent,
    resource: parent.resource === undefined ? undefined : toShared(parent.resource),
  }));
  return { ...kind, name: toShared(kind.name), collection: toShared(kind.collection), parents };
}

/**
 * The scenarios of several contracts. A scenario of two contracts is activated and deactivated in
 * both.
 */
export class JoinedScenarios implements ScenarioSwitch {
  readonly #parts: readonly ScenarioSwitch[];

  constructor(parts: readonly ScenarioSwitch[]) {
    this.#parts = parts;
  }

  get names(): readonly string[] {
    return [...new Set(this.#parts.flatMap(({ names }) => names))];
  }

  get sessions(): readonly string[] {
    return [...new Set(this.#parts.flatMap(({ sessions }) => sessions))];
  }

  active(session?: string): readonly string[] {
    return [...new Set(this.#parts.flatMap((part) => part.active(session)))];
  }

  activate(name: string, session?: string): void {
    for (const part of this.#having(name)) part.activate(name, session);
  }

  deactivate(name: string, session?: string): void {
    for (const part of this.#having(name)) part.deactivate(name, session);
  }

  #having(name: string): readonly ScenarioSwitch[] {
    const parts = this.#parts.filter(({ names }) => names.includes(name));
    if (parts.length === 0) throw unknownScenario(name.slice(0, 80), this.names);
    return parts;
  }
}
