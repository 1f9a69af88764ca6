import { plainName } from '../contract/infer/infer-names.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** A record whose fields are to agree, and those of them that may change. */
export class RelatedFields {
  readonly #values: Map<string, JsonValue>;
  readonly #plain: ReadonlyMap<string, string>;
  readonly #mayChange: (name: string, value: JsonValue) => boolean;

  constructor(record: JsonObject, mayChange: (name: string, value: JsonValue) => boolean) {
    this.#values = new Map(Object.entries(record));
    this.#plain = new Map(Object.keys(record).map((name) => [plainName(name), name]));
    this.#mayChange = mayChange;
  }

  /** The fields whose normalised name matches, with that name. */
  named(pattern: RegExp): [name: string, value: JsonValue][] {
    return this.where((plain) => pattern.test(plain));
  }

  /** The fields whose normalised name is meant, with that name. */
  where(isMeant: (plain: string) => boolean): [name: string, value: JsonValue][] {
    const found: [name: string, value: JsonValue][] = [];
    for (const [plain, name] of this.#plain) {
      const value = isMeant(plain) ? this.#values.get(name) : undefined;
      if (value !== undefined) found.push([plain, value]);
    }
    return found;
  }

  /** Changes a field, if it may have that value. */
  set(plain: string, value: JsonValue): boolean {
    const name = this.#plain.get(plain) ?? plain;
    if (this.#values.get(name) === value) return true;
    if (!this.#mayChange(name, value)) return false;
    this.#values.set(name, value);
    return true;
  }

  /** How many fields there are. */
  get size(): number {
    return this.#values.size;
  }

  toRecord(): JsonObject {
    return Object.fromEntries(this.#values);
  }
}
