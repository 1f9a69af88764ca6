import type { JsonValue } from '../../../json/value.ts';
import type { Sent } from '../../model/step.ts';

/**
 * What a request carried for the parameter of a name; undefined where it carried nothing for it.
 */
export function argumentNamed(
  { arguments: given }: Sent,
  name: string | undefined,
): JsonValue | undefined {
  for (const parameter of given.keys()) if (parameter.name === name) return given.get(parameter);
  return undefined;
}
