import type { Contract } from '../../../contract/model.ts';
import { isWithin } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { Ranks } from '../memory/ranks.ts';
import { type Case, mediaOf } from '../../model/case.ts';
import { roleOf } from '../../model/step.ts';

/** What is known of the places that records of others hold. */
export interface KnownPlaces {
  readonly contract: Contract;
  readonly ranks: Pick<Ranks, 'of' | 'next'>;
}

/**
 * A case whose body takes the place after all that are held, or none where the contract allows no
 * higher one. Unchanged where the place is what the case tests.
 */
export function withFreePlaces(testCase: Case, { contract, ranks }: KnownPlaces): Case {
  const { operation, request, intent } = testCase;
  const { body } = request;
  const resource = roleOf(contract, operation)?.resource;
  if (resource === undefined || body === undefined || body.kind === 'bytes') return testCase;
  const places = ranks.of(resource);
  if (places.size === 0 || !isJsonObject(body.value)) return testCase;
  const schema = mediaOf(testCase)?.schema;
  const free: Record<string, JsonValue> = { ...body.value };
  for (const name of places.keys()) {
    const property = schema?.flatten().properties.get(name);
    const isTested =
      'at' in intent && property !== undefined && isWithin(intent.at, property.pointer);
    if (isTested || typeof free[name] !== 'number') continue;
    const { maximum = Infinity } = (property && schema?.flatten(property.node).node) ?? {};
    const place = ranks.next(resource, name);
    if (place <= Number(maximum)) free[name] = place;
    else delete free[name];
  }
  return { ...testCase, request: { ...request, body: { ...body, value: free } } };
}

/**
 * Whether a service may read a value as a place at which a record of others stands, or before one:
 * some read `true` as 1, and a text as a number.
 */
export function isTaken(value: JsonValue | undefined, highest: number): boolean {
  return value !== undefined && value !== null && !(Number(value) > highest);
}
