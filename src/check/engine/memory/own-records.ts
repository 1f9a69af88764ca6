import type { Contract, Resource } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import {
  type CreatedRecord,
  type PathValues,
  type RecordName,
  nameUnder,
} from '../../model/record.ts';
import { type Step, isSafe, hasSuccess } from '../../model/step.ts';
import { isSuccess } from '../../../http/message.ts';
import { pathNames } from '../../reading/path-names.ts';
import { isIdentifier } from '../../reading/created-record.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { givenPathValues } from './ownership.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { equalJson } from '../../../json/equal-json.ts';

const none: ReadonlySet<CreatedRecord> = new Set();

/** The records that a run created and did not delete. */
export class OwnRecords {
  // The same records twice: in the order of creation, and by collection for fast access.
  readonly #created = new Set<CreatedRecord>();
  readonly #byCollection = new Map<string, Set<CreatedRecord>>();
  readonly #deleted = new Set<CreatedRecord>();
  readonly #renamed = new Map<string, JsonValue>();
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
   * The record that a change gave another identifier, such as the hash of a new address, as it was
   * and as it is now.
   */
  renamed(
    resource: Resource,
    before: JsonValue,
    shown: JsonObject | undefined,
  ): readonly [CreatedRecord, CreatedRecord] | undefined {
    const after = shown?.[resource.identifier.field];
    if (!isIdentifier(after) || String(after) === String(before)) return undefined;
    // The answer shows another record.
    const isOther = [...this.of(resource), ...this.#deleted].some(
      (one) => String(nameUnder(resource, one)) === String(after),
    );
    if (isOther) return undefined;
    const former = [...this.of(resource)].find(
      (one) => String(nameUnder(resource, one)) === String(before),
    );
    return former && [former, { resource, identifier: after, parents: former.parents }];
  }

  /** Removes a record that has another identifier now, under which it is to be added. */
  rename({ resource, identifier }: CreatedRecord, after: JsonValue): void {
    this.remove(resource, String(identifier));
    this.#renamed.set(`${resource.collection} ${String(identifier)}`, after);
  }

