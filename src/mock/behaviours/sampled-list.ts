import type { ListShape, Resource, Schema } from '../../contract/model.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import { makeMemoryStore } from '../../store/local-store.ts';
import type { Condition, MaybePromise, StoredRecord } from '../../store/store.ts';
import { makeValue } from '../answer/generate-body.ts';
import type { Preferences, ValidRequest } from '../model/request.ts';
import type { Fault, Reply } from '../model/reply.ts';
import { collectionOf, textOf } from '../records/find-record.ts';
import { parentTexts, withParents } from '../records/parent-fields.ts';
import { readQuery } from '../records/read-query.ts';
import { itemSchema, listedArray } from '../records/show/listed-item.ts';
import { list } from './list.ts';

/** How many records a generated list has, on all its pages. */
const recordsOfList = 20;

/**
 * Generated records as a list shows stored ones: filtered, sorted, in pages, and with counts that
 * are right. Undefined for a request that wants nothing generated or another answer, or lists no
 * records.
 */
export function sampleList(
  request: ValidRequest,
  { code, example }: Preferences,
): MaybePromise<Reply | Fault> | undefined {
  const { sampler, content, plan } = request;
  const isUsual = example === undefined && (code === undefined || code === plan.status);
  if (sampler === undefined || !isUsual || plan.role?.action !== 'list') return undefined;
  const { resource } = plan.role;
  const shape = resource.list;
  const item = content?.schema && shape && itemSchema(content.schema, shape);
  const form = item && listedArray(item, shape?.item ?? '');
  if (shape === undefined || form === undefined) return undefined;
  const records = makeRecords(request, resource, form, shape);
  if (records.length === 0) return undefined;
  const store = makeMemoryStore();
  return store
    .seed(new Map([[collectionOf(request, resource).name, records]]))
    .then(() => list({ request, resource, store }));
}

/** Records with different identifiers; every second one is what the request filters by. */
function makeRecords(
  request: ValidRequest,
  resource: Resource,
  form: Schema,
  shape: ListShape,
): StoredRecord[] {
  const { where, offset, after } = readQuery(request, resource, shape);
  const seed = seedOfPages(request, offset === 0 && after === undefined);
  const parents = parentTexts(request, resource);
  const found = new Map<string, StoredRecord>();
  for (let index = 0; index < recordsOfList; index += 1) {
    const made = makeValue(form, request, `${seed} ${String(index)}`);
    if (!made.ok || !isJsonObject(made.value)) continue;
    const below = withParents(made.value, resource, parents);
    const record = index % 2 === 0 ? withFilters(below, where, form) : below;
    const id = textOf(record[resource.identifier.field] ?? index);
    if (!found.has(id)) found.set(id, { id, record });
  }
  return [...found.values()];
}

const newSeed = (): { pages: string | undefined } => ({ pages: undefined });

/** The first page of a list is new each time, and the others continue it. */
function seedOfPages({ plan, requestSeed }: ValidRequest, isFirst: boolean): string {
  const last = plan.derive(newSeed);
  if (isFirst || last.pages === undefined) last.pages = requestSeed();
  return last.pages;
}

/** A record with the values that a request filters by, as far as the schema allows them. */
function withFilters(record: JsonObject, where: readonly Condition[], form: Schema): JsonObject {
  return where.reduce((held, condition) => {
    if (condition.op !== 'in' || condition.values[0] === undefined) return held;
    if (!Object.hasOwn(held, condition.field)) return held;
    const changed = { ...held, [condition.field]: condition.values[0] };
    return form.validate(changed, 'response').length === 0 ? changed : held;
  }, record);
}
