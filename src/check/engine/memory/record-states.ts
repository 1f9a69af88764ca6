import type { Contract, Resource } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { isSafe } from '../../model/is-safe.ts';
import { type CreatedRecord, nameUnder } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { givenPathValues } from './ownership.ts';

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
export class RecordStates {
  readonly #contract: Contract;
  /** The state in which the first record of a collection was made. */
  readonly #plain = new Map<string, State>();
  /** What is known of each record now; undefined if an action changed it, and did not show how. */
  readonly #now = new Map<CreatedRecord, State | undefined>();
  /** How many requests are under way that may change the state of a record. */
  readonly #changing = new Map<CreatedRecord, number>();

  constructor(contract: Contract) {
    this.#contract = contract;
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
    if (!isSuccess(step.exchange.response?.status ?? 0)) return;
    const found = this.#recordOf(step, own);
    if (found === undefined) return;
    const { record, resource } = found;
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
    if (plain === undefined || body === undefined || !isJsonObject(body)) return false;
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
