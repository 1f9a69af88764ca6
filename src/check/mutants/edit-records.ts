import { recordPlace } from '../../contract/infer/conventions/envelope-styles.ts';
import type { Operation, Resource } from '../../contract/model.ts';
import { splitPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Place } from './kind.ts';
import { editAt } from './places.ts';

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
