import type { Operation } from '../../contract/model.ts';
import type { Records } from '../../mock/control/record-browser.ts';
import type { RecordKind } from '../../mock/control/record-kinds.ts';

/**
 * Values for the path parameters of an operation that name a record of the session, so that a
 * request with them finds something. Empty if there is no such record.
 */
export async function existingValues(
  { path }: Pick<Operation, 'path'>,
  records: Pick<Records, 'kinds' | 'list'>,
  session: string,
): Promise<ReadonlyMap<string, string>> {
  const segments = path.split('/');
  const above = records.kinds
    .filter((kind) => isAbove(kind, segments))
    .toSorted((left, right) => right.path.length - left.path.length);
  for (const { name, path: collection } of above) {
    const page = await records.list({ session, resource: name }, { offset: 0, limit: 1 });
    const [record] = page?.records ?? [];
    if (record === undefined) continue;
    const names = segments.slice(0, collection.split('/').length + 1).flatMap(parameterOf);
    const ids = [...record.parents, record.id];
    return new Map(names.map((parameter, index) => [parameter, ids[index] ?? '']));
  }
  return new Map();
}

/** Whether the path begins with that of the collection and of one of its records. */
function isAbove({ kind, path }: RecordKind, segments: readonly string[]): boolean {
  const collection = path.split('/');
  return (
    kind === 'collection' &&
    collection.every((segment, index) => isSame(segment, segments[index] ?? '')) &&
    parameterOf(segments[collection.length] ?? '').length > 0
  );
}

/** Parameters of the same place may have different names. */
function isSame(left: string, right: string): boolean {
  return left === right || (parameterOf(left).length > 0 && parameterOf(right).length > 0);
}

function parameterOf(segment: string): string[] {
  const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
  return name === undefined ? [] : [name];
}
