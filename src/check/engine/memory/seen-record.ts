import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { PathValues, RecordName } from '../../model/record.ts';

/** A record that a response showed. */
export interface SeenRecord {
  readonly record: JsonObject;
  /** Its identifier as text: every deletion searches by it. */
  readonly name: string;
  readonly parents: PathValues;
}

/**
 * Whether a record was shown, and others with its name below other parents, none of which is equal
 * to it: the names repeat from parent to parent.
 */
export function differsElsewhere(
  { identifier, parents }: Pick<RecordName, 'identifier' | 'parents'>,
  known: readonly SeenRecord[],
): boolean {
  const alike = known.filter(({ name }) => name === String(identifier));
  const isHere = (one: SeenRecord): boolean =>
    [...parents].every(([segment, value]) => String(one.parents.get(segment)) === String(value));
  const here = alike.find(isHere);
  const others = alike.filter((one) => !isHere(one));
  return (
    here !== undefined &&
    others.length > 0 &&
    !others.some(({ record }) => equalJson(record, here.record))
  );
}
