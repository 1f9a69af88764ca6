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
 * A case whose body takes the place after all that are held; where the contract allows no higher
 * one, none, if it may do without. Unchanged where the place is what the case tests.
 */
export function withFreePlaces(testCase: Case, { contract, ranks }: KnownPlaces): Case {
  const { operation, request, intent } = testCase;
  const resource = roleOf(contract, operation)?.resource;
  if (resource === undefined || ranks.of(resource).size === 0) return testCase;
  const [body, schema] = [request.body, mediaOf(testCase)?.schema];
  if (schema === undefined || body === undefined || body.kind === 'bytes') return testCase;
  if (!isJsonObject(body.value)) return testCase;
  const { properties, required } = schema.flatten();
  const free: Record<string, JsonValue> = { ...body.value };
  for (const name of ranks.of(resource).keys()) {
    const property = properties.get(name);
    if (property === undefined || typeof free[name] !== 'number') continue;
    if ('at' in intent && isWithin(intent.at, property.pointer)) continue;
    const place = ranks.next(resource, name);
    const { maximum = Infinity } = schema.flatten(property).node;
    if (place <= Number(maximum)) free[name] = place;
    else if (!required.has(name)) delete free[name];
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
