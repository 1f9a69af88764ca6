import { methods, type Contract } from '../../contract/model.ts';
import type { HttpResponse } from '../../http/message.ts';
import { problemResponse } from '../../http/problem.ts';
import { targetLimit } from '../limits.ts';
import { originForm } from './origin-form.ts';
import type { RequestHead } from '../request-head.ts';

const known: ReadonlySet<string> = new Set(methods);

/** HTTP/1.0 and HTTP/1.1 only: Node's parser lets 0.9 and 2.0 through. */
export function knownVersion({ version }: RequestHead): HttpResponse | undefined {
  if (version === '1.1' || version === '1.0') return undefined;
  return problemResponse(400, `The request says HTTP/${version}. This server speaks HTTP/1.1.`);
}

/**
 * Only methods that every path item knows, or this contract adds; others are not implemented (RFC
 * 9110, section 15.6.2).
 */
export function knownMethod(
  { method }: RequestHead,
  contract?: Pick<Contract, 'operations'>,
): HttpResponse | undefined {
  if (
    known.has(method) ||
    contract?.operations.some((operation) => operation.method === method) === true
  )
    return undefined;
  return problemResponse(501, `No operation has the method ${method}.`);
}

/** A target that a server need not take is too long (RFC 9110, section 15.5.15). */
export function boundedTarget({ target }: RequestHead): HttpResponse | undefined {
  if (target.length <= targetLimit) return undefined;
  return problemResponse(
    414,
    `The request target has ${target.length} bytes. At most ${targetLimit} are taken.`,
  );
}

/**
 * A path, an absolute URL, or `*` with OPTIONS (RFC 9112, section 3.2). What the path holds is for
 * the mock to judge.
 */
export function readableTarget({ method, target }: RequestHead): HttpResponse | undefined {
  const path = originForm(target);
  if (path === undefined)
    return problemResponse(
      400,
      'The request target must be a path that starts with "/", without a fragment.',
    );
  if (path === '*' && method !== 'OPTIONS')
    return problemResponse(400, 'The request target "*" goes with OPTIONS only.');
  return undefined;
}
