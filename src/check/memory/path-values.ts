import { wholeParameters } from '../../contract/infer/path-groups.ts';
import type { Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Step } from '../subject.ts';

/** What the parameters of a record's path hold, by the segment that each fills, counted from 0. */
export type PathValues = ReadonlyMap<number, JsonValue>;

const nothingGiven: PathValues = new Map();

/** What the parameters of a request's path held. */
export function pathValues({ case: { operation }, sent }: Step): PathValues {
  const parameters = wholeParameters(operation.path);
  if (parameters.length === 0) return nothingGiven;
  const given = new Map([...sent.arguments].flatMap(([{ name, in: place }, value]) => (place === 'path' ? [[name, value] as const] : [])));
  return new Map(parameters.flatMap(({ name, segment }) => {
    const value = given.get(name);
    return value === undefined ? [] : [[segment, value] as const];
  }));
}

/** Whether the path of a record says what the records of a resource stand below. */
export function standsBelow({ parents }: Resource, values: PathValues): boolean {
  return parents.every(({ segment }) => values.has(segment));
}
