import { canonical, objectOf, type Json } from './json.ts';
import type { CensusRecord, Kind } from './service.ts';

/** A record of others that is not what it was. */
export interface ChangedRecord {
  readonly kind: string;
  readonly id: string;
  /** The members that differ, with what was and what is. */
  readonly members: Readonly<Record<string, { readonly before: Json; readonly after: Json }>>;
}

/** What differs between two readings of one service. */
export interface CensusDifference {
  readonly gone: readonly CensusRecord[];
  readonly changed: readonly ChangedRecord[];
  /** Records that exist now and did not before, without those of kinds that are not left. */
  readonly left: readonly CensusRecord[];
}

/** Compares what a service held before a run with what it holds afterwards. */
export function compareCensus(
  before: readonly CensusRecord[],
  after: readonly CensusRecord[],
  kinds: readonly Kind[],
): CensusDifference {
  const known = new Map(before.map((record) => [keyOf(record), record]));
  const found = new Map(after.map((record) => [keyOf(record), record]));
  const notLeft = new Set(
    kinds.filter((kind) => kind.notLeft !== undefined).map(({ name }) => name),
  );
  return {
    gone: before.filter((record) => !found.has(keyOf(record))),
    changed: before.flatMap((record) => changeOf(record, found.get(keyOf(record)))),
    left: after.filter((record) => !known.has(keyOf(record)) && !notLeft.has(record.kind)),
  };
}

/** A text that only this record has. */
export function keyOf({ kind, id }: Pick<CensusRecord, 'kind' | 'id'>): string {
  return JSON.stringify([kind, id]);
}

function changeOf(before: CensusRecord, after: CensusRecord | undefined): ChangedRecord[] {
  if (after === undefined || textOf(before.content) === textOf(after.content)) return [];
  const [was, is] = [membersOf(before.content), membersOf(after.content)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const differing = names.filter((name) => textOf(was[name] ?? null) !== textOf(is[name] ?? null));
  const members = Object.fromEntries(
    differing.map((name) => [name, { before: was[name] ?? null, after: is[name] ?? null }]),
  );
  return [{ kind: before.kind, id: before.id, members }];
}

/** The members of an object; anything else is one member without a name. */
function membersOf(content: Json): { readonly [name: string]: Json } {
  const isObject = content !== null && typeof content === 'object' && !Array.isArray(content);
  return isObject ? objectOf(content) : { '': content };
}

function textOf(content: Json): string {
  return JSON.stringify(canonical(content));
}
