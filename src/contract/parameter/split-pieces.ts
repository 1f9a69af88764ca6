import type { Entry, Split, SplitInto } from './split.ts';

/**
 * Pieces between delimiters as what they are meant to be: items, or members as `name=value`
 * (exploded) or name and value in turn.
 */
export function gatherPieces(pieces: readonly string[], into: SplitInto, explode: boolean): Split {
  const texts = pieces.length === 1 && pieces[0] === '' ? [] : pieces;
  if (into === 'list') return { kind: 'list', texts };
  if (explode) return { kind: 'members', entries: texts.map(splitEntry) };
  if (texts.length % 2 === 1)
    return {
      kind: 'unreadable',
      message: 'must list names and values in turn, but the last name has no value',
    };
  return {
    kind: 'members',
    entries: texts.flatMap((name, index) =>
      index % 2 === 0 ? [[name, texts[index + 1] ?? ''] as const] : [],
    ),
  };
}

/** `name=value`, or a name alone, whose value is empty. */
export function splitEntry(piece: string): Entry {
  const equals = piece.indexOf('=');
  return equals === -1 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
}

/** The reading of a single value that came more than once. */
export function givenTimes(count: number): Split {
  return { kind: 'unreadable', message: `is given ${count} times` };
}
