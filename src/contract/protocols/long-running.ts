import { remember } from '../../remember.ts';
import { wholeParameters } from '../infer/conventions/path-styles.ts';
import { successSchema } from '../infer/conventions/envelope-styles.ts';
import { isSameSchema } from '../infer/record-fields.ts';
import type { Contract, Operation, Parameter, Schema } from '../model.ts';

/** An operation that answers with the promise of a result, and the read that shows the result. */
export interface LongRunning {
  readonly start: Operation;
  readonly read: Operation;
  /** The parameter of the read that takes the name of the promise. */
  readonly parameter: Parameter;
}

/** The members of a promise: its name, whether it is done, one of two results, and what is beside. */
export const promise = {
  name: 'name',
  done: 'done',
  results: ['error', 'response'],
  metadata: 'metadata',
} as const;

const known = new WeakMap<Contract, readonly LongRunning[]>();

/**
 * The long-running operations of a contract (Google AIP-151), read once: a request that is no read
 * answers with an Operation (`google.longrunning.Operation`), which a GET shows by its name.
 */
export function longRunningOf(contract: Contract): readonly LongRunning[] {
  return remember(known, contract, readLongRunning);
}

function readLongRunning({ operations, inference }: Contract): LongRunning[] {
  const promising = operations.flatMap((operation) => {
    const schema = successSchema(operation);
    return schema !== undefined && isPromise(schema) ? [{ operation, schema }] : [];
  });
  const reads = promising.flatMap(({ operation, schema }) => {
    const [last, ...others] = wholeParameters(inference.pathOf(operation)).toReversed();
    const parameter = operation.parameters.find(
      ({ in: location, name }) => location === 'path' && name === last?.name,
    );
    if (operation.method !== 'GET' || parameter === undefined || others.length > 0) return [];
    return [{ read: operation, parameter, schema }];
  });
  return promising
    .filter(({ operation }) => ['POST', 'PATCH', 'PUT', 'DELETE'].includes(operation.method))
    .flatMap(({ operation: start, schema }) => {
      const found = reads.find((one) => isSameSchema(one.schema, schema));
      return found === undefined ? [] : [{ start, read: found.read, parameter: found.parameter }];
    });
}

/** Whether a schema is that of an Operation. */
export function isPromise(schema: Schema): boolean {
  const { properties } = schema.flatten();
  const isOf = (name: string, type: string): boolean => {
    const place = properties.get(name);
    return place !== undefined && schema.flatten(place).types.includes(type);
  };
  return (
    isOf(promise.name, 'string') &&
    isOf(promise.done, 'boolean') &&
    promise.results.every((name) => isOf(name, 'object'))
  );
}
