import { plainName } from '../../../contract/infer/infer-names.ts';
import type { JsonObject } from '../../../json/value.ts';

const maxAttempts = 5;

/** The names and titles of the records of one list, which people tell them apart by. */
export class Labels {
  readonly #taken = new Set<string>();
  /** Those that other seeds give too, such as an example of the contract. */
  readonly #fixed = new Set<string>();

  /** A record with a label that no earlier one has, as far as a few seeds give one. */
  distinct(seed: string, make: (seed: string) => JsonObject | undefined): JsonObject | undefined {
    let made = make(seed);
    let label = made && labelOf(made);
    for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
      if (label === undefined || !this.#taken.has(label) || this.#fixed.has(label)) break;
      const next = make(`${seed} other ${String(attempt)}`);
      const other = next && labelOf(next);
      if (other === label) this.#fixed.add(label);
      if (other === undefined || other === label) break;
      [made, label] = [next, other];
    }
    if (label !== undefined) this.#taken.add(label);
    return made;
  }
}

function labelOf(record: JsonObject): string | undefined {
  const found = Object.entries(record).find(
    ([name, value]) =>
      typeof value === 'string' && /^(full|display)?(name|title|label)$/.test(plainName(name)),
  );
  return typeof found?.[1] === 'string' ? found[1] : undefined;
}
