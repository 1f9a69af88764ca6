import type { Pointer } from '../json/pointer.ts';
import { itemCounts, mostItems } from './build-array.ts';
import type { JsonType } from './json-type.ts';
import { gridOf } from './number-value.ts';
import { lengthsOf, longestText } from './text-value.ts';
import { placedAnything } from './view-keywords.ts';
import type { View } from './view.ts';

/** Why no value was made: the place in the contract, and what stands in the way there. */
export interface BuildProblem {
  readonly pointer: Pointer;
  readonly message: string;
}

/**
 * What stands in the way of a value of this type under this view: the keyword, as far as it can be
 * told.
 */
export function whyImpossible(view: View, type: JsonType): BuildProblem {
  const from = view.rules[0]?.pointer ?? '';
  const blame = (keywords: readonly string[], message: string): BuildProblem => ({
    pointer:
      keywords
        .flatMap((keyword) => placedAnything(view, keyword))
        .map(({ pointer }) => pointer)[0] ?? from,
    message,
  });
  if (view.never !== undefined)
    return { pointer: view.never, message: 'the contract forbids every value here' };
  if (type === 'string') return whyNoText(view, blame);
  if (type === 'array') return whyNoArray(view, blame);
  if ((type === 'number' || type === 'integer') && gridOf(view, type) === undefined) {
    return blame(
      ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'],
      'its bounds leave no number',
    );
  }
  return { pointer: from, message: 'no value could be made that keeps all that is asked here' };
}

type Blame = (keywords: readonly string[], message: string) => BuildProblem;

function whyNoText(view: View, blame: Blame): BuildProblem {
  const { min, max } = lengthsOf(view);
  if (min > max) return blame(['minLength'], 'it is greater than maxLength');
  if (min > longestText)
    return blame(['minLength'], `texts of more than ${longestText} characters are not made`);
  return blame(
    ['pattern', 'format'],
    'no text could be written that matches it and has the right length',
  );
}

function whyNoArray(view: View, blame: Blame): BuildProblem {
  const { min, max } = itemCounts(view);
  if (min > max) return blame(['minItems'], 'it is greater than maxItems');
  if (min > mostItems)
    return blame(['minItems'], `arrays of more than ${mostItems} items are not made`);
  return blame(['uniqueItems', 'items'], 'not enough items could be made');
}
