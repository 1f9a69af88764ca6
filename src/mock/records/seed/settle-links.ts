import { plainName } from '../../../contract/infer/infer-names.ts';
import { addressPath, readAddress, rewriteAddress } from '../../../contract/infer/read-address.ts';
import type { Resource } from '../../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { keyOf } from '../identifier/full-name.ts';
import { visible } from '../show/present-record.ts';
import { fieldsOf } from '../record-fields.ts';
import { isOfAll, openNames, selfNames } from '../show/item-url.ts';

/** How deep the link of a record to itself stands: `/_links/self/href`. */
const deepest = 3;

/**
 * A record whose links to itself lead to it, not to the record of an example. As it is where its
 * schema does not allow that.
 */
export function settleLinks(
  record: JsonObject,
  resource: Resource,
  resources: readonly Resource[] = [],
): JsonObject {
  const { identifier, record: schema } = resource;
  const path = addressPath(resource);
  const named = record[identifier.field];
  if (path === undefined || named === undefined || named === null) return record;
  const id = keyOf(resource, named);
  const own = withOwn(record, { path, id }, { resource, resources });
  const settled = settle(own, { path, id, way: [] });
  return settled === record || schema.validate(visible(settled), 'response').length > 0
    ? record
    : settled;
}

/** The record with its address where the document has one example of it for all resources. */
function withOwn(
  record: JsonObject,
  { path, id }: Pick<Place, 'path' | 'id'>,
  { resource, resources }: { readonly resource: Resource; readonly resources: readonly Resource[] },
): JsonObject {
  const url = path.replace(/\{[^{}]+\}$/, encodeURIComponent(id));
  const own = [...fieldsOf(resource.record).values()].filter(
    (field) =>
      [selfNames, openNames].some((names) => names.test(field.normalised)) &&
      Object.hasOwn(record, field.name) &&
      isOfAll(field, resources) &&
      field.schema.accepts(url, 'response'),
  );
  return own.length === 0 || url.includes('{')
    ? record
    : { ...record, ...Object.fromEntries(own.map(({ name }) => [name, url])) };
}

interface Place {
  readonly path: string;
  readonly id: string;
  readonly way: readonly string[];
}

function settle(part: JsonObject, { path, id, way }: Place): JsonObject {
  let settled = part;
  for (const [name, before] of Object.entries(part)) {
    const place = { path, id, way: [...way, name] };
    const after = isJsonObject(before) ? settleDeeper(before, place) : settledText(before, place);
    if (after !== before) settled = { ...settled, [name]: after };
  }
  return settled;
}

function settleDeeper(part: JsonObject, place: Place): JsonObject {
  return place.way.length < deepest ? settle(part, place) : part;
}

function settledText(text: JsonValue, { path, id, way }: Place): JsonValue {
  const [own = ''] = way;
  // `href` in another member may lead to another record of the same kind.
  const isOwn =
    way.includes('self') ||
    (way.length === 1 && [selfNames, openNames].some((names) => names.test(plainName(own))));
  const values = isOwn && typeof text === 'string' ? readAddress(path, text) : undefined;
  if (values === undefined || typeof text !== 'string') return text;
  const last = Math.max(...values.keys());
  return rewriteAddress(path, text, (at) => (at === last ? id : values.get(at))) ?? text;
}
