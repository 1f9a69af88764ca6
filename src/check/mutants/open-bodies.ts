import { closeBody, openBody, openEnvelopes } from '../../contract/infer/open-envelopes.ts';
import { closeRecord, groupsOf, openRecord, recordNode } from '../../contract/infer/record-view.ts';
import type { Contract, MediaTypeSpec, Operation, Resource, Schema } from '../../contract/model.ts';
import { joinPointer, splitPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, isJsonArray } from '../../json/value.ts';
import { recordPlace } from '../../contract/infer/conventions/envelope-styles.ts';
import type { Place } from './kind.ts';
import { editAt } from './places.ts';

/** The first body of an operation as the fields that clients set, without an envelope. */
export function openMedia(contract: Contract, { id }: Operation): MediaTypeSpec | undefined {
  const opened = openEnvelopes(contract).operations.find((operation) => operation.id === id);
  return opened?.requestBody?.content[0];
}

/** The fields in a body; undefined if it has none. */
export function fieldsIn(
  media: MediaTypeSpec | undefined,
  body: JsonValue | undefined,
): JsonObject | undefined {
  const fields =
    media?.envelope === undefined || body === undefined ? body : openBody(media.envelope, body);
  return isJsonObject(fields) ? fields : undefined;
}

/** Fields as a body, in its envelope. */
export function bodyOf(media: MediaTypeSpec | undefined, fields: JsonObject): JsonValue {
  return media?.envelope === undefined ? fields : closeBody(media.envelope, fields);
}

/** The schema of the fields of a record, which may stand in a group (JSON:API 1.1, section 7.2). */
export function recordFieldsOf({ record }: Pick<Resource, 'record'>): Schema {
  const node = recordNode(record, record);
  return node === undefined
    ? record
    : record.part({ node, pointer: joinPointer(record.pointer, 'x-vouch-open') });
}

/** A record with other fields, which may stand in a group. */
export function editFields(
  record: JsonObject,
  resource: Pick<Resource, 'record'>,
  edit: (fields: JsonObject) => JsonObject | undefined,
): JsonObject | undefined {
  const layout = groupsOf(resource.record);
  if (layout === undefined) return edit(record);
  const edited = edit(openRecord(layout, record));
  return edited && closeRecord(layout, edited);
}

/** The record that an answer shows, by its fields; undefined if it shows none. */
export function fieldsShown(
  body: JsonValue | undefined,
  { operation, resource }: { readonly operation: Operation; readonly resource: Resource },
): JsonObject | undefined {
  let shown: JsonObject | undefined;
  if (body !== undefined)
    editFieldsShown(body, { operation, resource }, (fields) => {
      shown = fields;
      return undefined;
    });
  return shown;
}

/** The body of an answer with other fields in its records; undefined if nothing changes. */
export function editFieldsShown(
  body: JsonValue,
  place: { readonly operation: Operation; readonly resource: Resource },
  edit: (fields: JsonObject) => JsonObject | undefined,
): JsonValue | undefined {
  return editShown(body, place, (record) => editFields(record, place.resource, edit));
}

/** An operation whose answers show records of a resource. */
export interface ShowingPlace extends Place {
  readonly resource: Resource;
}

/** The reads and lists of a resource whose records are items of an array, or single. */
export function showingPlaces(resource: Resource): ShowingPlace[] {
  const { read, list } = resource.operations;
  const listed = resource.list?.form === 'array' ? list : undefined;
  return [read, listed].flatMap((operation) =>
    operation === undefined ? [] : [{ operation, resource }],
  );
}

/**
 * The body of a read, a change or a list in which each record that `edit` changes is another one;
 * undefined if it changes none.
 */
export function editShown(
  body: JsonValue,
  { operation, resource }: ShowingPlace,
  edit: (record: JsonObject) => JsonObject | undefined,
): JsonValue | undefined {
  return editAt(body, wayTo(operation, resource), (shown) => {
    if (!isJsonArray(shown)) return isJsonObject(shown) ? edit(shown) : undefined;
    const edited = shown.map((item) => (isJsonObject(item) ? edit(item) : undefined) ?? item);
    return edited.some((item, at) => item !== shown[at]) ? edited : undefined;
  });
}

function wayTo(operation: Operation, { operations, list, record }: Resource): string[] {
  const at = operation === operations.list ? list?.records : recordPlace(operation, record)?.at;
  return splitPointer(at ?? '');
}
