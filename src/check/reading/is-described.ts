import { splitTarget } from '../../http/target.ts';
import { basePartsOf } from '../model/base-url.ts';
import type { Step } from '../model/step.ts';
import { readPath } from './read-body.ts';

/**
 * Whether the contract describes the answer to a request: not to a method that it does not declare,
 * nor at an address in an answer that leads to the bytes of a file and not to a record.
 */
export function isDescribed({
  case: { intent, operation, request },
  exchange: { baseUrl, request: sent },
  answer,
}: Step): boolean {
  if (intent.kind === 'method') return false;
  if (request.locatedBy === undefined && request.address === undefined) return true;
  if (answer.kind !== 'bytes') return true;
  const { path: base } = basePartsOf(baseUrl);
  const { path } = splitTarget(sent.target);
  return (
    path.startsWith(`${base}/`) && readPath(operation.path, path.slice(base.length)) !== undefined
  );
}
