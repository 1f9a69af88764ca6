import { describeValue } from './describe-value.ts';
import { edge, type Edge } from './edge.ts';
import { formatTexts } from './format-texts.ts';
import { lengthsOf } from './text-value.ts';
import { textsOfLength } from './text-of-length.ts';
import { greatest, least, placedTexts, type Placed } from './view-keywords.ts';
import type { View } from './view.ts';

/**
 * The valid edges of a text: its lengths in code points, one inside, and unusual ways to write its
 * format.
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
