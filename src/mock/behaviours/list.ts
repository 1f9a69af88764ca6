import type { ListShape, Operation, Resource } from '../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Behaviour, ValidRequest } from '../behaviour.ts';
import { wrapList } from '../records/envelope.ts';
import { filterRecords } from '../records/filter-records.ts';
import { shelfOf } from '../records/find-record.ts';
import { choosePage, readPaging, type Page, type Paging } from '../records/page.ts';
import { presentRecord } from '../records/present-record.ts';
import { recordSeed } from '../records/show-record.ts';
import { readSorting, sortRecords, type Sorting } from '../records/sort-records.ts';
import { makeReply } from '../reply.ts';

/** Answers the records that match, in the order in which they were added unless another is asked for, a page of them. */
export const list: Behaviour = async (request, resource, store) => {
  const shape = resource.list ?? { records: '', filters: [] };
  const { paging, sorting } = readParameters(request.plan.operation);
  const stored = await store.list(shelfOf(request, resource));
  const matches = sortRecords(filterRecords(stored.map(({ record }) => record), shape, request.parameters), sorting, request.parameters);
  const page = choosePage(request, resource, paging, matches);
  if (page.kind === 'fault') return page;
  return makeReply(request.plan.status, showList(cutPage(matches, page), { request, resource, shape, page, total: matches.length }), { total: matches.length });
};

interface ListParameters {
  readonly paging: Paging;
  readonly sorting: Sorting;
}

const known = new WeakMap<Operation, ListParameters>();

function readParameters(operation: Operation): ListParameters {
  const read = known.get(operation) ?? { paging: readPaging(operation), sorting: readSorting(operation) };
  known.set(operation, read);
  return read;
}

function cutPage(matches: readonly JsonObject[], { offset, size }: Page): readonly JsonObject[] {
  return matches.slice(offset, size === undefined ? undefined : offset + size);
}

interface Showing {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly shape: ListShape;
  readonly page: Page;
  readonly total: number;
}

/** Most records are shown as they are kept; only where the whole breaks the contract is each of them made to fit. */
function showList(records: readonly JsonObject[], { request, resource, shape, page, total }: Showing): JsonValue {
  const schema = request.content?.schema;
  if (schema === undefined) return records;
  const body = wrapList(schema, shape.records, { items: records, total, page }, request.requestSeed);
  if (schema.validate(body, 'response').length === 0) return body;
  const items = records.map((record) => presentRecord(resource.record, record, recordSeed(request, record)) ?? record);
  return wrapList(schema, shape.records, { items, total, page }, request.requestSeed);
}
