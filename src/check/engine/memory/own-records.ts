import type { Contract, Resource } from '../../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import {
  type CreatedRecord,
  nameUnder,
  type PathValues,
  type RecordName,
} from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { isSuccess } from '../../../http/status.ts';
import { pathNames } from '../../reading/path-names.ts';
import { isIdentifier } from '../../reading/created-record.ts';
import { RecordStates } from './record-states.ts';

const none: ReadonlySet<CreatedRecord> = new Set();

/** The records that a run created and did not delete. */
export class OwnRecords {
  // The same records twice: in the order of creation, and by collection for fast access.
  readonly #created = new Set<CreatedRecord>();
  readonly #byCollection = new Map<string, Set<CreatedRecord>>();
  readonly #deleted = new Set<CreatedRecord>();
  readonly #contract: Contract;
  readonly #states: RecordStates;

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#states = new RecordStates(contract);
  }

  /** In the order of creation. */
  get all(): readonly CreatedRecord[] {
    return [...this.#created];
  }

  of({ collection }: Pick<Resource, 'collection'>): ReadonlySet<CreatedRecord> {
    return this.#byCollection.get(collection) ?? none;
  }

  has(resource: Resource, identifier: JsonValue): boolean {
    for (const record of this.of(resource))
      if (String(nameUnder(resource, record)) === String(identifier)) return true;
    return false;
  }

  /** Whether there is the same record, below the same parents. */
  isKept({ resource, identifier, parents }: RecordName): boolean {
    return [...this.of(resource)].some(
      (record) =>
        String(nameUnder(resource, record)) === String(identifier) &&
        [...parents].every(([at, value]) => String(record.parents.get(at)) === String(value)),
    );
  }

  /** Adds a record, with what the answer to its create shows of it. */
  add(made: CreatedRecord, shown: JsonObject | undefined): void {
    const { collection } = made.resource;
    this.#states.noteMade(made, shown);
    this.#created.add(made);
    const own = this.#byCollection.get(collection);
    if (own === undefined) this.#byCollection.set(collection, new Set([made]));
    else own.add(made);
  }

  /** Removes the records of an identifier, and returns them. */
  remove(resource: Resource, identifier: string): readonly CreatedRecord[] {
    const lost = [...this.of(resource)].filter(
      (record) => String(nameUnder(resource, record)) === identifier,
    );
    for (const record of lost) {
      this.#created.delete(record);
      this.#deleted.add(record);
      this.#byCollection.get(resource.collection)?.delete(record);
    }
    return lost;
  }

  /**
   * The deleted record that a change on its path succeeded on: that made it again, so it has to be
   * deleted again.
   */
  revive({
    case: { operation },
    sent,
    exchange: { request, response },
  }: Step): RecordName | undefined {
    if (this.#deleted.size === 0 || !['POST', 'PUT', 'PATCH'].includes(request.method))
      return undefined;
    if (!isSuccess(response?.status ?? 0)) return undefined;
    for (const { parameter, resource, parent } of pathNames(this.#contract, operation)) {
      const name = parent === undefined ? sent.arguments.get(parameter) : undefined;
      for (const record of name === undefined ? [] : this.#deleted) {
        const isNamed = String(nameUnder(resource, record)) === String(name);
        if (record.resource.collection !== resource.collection || !isNamed) continue;
        this.#deleted.delete(record);
        this.add(record, undefined);
        return record;
      }
    }
    return undefined;
  }

  /**
   * The first record with the parents that a path needs, and that is not `gone` with them: rather
   * one that is as the first one was made than one in another state, or on the way to one.
   */
  first(
    resource: Resource,
    isGone: (record: CreatedRecord) => boolean = () => false,
  ): CreatedRecord | undefined {
    let other: CreatedRecord | undefined;
    for (const record of this.of(resource)) {
      if (!standsBelow(resource, record.parents) || isGone(record)) continue;
      if (this.#states.isAsMade(record)) return record;
      other ??= record;
    }
    return other;
  }

  /** Notes what a step shows of the state of one of the records. */
  note(step: Step): void {
    this.#states.note(step, (resource) => this.of(resource));
  }

  /** Notes that a request which may change one of the records is sent; call the result at its end. */
  beginChange(written: Pick<Step, 'case' | 'sent'>): () => void {
    return this.#states.beginChange(written, (resource) => this.of(resource));
  }
}

/** Whether the path of a record has the parents of a resource. */
export function standsBelow({ parents }: Resource, values: PathValues): boolean {
  return parents.every(({ segment }) => values.has(segment));
}

/**
 * What other paths to the same set call a new record: `/things/by-code/{code}`, as its create shows
 * it.
 */
export function otherNames(
  { resources }: Contract,
  { resource: { collection, identifier }, parents }: RecordName,
  shown: JsonObject | undefined,
): RecordName[] {
  return resources.flatMap((resource): RecordName[] => {
    const { field } = resource.identifier;
    const isOther = resource.collection === collection && field !== identifier.field;
    const name = isOther ? shown?.[field] : undefined;
    return isIdentifier(name) ? [{ resource, identifier: name, parents }] : [];
  });
}

/** A new record with the names that other paths have for it. */
export function alsoNamed(made: CreatedRecord, others: readonly RecordName[]): CreatedRecord {
  if (others.length === 0) return made;
  const names = others.map(
    ({ resource, identifier }) => [resource.identifier.field, identifier] as const,
  );
  return { ...made, alsoNamed: new Map(names) };
}
