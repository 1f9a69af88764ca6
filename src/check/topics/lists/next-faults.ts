import type { ListShape, Paging, Parameter } from '../../../contract/model.ts';
import { linksKeep } from '../../../contract/words/read-list.ts';
import { parseTarget } from '../../../http/target.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { Violation, Violations, CheckInput } from '../../model/knowledge.ts';
import { countWords, type Step } from '../../model/step.ts';
import { limitOf, type ListPage, pageOf } from '../../reading/list-page.ts';
import { requestedPage, requestedRow, requestsFirstPage } from '../../reading/list-query.ts';
import { totalOf } from '../../reading/list-total.ts';
import type { NamedPage } from '../../reading/next-page.ts';
import { namedPage, namedValue, namesMore, namesNoneOfMore } from '../../reading/next-page.ts';
import { pagesOf } from '../../reading/promised-next.ts';

/** A page of a list with a next link. */
interface Naming {
  readonly subject: CheckInput;
  readonly page: ListPage;
  readonly shape: ListShape;
  readonly next: NamedPage;
  /** The absolute URL, if the link is one. */
  readonly url: URL | undefined;
  readonly at: Pointer;
}

/** The violations of a page's next link; undefined if it has none. */
export function faultsOfNext(subject: CheckInput): Violations {
  const page = pageOf(subject, subject);
  const shape = page?.resource.list;
  const next = page && namedPage(subject);
  if (page === undefined || shape === undefined || next === undefined) return undefined;
  const naming: Naming = {
    subject,
    page,
    shape,
    next,
    url: urlOf(subject, next),
    at: joinPointer(subject.operation.pointer, 'responses'),
  };
  return (
    comesBack(naming) ??
    neverEnds(naming) ??
    leadsBeyond(naming) ??
    loses(naming) ??
    leadsElsewhere(naming) ??
    []
  );
}

function urlOf({ exchange }: Step, { address }: NamedPage): URL | undefined {
  const here = new URL(exchange.request.target, exchange.baseUrl).href;
  return address !== undefined && URL.canParse(address, here) ? new URL(address, here) : undefined;
}

function words({ next: { by, address, value } }: Naming): string {
  return by === 'Link'
    ? `its Link to the next page is ${String(address)}`
    : `the next page that it names is ${String(address ?? value)}`;
}

function asked({ subject }: Naming): string {
  return `A list asked for with ${subject.exchange.request.target.split('?', 2)[1] ?? 'nothing'}`;
}

/** The parameter that selects the page, with its values for this page and the next one. */
function numbers(
  naming: Naming,
): { readonly paging: Paging; readonly from: number; readonly to: number } | undefined {
  const { subject, shape, next } = naming;
  const page = requestedPage(shape, subject);
  // A number alone may mean anything.
  if (page === undefined || page.paging.kind === 'cursor' || next.address === undefined)
    return undefined;
  if (hasToken(naming)) return undefined;
  const [from, to] = [Number(page.value), Number(namedValue(next, page.paging.parameter) ?? NaN)];
  return Number.isFinite(from) && Number.isFinite(to)
    ? { paging: page.paging, from, to }
    : undefined;
}

/**
 * Whether the address of the next page has a parameter that the request did not have, besides those
 * of the page: a token says where it begins, and not the number (`$skiptoken` of OData).
 */
function hasToken({ subject, shape, url }: Naming): boolean {
  if (url === undefined) return false;
  const { target } = subject.exchange.request;
  const known = new Set([
    ...new URL(target, subject.exchange.baseUrl).searchParams.keys(),
    ...shape.paging.map(({ parameter }) => parameter.name),
    shape.limit?.parameter.name,
  ]);
  return [...url.searchParams.keys()].some((name) => !known.has(name));
}

/** A page that links to itself, or to an earlier one. */
function comesBack(naming: Naming): Violation | undefined {
  const { page, at } = naming;
  const cursor = cursorBefore(naming);
  const number = numbers(naming);
  const isLoop =
    page.records.length > 0 && (cursor || (number !== undefined && number.to <= number.from));
  return isLoop
    ? {
        at,
        message: `${asked(naming)} leads back: ${words(naming)}.`,
        expected: 'a page that comes after it',
        actual: 'one that was there before',
        cause: 'loop',
        momentary: true,
      }
    : undefined;
}

