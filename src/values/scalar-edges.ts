import { edge, type Edge } from './mutation.ts';
import { formatTexts } from './format-texts.ts';
import type { JsonType } from '../json/json-type.ts';
import { describeValue } from './labelled-value.ts';
import { type GridEnd, gridOf, gridValue, type NumberGrid } from './number-value.ts';
import { lengthsOf, textsOfLength } from './text-value.ts';
import { greatest, least, type Placed, placedTexts, type View } from './view.ts';

/**
 * The valid edges of a text: its minimum and maximum length, one length between them, and unusual
 * texts of its format.
 */
export function textEdges(view: View, name: string): Edge[] {
  const { min, max } = lengthsOf(view);
  const ofLength = (
    length: number,
    valueClass: Edge['valueClass'],
    { pointer }: Placed<unknown>,
  ): Edge => {
    const word =
      valueClass === 'inside-length'
        ? 'one inside the bound'
        : valueClass === 'shortest'
          ? 'the fewest'
          : 'the most';
    return edge(valueClass, pointer, {
      candidates: textsOfLength(view, length, name),
      says: () => `has ${length} ${length === 1 ? 'character' : 'characters'}, ${word}`,
    });
  };
  const lower = greatest(view, 'minLength');
  const upper = least(view, 'maxLength');
  return [
    ...(lower === undefined
      ? []
      : [ofLength(min, 'shortest', lower), ofLength(min + 1, 'inside-length', lower)]),
    ...(upper === undefined
      ? []
      : [ofLength(max, 'longest', upper), ofLength(max - 1, 'inside-length', upper)]),
    ...formatEdges(view),
  ];
}

function formatEdges(view: View): Edge[] {
  return placedTexts(view, 'format').flatMap(({ value: format, pointer }) => {
    const texts = Object.hasOwn(formatTexts, format) ? (formatTexts[format]?.edges ?? []) : [];
    return texts.map((text) =>
      edge('format-edge', pointer, {
        candidates: [text],
        says: (value) => `is ${describeValue(value)}, another way to write ${format}`,
      }),
    );
  });
}

/** The first integer that a double cannot hold. */
export const beyondDoubles = 2n ** 53n + 1n;

/**
 * The valid edges of a number: its bounds and one number between them, the limits of its format,
 * 2^53 + 1, zero.
 */
export function numberEdges(view: View, type: JsonType): Edge[] {
  const grid = gridOf(view, type);
  if (grid === undefined) return [];
  const ends = [grid.low, grid.high].flatMap((end) =>
    end === undefined ? [] : endEdges(grid, end),
  );
  return [...ends, ...exactEdges(view), zeroEdge(view, grid)];
}

function endEdges(grid: NumberGrid, end: GridEnd): Edge[] {
  const inward = end === grid.low ? 1n : -1n;
  const side = end === grid.low ? 'minimum' : 'maximum';
  if (end.keyword === 'format')
    return [numberEdge(grid, end.index, end, 'integer-edge', `the ${side} of its format`)];
  const exclusive = end.keyword.startsWith('exclusive');
  const word = exclusive
    ? `next to ${describeValue(end.bound)}, the exclusive ${side}`
    : `the ${side}`;
  return [
    numberEdge(grid, end.index, end, side, word),
    numberEdge(grid, end.index + inward, end, `inside-${side}`, `one inside the ${side}`),
  ];
}

function numberEdge(
  grid: NumberGrid,
  index: bigint,
  end: GridEnd,
  valueClass: Edge['valueClass'],
  word: string,
): Edge {
  return edge(valueClass, end.pointer, {
    candidates: [gridValue(grid, index)],
    says: (value) => `is ${describeValue(value)}, ${word}`,
  });
}

/** A 64-bit format promises that integers beyond 2^53 survive. */
function exactEdges(view: View): Edge[] {
  const wide = placedTexts(view, 'format').find(
    ({ value }) => value === 'int64' || value === 'uint64',
  );
  if (wide === undefined) return [];
  return [
    edge('integer-edge', wide.pointer, {
      candidates: [beyondDoubles],
      says: () => `is ${beyondDoubles}, which a double does not hold`,
    }),
  ];
}

function zeroEdge(view: View, grid: NumberGrid): Edge {
  const pointer = grid.low?.pointer ?? grid.high?.pointer ?? view.facets[0]?.pointer ?? '';
  return edge('zero', pointer, { candidates: [0], says: () => 'is 0' });
}
