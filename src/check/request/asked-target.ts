import type { Operation, Parameter } from '../../contract/model.ts';
import { basePartsOf } from '../model/base-url.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Intent } from '../model/case.ts';
import type { RequestTemplate, ShownAddress, Source } from '../model/request-template.ts';
import { readPath } from '../reading/read-body.ts';
import type { RequestSender } from './shared-fields.ts';

/**
 * What is needed to write a request. `resolve` returns undefined if the value of a source is not
 * known yet.
 */
export interface Writing extends RequestSender {
  readonly baseUrl: string;
  /**
   * Set if a plan is only described: values that the server will choose are placeholders, which the
   * contract need not allow.
   */
  readonly described?: true;
  /** The intent of the request: it overrides a user's header of the same name. */
  readonly intent?: Intent;
  resolve(source: Source, parameter?: Parameter): JsonValue | undefined;
}

/** The target that replaces the contract's path, if it is known. */
export function askedTarget(
  operation: Operation,
  { locatedBy: create, address }: RequestTemplate,
  { path, writing }: { readonly path: string; readonly writing: Writing },
): { readonly target: string | undefined; readonly unknown: string } | undefined {
  if (create !== undefined)
    return { target: locatedTarget({ operation, create, path }, writing), unknown: 'Location' };
  return address && { target: shownTarget(address, writing), unknown: address.expression };
}

/**
 * The target that the `Location` of a create names, if it has the same origin; undefined if it is
 * the contract's path itself, or elsewhere.
 */
function locatedTarget(
  {
    operation,
    create,
    path,
  }: { readonly operation: Operation; readonly create: string; readonly path: string },
  { baseUrl, resolve }: Writing,
): string | undefined {
  const [location, url] = ['$response.header.Location', '$url'].map((expression) =>
    resolve({ kind: 'link', operation: create, expression, first: true }),
  );
  if (typeof location !== 'string' || typeof url !== 'string' || !URL.canParse(location, url))
    return undefined;
  const { origin, pathname, search } = new URL(location, url);
  const usual = readPath(operation.path, pathname.slice(basePartsOf(baseUrl).path.length));
  const isUsual =
    pathname.startsWith(`${basePartsOf(baseUrl).path}/`) &&
    (usual !== undefined || pathname === `${basePartsOf(baseUrl).path}${path}`);
  return origin === basePartsOf(baseUrl).origin && !isUsual ? `${pathname}${search}` : undefined;
}

/**
 * The address of the next page as the list names it, where it lacks what selects the records: its
 * token may say that too, and what a client follows is the address. Not where it lacks the size of
 * the page, which a service may leave open.
 */
export function followedTarget(
  target: string,
  template: RequestTemplate,
  writing: Writing,
): string | undefined {
  const next = template.arguments.find(({ source }) => source.kind === 'next')?.source;
  if (next?.kind !== 'next' || next.altered === true) return undefined;
  const address = writing.resolve({ ...next, parameter: '' });
  const here = new URL(target, basePartsOf(writing.baseUrl).origin);
  if (typeof address !== 'string' || !URL.canParse(address, here.href)) return undefined;
  const { origin, pathname, search, searchParams } = new URL(address, here);
  const isElsewhere = origin !== here.origin || pathname !== here.pathname;
  const lost = [...here.searchParams.keys()].filter((name) => !searchParams.has(name));
  const ofSize = template.arguments.find(({ source }) => source.kind === 'share')?.parameter.name;
  const isOther = isElsewhere || lost.length === 0 || lost.includes(ofSize ?? '');
  return isOther ? undefined : `${pathname}${search}`;
}

/** The target of an address that an earlier step showed; undefined if it is on another origin. */
function shownTarget(
  { step, operation, expression }: ShownAddress,
  { baseUrl, resolve, described }: Writing,
): string | undefined {
  const [address, url] = [expression, '$url'].map((expected) =>
    resolve({ kind: 'link', operation, expression: expected, step }),
  );
  if (described === true) return `${basePartsOf(baseUrl).path}/%7B${expression.slice(1)}%7D`;
  if (typeof address !== 'string' || typeof url !== 'string' || !URL.canParse(address, url))
    return undefined;
  const { origin, pathname, search } = new URL(address, url);
  return origin === basePartsOf(baseUrl).origin ? `${pathname}${search}` : undefined;
}
