import { joinPointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Schema } from '../model.ts';
import { expectedValue, type ExpectedValue } from '../parameter/expected-value.ts';
import {
  makeTree,
  plant,
  readTree,
  splitBrackets,
  type LeafReading,
  type MemberReading,
} from './member-tree.ts';

/**
 * A form as read, or why it cannot be: a sentence, or a clause of which the field that is wrong is
 * the subject.
 */
export type FormResult =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly message: string; readonly member?: undefined }
  | { readonly ok: false; readonly message: string; readonly member: string };

/** The most fields of a form that are read. */
export const mostFields = 10_000;

type Failure = Extract<FormResult, { readonly ok: false }>;

/** Gathers the fields of a form, and makes the object that its schema expects of them. */
export class FormReader {
  readonly #schema: Schema | undefined;
  readonly #expected: ExpectedValue | undefined;
  readonly #tree = makeTree();
  readonly #ready = new Map<string, JsonValue>();
  #failure: Failure | undefined;

  constructor(schema: Schema | undefined) {
    this.#schema = schema;
    this.#expected = schema && expectedValue(schema);
  }

  /** One field; the first that cannot be read is remembered. */
  add(name: string, reading: LeafReading): void {
    const steps = this.#stepsOf(name);
    if (steps === undefined)
      this.#fail(name, 'has brackets that do not match, or too many of them');
    else if (steps.includes('__proto__')) this.#fail(name, 'has a name that is not allowed');
    else if (!reading.ok) this.#fail(name, reading.message);
    else plant(this.#tree, steps, reading.leaf);
  }

  /** A member that is read already; undefined leaves it out. */
  set(name: string, reading: MemberReading | undefined): void {
    if (reading === undefined) return;
    if (reading.ok) this.#ready.set(name, reading.value);
    else this.#fail(name, reading.message);
  }

  finish(): FormResult {
    const members: [string, JsonValue][] = [...this.#ready];
    for (const [name, tree] of this.#tree.members) {
      if (this.#failure !== undefined) break;
      const reading = readTree(tree, this.expected(name));
      if (reading.ok) members.push([name, reading.value]);
      else this.#fail(name, reading.message);
    }
    return this.#failure ?? { ok: true, value: Object.fromEntries(members) };
  }

  /** What the schema expects of a member; whatever comes, where it says nothing. */
  expected(name: string): ExpectedValue {
    return this.#expected?.member(name) ?? anything;
  }

  /** The schema of a property. */
  property(name: string): Schema | undefined {
    const flat = this.#schema?.flatten();
    const place = flat?.properties.get(name);
    if (this.#schema === undefined || flat === undefined) return undefined;
    if (place !== undefined) return this.#schema.part(place);
    const rest = flat.node.additionalProperties;
    return typeof rest === 'object'
      ? this.#schema.part({
          node: rest,
          pointer: joinPointer(flat.pointer, 'additionalProperties'),
        })
      : undefined;
  }

  /** Brackets belong to the name where the schema has it so. */
  #stepsOf(name: string): readonly string[] | undefined {
    return this.#expected?.names.has(name) === true ? [name] : splitBrackets(name);
  }

  #fail(member: string, message: string): void {
    this.#failure ??= { ok: false, member, message };
  }
}

const anything: ExpectedValue = {
  types: new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']),
  layout: 'open',
  names: new Set(),
  isClosed: false,
  item: () => anything,
  member: () => anything,
};
