import type { Operation } from '../../../contract/model.ts';

/** Whether a method changes nothing (RFC 9110, section 9.2.1). */
export function isSafe({ method }: Pick<Operation, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
