import { VouchError } from '../../errors.ts';
import { decodePercent, describeBrokenPercent } from '../../http/percent.ts';
import type { RecordKind } from '../../mock/control/record-kinds.ts';

/**
 * The records above that a query names, the outermost first: `17/3`. Throws `usage` where there are
 * more than the kind of record stands below, and, where one record is meant, where there are fewer.
 */
export function readParents(
  written: string | undefined,
  kind: RecordKind,
  which: 'one' | 'any',
): string[] {
  const parents = written === undefined ? [] : written.split('/').map(readParent);
  const { name, path, parents: above } = kind;
  if (parents.length > above.length)
    throw new VouchError(
      'usage',
      above.length === 0
        ? `The records of ${name} stand below no others.`
        : `The records of ${name} stand at ${path}, below ` +
            `${countOf(above.length)}; parent names ${String(parents.length)}.`,
      {
        hint:
          above.length === 0 ? 'Leave parent out.' : 'A slash within an identifier is written %2F.',
      },
    );
  if (which === 'one' && parents.length < above.length)
    throw new VouchError(
      'usage',
      `The records of ${name} stand at ${path}, each below ${countOf(above.length)}.`,
      {
        hint:
          'Say below which, by the query parameter parent: ' +
          `${above.map(({ parameter }) => parameter).join('/')}.`,
      },
    );
  return parents;
}

function readParent(text: string): string {
  const parent = decodePercent(text);
  if (parent === undefined) throw new VouchError('usage', `parent ${describeBrokenPercent(text)}.`);
  if (parent !== '') return parent;
  throw new VouchError('usage', 'parent names a record by nothing.', {
    hint: 'Write an identifier, or several with slashes between them: 17/3.',
  });
}

function countOf(count: number): string {
  return count === 1 ? 'another' : `${String(count)} others`;
}
