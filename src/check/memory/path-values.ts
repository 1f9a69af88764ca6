import { wholeParameters } from '../../contract/infer/path-groups.ts';
import type { Operation, Resource } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { PathValues } from '../model/record.ts';
import type { Sent, Step } from '../model/step.ts';

const nothingGiven: PathValues = new Map();

/** What the parameters of a request's path held. */
export function pathValues({ case: { operation }, sent }: Step): PathValues {
  return givenPathValues(operation, sent);
}

/** The same of a request that is still to be sent. */
export function givenPathValues(operation: Operation, sent: Sent): PathValues {
  const parameters = parametersOf(operation);
  if (parameters.length === 0) return nothingGiven;
  const values = new Map<number, JsonValue>();
  for (const [{ name, in: place }, value] of sent.arguments) {
    if (place !== 'path') continue;
    for (const parameter of parameters)
      if (parameter.name === name) values.set(parameter.segment, value);
  }
  return values;
}

function parametersOf(operation: Operation): ReturnType<typeof wholeParameters> {
  const parameters = known.get(operation) ?? wholeParameters(operation.path);
  known.set(operation, parameters);
  return parameters;
}

const known = new WeakMap<Operation, ReturnType<typeof wholeParameters>>();

/** Whether the path of a record says what the records of a resource stand below. */
export function standsBelow({ parents }: Resource, values: PathValues): boolean {
  return parents.every(({ segment }) => values.has(segment));
}
