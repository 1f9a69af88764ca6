import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';

/** A value that a JSONPath selects, with the way to it. */
export interface PathNode {
  readonly value: JsonValue;
  /** The node of the array or object that contains it; undefined for the whole value. */
  readonly holder?: PathNode;
  /** Its name or index there. */
  readonly key?: string | number;
}

export function pointerOf(node: PathNode): Pointer {
  const tokens: (string | number)[] = [];
  for (let at: PathNode | undefined = node; at?.key !== undefined; at = at.holder)
    tokens.push(at.key);
  return joinPointer('', ...tokens.reverse());
}
