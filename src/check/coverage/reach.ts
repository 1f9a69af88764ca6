import { splitPointer, type Pointer } from '../../json/pointer.ts';
import type { Showing } from '../../values/labelled-value.ts';
import type { Reach } from '../model/case.ts';

/** What a labelled value shows. */
type Labelled = Pick<Showing, 'valueClass' | 'at'> & {
  readonly also?: readonly Showing[] | undefined;
};

/**
 * What a body with a value in it reaches: the field that the value is for, and whatever else the
 * same body shows.
 */
export function reachedInBody({ valueClass, at, also }: Labelled): Reach[] {
  return showings({ valueClass, at, also }).map((showing) => ({
    in: 'body',
    name: fieldName(showing.at),
    class: showing.valueClass,
  }));
}

/** What a value of a parameter reaches, wherever in the parameter it stands. */
export function reachedInParameter(
  { name, in: place }: { readonly name: string; readonly in: Reach['in'] },
  { valueClass, at, also }: Labelled,
): Reach[] {
  return showings({ valueClass, at, also }).map((showing) => ({
    in: place,
    name,
    class: showing.valueClass,
  }));
}

function showings({ valueClass, at, also = [] }: Labelled): Pick<Showing, 'valueClass' | 'at'>[] {
  return [{ valueClass, at }, ...also];
}

/** A place in a body as the coverage names it: `owner.tags[]`; the body itself is `''`. */
function fieldName(at: Pointer): string {
  return splitPointer(at)
    .map((token, index) => (/^\d+$/.test(token) ? '[]' : index === 0 ? token : `.${token}`))
    .join('');
}
