import type { Operation, Resource } from '../../contract/model.ts';
import { isRefusal, isSuccess } from '../../http/status.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { jsonOf } from '../evidence/answer/read-answer.ts';
import type { ChangedRecord, PathValues, RecordName } from '../model/record.ts';
import type { Step } from '../model/step.ts';
import { isSafe } from '../plan/draft/is-safe.ts';

interface Sighting {
  readonly resource: Resource;
  readonly parents: PathValues;
  /** The moment of `Ownership.now` at which an answer showed it first. */
  readonly at: number;
}

/** Bounds what is remembered of a target with very many records. */
const mostSightings = 20_000;

/**
 * Which records of the target the run created. A record is the run's own when a create answered
 * with its identifier, and no answer to an earlier request showed that identifier.
 */
export class Ownership {
  readonly #seen = new Map<string, Sighting[]>();
  readonly #own = new Map<string, Sighting[]>();
  #moment = 0;
  #sightings = 0;

  /** A moment to compare with: take it before a request is sent. */
  now(): number {
    return (this.#moment += 1);
  }

  /** Notes that an answer showed a record. */
  see(name: RecordName): void {
    if (this.#sightings >= mostSightings || find(this.#seen, name) !== undefined) return;
    this.#sightings += 1;
    add(this.#seen, name, this.now());
  }

  /** Whether an answer showed the record. */
  hasSeen(name: RecordName): boolean {
    return find(this.#seen, name) !== undefined;
  }

  /**
   * Makes a record the run's own, unless an answer showed it before the create was sent. What is
   * `known` to be its own, such as what a ledger on disk names, is not held against what was seen.
   */
  claim(name: RecordName, sentAt: number, proof: 'answered' | 'known' = 'answered'): boolean {
    if (this.owns(name)) return true;
    const seen = proof === 'known' ? undefined : find(this.#seen, name);
    if (seen !== undefined && seen.at < sentAt) return false;
    add(this.#own, name, sentAt);
    return true;
  }

  /** Whether the run created the record; it stays so when the record is deleted. */
  owns(name: RecordName): boolean {
    return find(this.#own, name) !== undefined;
  }
}

function keyOf({ resource, identifier }: RecordName): string {
  return `${resource.collection}\n${String(identifier)}`;
}

function find(
  known: ReadonlyMap<string, readonly Sighting[]>,
  name: RecordName,
): Sighting | undefined {
  return known.get(keyOf(name))?.find((sighting) => standsTogether(sighting, name));
}

/** Whether two names of one identifier can mean one record: no parent of the same path differs. */
function standsTogether(sighting: Sighting, { resource, parents }: RecordName): boolean {
  // Another path to the same set has its parents in other segments.
  if (sighting.resource.name !== resource.name) return true;
  return resource.parents.every(({ segment }) => {
    const [one, other] = [sighting.parents.get(segment), parents.get(segment)];
    return one === undefined || other === undefined || String(one) === String(other);
  });
}

function add(known: Map<string, Sighting[]>, name: RecordName, at: number): void {
  const key = keyOf(name);
  const sighting = { resource: name.resource, parents: name.parents, at };
  const same = known.get(key);
  if (same === undefined) known.set(key, [sighting]);
  else same.push(sighting);
}

/** Records that the run did not create and changes only to put them back: what each was before. */
export class RestorableRecords {
  readonly #originals = new Map<string, JsonValue>();
  readonly #changed = new Map<string, ChangedRecord>();

  /** The changes that were not put back, each with what was read before it. */
  get unrestored(): readonly ChangedRecord[] {
    return [...this.#changed.values()];
  }

  /** Takes in a step. A change without a whole answer may have been made; a refused one was not. */
  note({ case: testCase, exchange: { response }, answer }: Step): void {
    const {
      operation,
      request: { body },
    } = testCase;
    // Where nothing came, it was neither a success nor a refusal.
    const status = response?.status ?? 0;
    if (isSafe(operation) && isSuccess(status)) this.#noteRead(operation, jsonOf(answer));
    if (body?.kind !== 'json' || body.onto === undefined || isRefusal(status)) return;
    const original = this.#originals.get(body.onto);
    if (isJsonObject(body.value) && Object.keys(body.value).length === 0) {
      if (isSuccess(status)) this.#changed.delete(body.onto);
    } else if (original !== undefined) this.#changed.set(body.onto, { change: testCase, original });
  }

  #noteRead({ id }: Operation, value: JsonValue | undefined): void {
    if (value !== undefined && !this.#changed.has(id)) this.#originals.set(id, value);
  }
}