/** Whether the next cursor of a page is its own, or that of an earlier page of the walk. */
function cursorBefore({ subject, shape, next }: Naming): boolean {
  const cursor = shape.paging.find(({ kind }) => kind === 'cursor');
  const to = cursor && namedValue(next, cursor.parameter);
  if (cursor === undefined || to === undefined) return false;
  const steps = [...subject.earlier, subject];
  const way = steps.slice(steps.findLastIndex((step) => !isGiven(subject, shape, step)) + 1);
  return way.some((step) => step.sent.arguments.get(cursor.parameter) === to);
}

/**
 * Whether an earlier page of the same selection was requested with a value from the list itself.
 */
function isGiven(subject: CheckInput, shape: ListShape, step: Step): boolean {
  return requestedPage(shape, step)?.given === true && isSameRow(subject, shape, step);
}

function isSameRow(subject: CheckInput, shape: ListShape, step: Step): boolean {
  return (
    step.case.operation === subject.operation &&
    requestedRow(shape, step) === requestedRow(shape, subject)
  );
}

/**
 * A page without records that has a next link. A server that scans records may return an empty
 * page: then only a repeated cursor proves an endless walk.
 */
function neverEnds(naming: Naming): Violation | undefined {
  const { subject, page, at } = naming;
  if (page.records.length > 0) return undefined;
  const counted = numbers(naming) !== undefined;
  if (!counted && !isSecondEmpty(naming)) return undefined;
  const isCertain = counted || pagesOf(subject, page.resource)?.isExact === true;
  return {
    at,
    message: `${asked(naming)} holds no records, and leads on: ${words(naming)}.`,
    expected: 'no next page after one without records',
    actual: 'a next page',
    cause: 'never ends',
    momentary: true,
    ...(isCertain ? {} : { severity: 'warning' as const }),
  };
}

/**
 * A page that ends with the last record of the list, or of those that were asked for on all pages,
 * and names a next page, where the contract says that the last page names none.
 */
function leadsBeyond(naming: Naming): Violation | undefined {
  const { subject, page, shape, at } = naming;
  const pages = pagesOf(subject, page.resource);
  const bound = pages?.bound && subject.sent.arguments.get(pages.bound);
  const total = totalOf(page.resource, subject)?.value ?? bound ?? wholeCount(naming);
  const isAll =
    page.records.length > 0 && total === page.records.length && requestsFirstPage(shape, subject);
  if (!isAll || pages?.isExact !== true) return undefined;
  return {
    at,
    message:
      `${asked(naming)} holds all ${countWords(page.records.length, 'record')} that there ` +
      `are, and leads on: ${words(naming)}.`,
    expected: 'no next page after the last record',
    actual: 'a next page',
    cause: 'beyond the end',
    momentary: true,
  };
}

/** The records of the page that was asked for twice and named no next one: the list stands still. */
function wholeCount({ subject, shape }: Naming): number | undefined {
  const [count, again] = subject.earlier
    .filter((step) => isSameRow(subject, shape, step) && requestsFirstPage(shape, step))
    .slice(-2)
    .map((step) => (namesMore(step) ? undefined : pageOf(subject, step)?.records.length));
  return count === again ? count : undefined;
}

/**
 * A page without records that was asked for as the next one, and names none itself, where the
 * contract says that the last page names no next one.
 */
export function endsInNothing(subject: CheckInput): Violations {
  const page = pageOf(subject, subject);
  const shape = page?.resource.list;
  const before = subject.earlier.at(-1);
  if (page?.records.length !== 0 || shape === undefined || before === undefined) return undefined;
  const isFollowed =
    isGiven(subject, shape, subject) &&
    isSameRow(subject, shape, before) &&
    namesMore(before) &&
    (pageOf(subject, before)?.records.length ?? 0) > 0;
  if (!isFollowed || namesMore(subject) || pagesOf(subject, page.resource)?.isExact !== true)
    return undefined;
  return {
    at: joinPointer(subject.operation.pointer, 'responses'),
    message: 'The page that a list names as the next one has no records, and is the last one.',
    expected: 'no next page after the last record',
    actual: 'a next page without records',
    cause: 'beyond the end',
    momentary: true,
  };
}

/**
 * A page that says that there are more records, and has no token for them where the contract has a
 * place for it. It is shorter than a page may be: it is the last one.
 */
export function promisesInVain(subject: CheckInput): Violations {
  const page = pageOf(subject, subject);
  const size = page && limitOf(page.resource, subject)?.value;
  if (page === undefined || size === undefined || page.records.length >= size) return undefined;
  const { next } = pagesOf(subject, page.resource) ?? {};
  if (next?.by !== 'token' || !namesNoneOfMore(subject)) return undefined;
  return {
    at: joinPointer(subject.operation.pointer, 'responses'),
    message:
      `A page of ${countWords(page.records.length, 'record')}, where ${String(size)} may be on ` +
      'one, says that there are more, and names no next page.',
    expected: 'a next page, or that there are no more records',
    actual: 'more records, and no next page',
    cause: 'more in vain',
    momentary: true,
  };
}

