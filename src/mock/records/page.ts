import type { Operation, Parameter, Resource } from '../../contract/model.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import type { JsonObject } from '../../json/value.ts';
import { normaliseName } from '../../values/named-texts.ts';
import type { ValidRequest } from '../behaviour.ts';
import { nameParameter } from '../errors/describe-issue.ts';
import { makeFault, type Fault } from '../errors/fault.ts';
import { parameterKey } from '../request/read-parameters.ts';
import { textOf } from './find-record.ts';

/** How a list is cut into pages, by the names and types of its query parameters. */
export interface Paging {
  readonly offset: Parameter | undefined;
  readonly page: Parameter | undefined;
  readonly cursor: Parameter | undefined;
}

/** A part of a list: where it begins, and how many records it may hold (undefined: all). */
export interface Page {
  readonly kind: 'page';
  readonly offset: number;
  readonly size: number | undefined;
}

/** Recognises the parameters by which pages are asked for. */
export function readPaging(operation: Operation): Paging {
  const find = (names: RegExp, type: string): Parameter | undefined =>
    operation.parameters.find((parameter) => parameter.in === 'query' && names.test(normaliseName(parameter.name)) && parameter.schema.flatten().types.includes(type));
  return {
    offset: find(/^(offset|skip|startindex|from)$/, 'integer'),
    page: find(/^(page|pagenumber|pageindex|pageno)$/, 'integer'),
    cursor: find(/^(cursor|after|startingafter|pagetoken|nexttoken|continuationtoken)$/, 'string'),
  };
}

/** The page that a request asks for, or why there is none. */
export function choosePage(request: ValidRequest, resource: Resource, paging: Paging, matches: readonly JsonObject[]): Page | Fault {
  const size = pageSize(request, resource);
  const offset = integerOf(request, paging.offset);
  if (offset !== undefined) return { kind: 'page', offset: Math.max(0, offset), size };
  const page = integerOf(request, paging.page);
  if (page !== undefined && size !== undefined) return { kind: 'page', offset: Math.max(0, page - firstPage(paging.page)) * size, size };
  const cursor = paging.cursor && request.parameters.get(parameterKey(paging.cursor));
  if (paging.cursor === undefined || typeof cursor !== 'string' || cursor === '') return { kind: 'page', offset: 0, size };
  const begin = afterCursor(cursor, resource, matches);
  if (begin !== undefined) return { kind: 'page', offset: begin, size };
  const message = `${nameParameter({ place: 'query', name: paging.cursor.name })} must be one that this list gave, but is ${quoteExcerpt(cursor)}.`;
  return makeFault('parameter-value', 'invalid_value', message, { issues: [{ place: 'query', name: paging.cursor.name, rule: 'cursor', message }] });
}

function pageSize({ parameters }: ValidRequest, { list }: Resource): number | undefined {
  const limit = list?.limit;
  const given = limit && parameters.get(parameterKey(limit.parameter));
  return typeof given === 'number' ? given : limit?.default;
}

function integerOf({ parameters }: ValidRequest, parameter: Parameter | undefined): number | undefined {
  const value = parameter && parameters.get(parameterKey(parameter));
  // An offset beyond 2^53 is as far beyond the end as one of 2^53.
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined;
}

/** Pages are counted from 1, unless the contract lets them begin at 0. */
function firstPage(parameter: Parameter | undefined): number {
  const node = parameter?.schema.flatten().node;
  return node?.minimum === 0 || node?.default === 0 ? 0 : 1;
}

const ownCursor = /^offset-(\d{1,15})$/;

/** A cursor that a list gives for its next page. */
export function makeCursor(offset: number): string {
  return `offset-${String(offset)}`;
}

/** Where the list goes on: after a cursor of our own, or after the record of that identifier, as some contracts have it. */
function afterCursor(cursor: string, { identifier }: Resource, matches: readonly JsonObject[]): number | undefined {
  const offset = ownCursor.exec(cursor)?.[1];
  if (offset !== undefined) return Number(offset);
  const index = matches.findIndex((record) => textOf(record[identifier.field] ?? '') === cursor);
  return index === -1 ? undefined : index + 1;
}