  /** The identifier that a record has by now, by one that it has or had. */
  nameNow(resource: Resource | undefined, name: JsonValue | undefined): JsonValue | undefined {
    const next = resource && this.#renamed.get(`${resource.collection} ${String(name)}`);
    return next === undefined ? name : this.nameNow(resource, next);
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

  /** The case that last changed the record that a request names. */
  lastChangeOf(step: Step): string | undefined {
    return this.#states.lastChangeOf(step, (resource) => this.of(resource));
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

/** The members of a record that have one of few values: `{ status: 'draft', archived: false }`. */
type State = ReadonlyMap<string, string | boolean>;

/** The records of the run in a resource's collection. */
type RecordsOf = (resource: Resource) => ReadonlySet<CreatedRecord>;

const unknown: State = new Map();

/** A record of the run, and the resource as which a request names it. */
interface Found {
  readonly record: CreatedRecord;
  readonly resource: Resource;
}

/**
 * The states of the run's own records. Services refuse operations on archived, cancelled or
 * discontinued records: requests that need any record get one that is as the first one was made.
 */
class RecordStates {
  readonly #contract: Contract;
  /** The state in which the first record of a collection was made. */
  readonly #plain = new Map<string, State>();
  /** What is known of each record now; undefined if an action changed it, and did not show how. */
  readonly #now = new Map<CreatedRecord, State | undefined>();
  /** How many requests are under way that may change the state of a record. */
  readonly #changing = new Map<CreatedRecord, number>();

  /** The id of the case that changed a record last. */
  readonly #changedBy = new Map<CreatedRecord, string>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  lastChangeOf(step: Step, own: RecordsOf): string | undefined {
    const found = this.#recordOf(step, own);
    return found && this.#changedBy.get(found.record);
  }

  /** Notes a record as the answer to its create showed it. */
  noteMade(made: CreatedRecord, shown: JsonObject | undefined): void {
    const { resource } = made;
    const state = shown === undefined ? unknown : stateOf(resource, shown);
    this.#now.set(made, state);
    if (!this.#plain.has(resource.collection)) this.#plain.set(resource.collection, state);
  }

  /** Notes that a request which may change a record is made; the result ends that. */
  beginChange(written: Pick<Step, 'case' | 'sent'>, own: RecordsOf): () => void {
    const found = this.#mayChange(written) ? this.#recordOf(written, own) : undefined;
    if (found === undefined || this.#keepsState(written, found)) return () => undefined;
    const { record } = found;
    this.#changing.set(record, (this.#changing.get(record) ?? 0) + 1);
    return () => this.#changing.set(record, (this.#changing.get(record) ?? 1) - 1);
  }

  /** Notes a read or a change of one of the records. */
  note(step: Step, own: RecordsOf): void {
    if (!hasSuccess(step)) return;
    const found = this.#recordOf(step, own);
    if (found === undefined) return;
    const { record, resource } = found;
    if (!isSafe(step.case.operation)) this.#changedBy.set(record, step.case.id);
    const shown = shownRecord(resource, step.answer);
    if (shown !== undefined) this.#now.set(record, stateOf(resource, shown));
    else if (this.#mayChange(step)) this.#now.set(record, undefined);
  }

  /** Whether a record is in the state in which the first one was made, and nothing changes that. */
  isAsMade(record: CreatedRecord): boolean {
    const [plain, now] = [this.#plain.get(record.resource.collection), this.#now.get(record)];
    if (plain === undefined || now === undefined || (this.#changing.get(record) ?? 0) > 0)
      return false;
    return isSame(now, plain);
  }

  /** Whether a change writes no other state than the one in which records are made. */
  #keepsState(
    { case: { operation }, sent: { body } }: Pick<Step, 'case' | 'sent'>,
    { resource }: Found,
  ): boolean {
    const plain = this.#plain.get(resource.collection);
    const placement = this.#contract.inference.placementOf(operation);
    if (placement?.kind !== 'resource' || operation.method === 'DELETE') return false;
    if (plain === undefined || !isJsonObject(body)) return false;
    const { properties } = resource.record.flatten();
    // A body of another form may say what the members of the record do not.
    const isRecord = Object.keys(body).every((name) => properties.has(name));
    return isRecord && isSame(stateOf(resource, body), plain);
  }

  /** Whether a request is made to change a record, by a valid value or an action. */
  #mayChange({ case: { operation, intent } }: Pick<Step, 'case'>): boolean {
    return !isSafe(operation) && intent.kind === 'valid';
  }

  /** The record that the path of a request names, for what is done to that record itself. */
  #recordOf(
    { case: { operation }, sent }: Pick<Step, 'case' | 'sent'>,
    own: RecordsOf,
  ): Found | undefined {
    const placement = this.#contract.inference.placementOf(operation);
    if (placement?.kind !== 'resource' && placement?.kind !== 'action') return undefined;
    const { resource } = placement.kind === 'action' ? placement.action : placement;
    const given = [...givenPathValues(operation, sent).values()].map(String);
    if (given.length === 0) return undefined;
    const record = [...own(resource)].find(
      (one) =>
        given[one.parents.size] === String(nameUnder(resource, one)) &&
        [...one.parents.values()].every((value, index) => given[index] === String(value)),
    );
    return record && { record, resource };
  }
}

/** Whether the members that both have are equal. */
function isSame(state: State, plain: State): boolean {
  return [...state].every(([name, value]) => !plain.has(name) || plain.get(name) === value);
}

function stateOf({ record }: Resource, shown: JsonObject): State {
  const { properties } = record.flatten();
  const members = Object.entries(shown).flatMap(([name, value]): [string, string | boolean][] => {
    if (typeof value === 'boolean') return [[name, value]];
    const place = properties.get(name);
    if (typeof value !== 'string' || place === undefined) return [];
    const listed = record.flatten(place).node.enum;
    return listed?.includes(value) === true ? [[name, value]] : [];
  });
  return new Map(members);
}

/**
 * The other paths of the records of a resource that name them by several of their fields:
 * `/entries/{year}/{series}/{number}` for those of `/entries`.
 */
export function keyedPaths({ resources }: Contract, own: Resource): readonly Resource[] {
  let found = keyed.get(own);
  if (found === undefined) {
    found = resources.filter(
      (other) =>
        other !== own &&
        other.collection === own.collection &&
        other.parents.length > 0 &&
        other.parents.every(({ resource, field }) => resource === undefined && field !== undefined),
    );
    keyed.set(own, found);
  }
  return found;
}

const keyed = new WeakMap<Resource, readonly Resource[]>();

/** What paths to a record are filled with: the values of a request, and those of its own fields. */
export function withKeyParts(
  values: PathValues,
  record: JsonObject | undefined,
  paths: readonly Resource[],
): PathValues {
  if (record === undefined || paths.length === 0) return values;
  const own = paths.flatMap(({ parents }) =>
    parents.flatMap(({ segment, field = '' }) => {
      const [value] = singleValues(record, field);
      return value !== undefined && isIdentifier(value) ? [[segment, value] as const] : [];
    }),
  );
  return new Map([...own, ...values]);
}

/** What the path of a request is filled with. */
export function pathValues({ case: { operation }, sent }: Step): PathValues {
  return givenPathValues(operation, sent);
}

/** A record that a response showed. */
export interface SeenRecord {
  readonly record: JsonObject;
  /** Its identifier as text: every deletion searches by it. */
  readonly name: string;
  readonly parents: PathValues;
}

/**
 * Whether a record was shown, and others with its name below other parents, none of which is equal
 * to it: the names repeat from parent to parent.
 */
export function differsElsewhere(
  { identifier, parents }: Pick<RecordName, 'identifier' | 'parents'>,
  known: readonly SeenRecord[],
): boolean {
  const alike = known.filter(({ name }) => name === String(identifier));
  const isHere = (one: SeenRecord): boolean =>
    [...parents].every(([segment, value]) => String(one.parents.get(segment)) === String(value));
  const here = alike.find(isHere);
  const others = alike.filter((one) => !isHere(one));
  return (
    here !== undefined &&
    others.length > 0 &&
    !others.some(({ record }) => equalJson(record, here.record))
  );
}
