import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { identifierOf } from '../../reading/created-record.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { Suspicion } from './judge.ts';

/**
 * The records that the service made or changed although the body of the request was invalid. What
 * an answer shows of them is a symptom of the operation that took the body, and no second defect.
 */
export class StoredInvalid {
  readonly #contract: Contract;
  /** The operations that took it, by collection and identifier. */
  readonly #takers = new Map<string, Operation>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Adds a step. */
  note(step: Step): void {
    if (!tookInvalidBody(step)) return;
    const { operation } = step.case;
    const resource = roleOf(this.#contract, operation)?.resource;
    const identifier = resource && identifierOf(resource, step);
    if (resource === undefined || identifier === undefined) return;
    this.#takers.set(keyOf(resource.collection, identifier), operation);
    if (tellsAlone(identifier)) this.#takers.set(keyOf('', identifier), operation);
  }

  /** The operation that took a shown record: by the key of its kind, or by a name of its own. */
  #takerOfRecord(
    record: { readonly [name: string]: JsonValue },
    resource: Resource | undefined,
  ): Operation | undefined {
    const { collection = '', identifier } = resource ?? {};
    const key = identifier && record[identifier.field];
    const taker = key === undefined ? undefined : this.#takers.get(keyOf(collection, key));
    if (taker !== undefined) return taker;
    const name = Object.values(record).find(
      (member) => tellsAlone(member) && this.#takers.has(keyOf('', member)),
    );
    return name === undefined ? undefined : this.#takers.get(keyOf('', name));
  }

  /**
   * The operation that took what a suspicion is about; undefined if a part of it, or all, is about
   * other records.
   */
  takerOf({ steps, violation: { places = [] } }: Suspicion): Operation | undefined {
    const step = steps.at(-1);
    if (step === undefined || places.length === 0) return undefined;
    if (tookInvalidBody(step)) return step.case.operation;
    if (this.#takers.size === 0) return undefined;
    const resource = roleOf(this.#contract, step.case.operation)?.resource;
    const named =
      resource &&
      this.#takers.get(keyOf(resource.collection, identifierOf(resource, step) ?? null));
    const value = jsonOf(step.answer);
    const takers = places.map((place) => {
      for (const around of objectsAround(value, splitPointer(place))) {
        const taker = this.#takerOfRecord(around, resource);
        if (taker !== undefined) return taker;
      }
      return named;
    });
    return takers.every((taker) => taker !== undefined) ? takers[0] : undefined;
  }
}

/** Whether an identifier names one record among those of all kinds, as small numbers do not. */
function tellsAlone(identifier: JsonValue): boolean {
  return typeof identifier === 'string' && identifier.length >= shortestName;
}

const shortestName = 5;

function tookInvalidBody({ case: { intent }, exchange: { response } }: Step): boolean {
  return intent.kind === 'invalid' && intent.part === 'body' && isSuccess(response?.status ?? 0);
}

function keyOf(collection: string, identifier: JsonValue): string {
  return `${collection} ${String(identifier)}`;
}

/** The objects on the way to a place, the outermost first. */
function* objectsAround(
  whole: JsonValue | undefined,
  tokens: readonly string[],
): Generator<{ readonly [name: string]: JsonValue }> {
  let value = whole;
  if (isJsonObject(value)) yield value;
  for (const token of tokens) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return;
    value = (value as { readonly [key: string]: JsonValue })[token];
    if (isJsonObject(value)) yield value;
  }
}