function isSecondEmpty({ subject, shape }: Naming): boolean {
  const before = subject.earlier.at(-1);
  if (before === undefined || ![before, subject].every((step) => isGiven(subject, shape, step)))
    return false;
  return pageOf(subject, before)?.records.length === 0;
}

/**
 * A next URL with a page number that lacks the filters, which a number does not contain, or any URL
 * that lacks what the contract says of it.
 */
function loses(naming: Naming): Violation | undefined {
  const { subject, shape, url } = naming;
  const kinds = shape.paging.flatMap(({ kind, parameter }) =>
    url?.searchParams.has(parameter.name) === true ? [kind] : [],
  );
  const isCounted = kinds.length > 0 && !kinds.includes('cursor');
  const here = parseTarget(subject.exchange.request.target);
  if (
    url === undefined ||
    !here.ok ||
    !url.pathname.endsWith(here.path.slice(here.path.lastIndexOf('/')))
  )
    return undefined;
  const names = [...url.searchParams.keys()];
  const lost = [...subject.sent.arguments].find(
    ([parameter, value]) =>
      here.query.some(([name]) => isNamed(name, parameter)) &&
      !names.some((name) => isNamed(name, parameter)) &&
      ((isCounted && isMeant(shape, parameter, value)) || isTold(naming, parameter, value)),
  );
  if (lost === undefined) return undefined;
  const [parameter, value] = lost;
  return {
    at: parameter.pointer,
    message:
      `${asked(naming)} leads to a page of other records: ${words(naming)}, ` +
      `without ${parameter.name}.`,
    expected: `${parameter.name}=${[value].flat().map(String).join(',')} in it`,
    actual: String(url.search),
    cause: 'next loses it',
    momentary: true,
  };
}

/**
 * Ignores the page parameter; and the page size, unless pages are counted and have another size
 * without it.
 */
function isMeant(
  { limit, paging, filters, ranges, search, sort }: ListShape,
  parameter: Parameter,
  value: JsonValue,
): boolean {
  if (parameter === limit?.parameter)
    return paging[0]?.kind === 'page' && limit.default !== undefined && limit.default !== value;
  return (
    [...filters, ...ranges].some((one) => one.parameter === parameter) ||
    parameter === search ||
    parameter === sort?.by ||
    parameter === sort?.direction
  );
}

/** Whether the contract says that an address keeps a parameter, and its absence is no default. */
function isTold({ subject, shape }: Naming, parameter: Parameter, value: JsonValue): boolean {
  const isPage = shape.paging.some((paging) => paging.parameter === parameter);
  const usual = parameter.schema.flatten().node.default;
  return !isPage && (usual === undefined || usual !== value) && linksKeep(subject, parameter);
}

/** `filter` and `filter[name]`. */
function isNamed(name: string, parameter: Parameter): boolean {
  return name === parameter.name || name.startsWith(`${parameter.name}[`);
}

/**
 * A URL on a host that is neither the requested one nor one of the contract's: it may be the same
 * service, but that is unknown.
 */
function leadsElsewhere(naming: Naming): Violation | undefined {
  const { subject, url, at } = naming;
  const here = new URL(subject.exchange.baseUrl).hostname;
  const known = [
    here,
    ...[...subject.contract.servers, ...subject.operation.servers].flatMap((server) =>
      URL.canParse(server.url) ? [new URL(server.url).hostname] : [],
    ),
  ];
  if (url === undefined || known.some((host) => isRelated(host, url.hostname))) return undefined;
  return {
    at,
    message: `${asked(naming)} leads to another host: ${words(naming)}.`,
    expected: `an address on ${here}, or on a server that the contract names`,
    actual: url.hostname,
    cause: 'another host',
    severity: 'warning',
    momentary: true,
  };
}

/**
 * Whether two hosts are equal or in one domain: a region, or a name within a company, proves
 * little.
 */
function isRelated(left: string, right: string): boolean {
  const isHere = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(host);
  return (
    left === right ||
    (isHere(left) && isHere(right)) ||
    (/[a-z]$/i.test(left) && domainOf(left) === domainOf(right))
  );
}

function domainOf(host: string): string {
  return host.split('.').slice(-2).join('.');
}
