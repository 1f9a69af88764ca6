import type { Parameter } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { makeRandom, plainUuid } from '../../values/random.ts';

/** An identifier that no record has; `exotic` if a server may refuse to search for it. */
export interface MissingIdentifier {
  readonly value: JsonValue;
  readonly rigour: 'plain' | 'exotic';
}

/**
 * Valid identifiers that no record has: one of usual size, and the largest if the schema promises
 * 64 bits.
 */
export function missingIdentifiers({ schema }: Parameter, seed: string): MissingIdentifier[] {
  const random = makeRandom(`${seed} missing`);
  const { types, node } = schema.flatten();
  const numbers: MissingIdentifier[] = [
    { value: random.integer(1700000000, 2100000000), rigour: 'plain' },
    { value: 9223372036854775000n + BigInt(random.integer(1, 800)), rigour: 'exotic' },
  ];
  const texts: MissingIdentifier[] = [
    { value: plainUuid(random), rigour: 'plain' },
    { value: `missing-${String(random.integer(100000, 999999))}`, rigour: 'plain' },
    { value: String(random.integer(1700000000, 2100000000)), rigour: 'plain' },
  ];
  const candidates =
    types.includes('integer') || types.includes('number')
      ? numbers.slice(0, node.format === 'int32' ? 1 : 2)
      : texts;
  const valid = candidates.filter(({ value }) => schema.accepts(value, 'request'));
  return types.includes('string') ? valid.slice(0, 1) : valid;
}
