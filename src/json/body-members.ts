import { joinPointer, type Pointer } from './pointer.ts';
import { isJsonArray, type JsonValue, objectOf } from './value.ts';

/** A member of a body: its place and value. */
export interface BodyMember {
  readonly at: Pointer;
  readonly name: string;
  readonly value: JsonValue;
}

const usualDepth = 4;
const maxMembers = 200;

/** The members of a body, including nested ones, outer ones first. */
export function membersOf(body: JsonValue, deepest = usualDepth): BodyMember[] {
  const found: BodyMember[] = [];
  let layer: readonly Pick<BodyMember, 'at' | 'value'>[] = [{ at: '', value: body }];
  for (let depth = 0; depth < deepest && found.length < maxMembers; depth += 1) {
    const next = layer.flatMap(({ at, value }) =>
      entriesOf(value).map(([name, inner]) => ({ at: joinPointer(at, name), name, value: inner })),
    );
    found.push(...next.slice(0, maxMembers - found.length));
    layer = next;
  }
  return found;
}

function entriesOf(value: JsonValue): [string, JsonValue][] {
  if (isJsonArray(value)) return value.map((item, index) => [String(index), item]);
  return Object.entries(objectOf(value));
}
