import type { Contract, Operation } from '../../../contract/model.ts';
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
    if (resource !== undefined && identifier !== undefined)
      this.#takers.set(keyOf(resource.collection, identifier), operation);
  }

  /**
   * The operation that took what a suspicion is about; undefined if a part of it, or all, is about
   * other records.
   */
  takerOf({ steps, violation: { places = [] } }: Suspicion): Operation | undefined {
    const step = steps.at(-1);
    if (step === undefined || places.length === 0) return undefined;
    if (tookInvalidBody(step)) return step.case.operation;
    const resource = this.#takers.size > 0 && roleOf(this.#contract, step.case.operation)?.resource;
    if (!resource) return undefined;
    const { collection, identifier } = resource;
    const named = this.#takers.get(keyOf(collection, identifierOf(resource, step) ?? null));
    const value = jsonOf(step.answer);
    const takers = places.map((place) => {
      for (const around of objectsAround(value, splitPointer(place))) {
        const taker = this.#takers.get(keyOf(collection, around[identifier.field] ?? null));
        if (taker !== undefined) return taker;
      }
      return named;
    });
    return takers.every((taker) => taker !== undefined) ? takers[0] : undefined;
  }
}

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
