import { loadContract } from '../contract/load.ts';
import type { Contract } from '../contract/model.ts';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** A member of the document that is set, or taken out. */
export interface Edit {
  readonly at: Pointer;
  readonly value: JsonValue | undefined;
}

/**
 * Whether the place is in the document itself: what a converter made, or another file holds, cannot
 * be changed there.
 */
export function isWritten(
  document: JsonObject,
  at: Pointer,
  value: JsonValue | undefined,
): boolean {
  const holder = valueAt(
    document,
    splitPointer(at)
      .slice(0, -1)
      .reduce((pointer, token) => joinPointer(pointer, token), ''),
  );
  return (
    isJsonObject(holder) &&
    (value !== undefined || Object.hasOwn(holder, splitPointer(at).at(-1) ?? ''))
  );
}

/** The contract of a document with some changes. */
export async function editContract(
  { document }: Contract,
  edits: readonly Edit[],
): Promise<Contract> {
  // loadContract takes a document that was read already; JSON values are its members.
  return loadContract(
    edits.reduce<JsonValue>(
      (edited, edit) => setAt(edited, splitPointer(edit.at), edit.value),
      document,
    ) as JsonObject,
  );
}

function setAt(
  holder: JsonValue,
  [token, ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonValue {
  if (token === undefined) return value ?? null;
  if (isJsonArray(holder))
    return holder.map((item, index) => (String(index) === token ? setAt(item, rest, value) : item));
  if (!isJsonObject(holder)) return holder;
  if (rest.length > 0) return { ...holder, [token]: setAt(holder[token] ?? {}, rest, value) };
  return value === undefined
    ? Object.fromEntries(Object.entries(holder).filter(([name]) => name !== token))
    : { ...holder, [token]: value };
}
