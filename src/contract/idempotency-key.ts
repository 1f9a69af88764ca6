import type { Operation, Parameter } from './model.ts';

/**
 * The header in which an operation takes a key under which it may be sent again
 * (`Idempotency-Key`); undefined where it declares none.
 */
export function idempotencyKey({
  parameters,
}: Pick<Operation, 'parameters'>): Parameter | undefined {
  return parameters.find(isIdempotencyKey);
}

/**
 * Whether a parameter is such a key: one that comes again means a request that comes again, so that
 * no two requests may bear the same.
 */
export function isIdempotencyKey({ in: place, name }: Pick<Parameter, 'in' | 'name'>): boolean {
  return place === 'header' && /^(x-)?idempotency[-_]?key$/i.test(name);
}
