import { joinPointer, splitPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../../json/value.ts';
import { hash } from '../model/case.ts';
import type { Blame } from '../model/finding.ts';

/** What makes a finding the same finding from run to run. */
export interface Identity {
  readonly check: string;
  readonly at: Pointer;
  readonly cause: string;
  readonly blame: Blame;
  /** Whether it holds at so many places that the one it was first seen at says nothing. */
  readonly everywhere: boolean;
}

/**
 * The id of a finding: the same whatever the seed, the host, the order of the contract and the rest
 * of it. Only what the finding is about changes it.
 */
export function findingId(
  { check, at, cause, blame, everywhere }: Identity,
  document: JsonValue,
): string {
  const blamed = blame === 'server' ? '' : ` ${blame}`;
  return hash(
    `finding ${check} ${everywhere ? 'everywhere' : steadyPointer(at, document)} ${cause}${blamed}`,
  );
}

/**
 * A pointer in which an item of a list is named by what it says, so that it stays the same when the
 * list gets another order.
 */
export function steadyPointer(pointer: Pointer, document: JsonValue): Pointer {
  let value: JsonValue | undefined = document;
  let list = '';
  return joinPointer(
    '',
    ...splitPointer(pointer).map((token) => {
      const around = value;
      const name = isJsonArray(around) ? nameItem(around, Number(token), list) : token;
      // The keys of an array are its indexes.
      value =
        typeof around === 'object' && around !== null && Object.hasOwn(around, token)
          ? (around as { readonly [key: string]: JsonValue })[token]
          : undefined;
      list = token;
      return name;
    }),
  );
}

function nameItem(items: JsonArray, index: number, list: string): string {
  const named = wordOf(items[index], list);
  if (named !== undefined) return named;
  // What has no name is counted among its like: a reference more or less before it changes nothing.
  const before = items.slice(0, index).filter((item) => wordOf(item, list) === undefined).length;
  return `unnamed ${String(before)}`;
}

function wordOf(item: JsonValue | undefined, list: string): string | undefined {
  if (!isJsonObject(item))
    return item === undefined || isJsonArray(item) ? undefined : String(item);
  const { $ref, name, in: place, url } = item;
  if (typeof $ref === 'string') return $ref;
  if (typeof name === 'string') return typeof place === 'string' ? `${place} ${name}` : name;
  if (typeof url === 'string') return url;
  return list === 'security' ? Object.keys(item).sort().join(' and ') : undefined;
}
