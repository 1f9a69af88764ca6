import { pagedItemsOf, type PagedItems } from '../../contract/infer/open-lists.ts';
import type { Schema } from '../../contract/model.ts';
import { namesNextPage, pageMembersIn } from '../../contract/protocols/pages.ts';
import { type Pointer, splitPointer, valueAt } from '../../json/pointer.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, membersWhere, stringifyJson } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import { generateBody, judgeContent } from '../answer/generate-body.ts';
import type { AnswerContent, ValidRequest } from '../model/request.ts';
import { type Fault, makeReply, type Reply } from '../model/reply.ts';
import { pageSize, readBeginning, strayCursor } from '../records/read-query.ts';
import { fieldsOf } from '../records/record-fields.ts';
import { describesPages, linkHeader, wrapList } from '../records/show/envelope.ts';

/** How many generated items a list has, where its schema allows as many. */
const itemsOfList = 5;
/** How often more items are generated: a narrow schema has few that differ. */
const rounds = 8;

/**
 * The requested part of a list that is no resource, such as names or the parts of one record: all
 * requests below the same path see one list. Undefined for another operation, and where the
 * contract allows no such response. `known` are the items, where state decides them.
 */
export function showOpenList(request: ValidRequest, known?: JsonArray): Reply | Fault | undefined {
  const { plan, content, sampler } = request;
  const schema = content?.form === 'json' ? content.schema : undefined;
  const paged = schema && pagedItemsOf(plan.operation, schema);
  if (content === undefined || schema === undefined || paged === undefined) return undefined;
  if (sampler !== undefined || plan.assumption?.body !== undefined) return undefined;
  return showPart(request, { ...content, schema }, { ...paged, known });
}

function showPart(
  request: ValidRequest,
  content: AnswerContent & { readonly schema: Schema },
  { list, shape, isZeroDefault, known }: PagedItems & { readonly known: JsonArray | undefined },
): Reply | Fault | undefined {
  const { parameters, plan } = request;
  const asked = pageSize(parameters, shape, isZeroDefault);
  const { after, offset = 0 } = readBeginning(shape, parameters, asked);
  if (after !== undefined) return strayCursor(request, shape);
  const others = generateBody(content, request);
  if (others.kind === 'fault') return undefined;
  const most = list.flatten().node.maxItems ?? known?.length ?? itemsOfList;
  const size = asked !== undefined && asked > most ? most : asked;
  const all = known ?? exampleItems(content, shape.records) ?? itemsOf(request, list);
  const items = all.slice(offset, offset + (size ?? most));
  const page = { total: all.length, offset, size, count: items.length };
  const facts = { items, page, request: request.request, shape, careful: true };
  const body = beside(
    content.schema,
    others.value,
    wrapList(content.schema, facts, request.requestSeed),
  );
  if (content.schema.validate(body, 'response').length > 0) return undefined;
  const link = shape.links ? linkHeader(page, { request: request.request, shape }) : undefined;
  return makeReply(plan.status, body, {
    total: all.length,
    ...(link === undefined ? {} : { headers: [['Link', link]] }),
  });
}

/** The items of the contract's example. */
function exampleItems(content: AnswerContent, at: Pointer): JsonArray | undefined {
  const example = content.examples.find(({ value }) => judgeContent(value, content).length === 0);
  const items = example && valueAt(example.value, at);
  return isJsonArray(items) ? items : undefined;
}

/** Generated items, each of them once. */
function itemsOf({ seed, plan, path }: ValidRequest, list: Schema): JsonArray {
  const items = new Map<string, JsonValue>();
  const own = `${seed} ${plan.operation.id} ${[...path.values()].join(' ')}`;
  for (let round = 0; round < rounds && items.size < itemsOfList; round += 1) {
    const made = plainValue(list, { seed: `${own} ${String(round)}`, direction: 'response' });
    if (!made.ok || !isJsonArray(made.value)) break;
    for (const item of made.value) items.set(stringifyJson(item), item);
  }
  return [...items.values()].slice(0, itemsOfList);
}

/** An object without the member at a place: a page token that was generated leads nowhere. */
function withoutAt(value: JsonObject, [name = '', ...rest]: readonly string[]): JsonObject {
  if (rest.length === 0) return membersWhere(value, (other) => other !== name);
  const inner = value[name];
  if (!isJsonObject(inner)) return value;
  return { ...value, [name]: withoutAt(inner, rest) };
}

/** The page in its envelope, beside the members that say nothing of pages. */
function beside(schema: Schema, others: JsonValue, page: JsonValue): JsonValue {
  if (!isJsonObject(others) || !isJsonObject(page)) return page;
  const fields = fieldsOf(schema);
  const tokens = pageMembersIn(schema).filter(({ name }) => namesNextPage(name));
  const unpaged = tokens.reduce((left, { at }) => withoutAt(left, splitPointer(at)), others);
  const kept = Object.entries(unpaged).filter(([name]) => {
    const field = fields.get(name);
    return field === undefined || !describesPages(field);
  });
  return { ...Object.fromEntries(kept), ...page };
}
