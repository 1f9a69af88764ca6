import type { Schema } from '../../../contract/model.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../../../json/value.ts';

import { plainValue } from '../../../values/plain-value.ts';
import { schemaAt } from '../../reading/refusal.ts';
import { isCriterion, isKeyLike, isReference } from '../../reading/identifiers.ts';
import { type Rewrite, withoutMark } from '../../reading/request-changes.ts';
import { descriptionOf } from '../../../contract/words/facts.ts';
import type { RefusalHint } from '../../../contract/words/refusal-hints.ts';
import { modelsNamedIn, readRefusal } from '../../../contract/words/refusal-hints.ts';
import { type BodyMember, membersOf } from '../../../json/body-members.ts';

/** One difference from the planned values, by its place. */
export interface ValueChange {
  readonly at: Pointer;
  readonly to: Rewrite;
}

/** The starting point of a search for a request that a service accepts. */
export interface SearchFacts {
  /** The planned values: a body, or the arguments by the names of their parameters. */
  readonly planned: JsonValue;
  /** The schema of the values; undefined if there is none for all of them. */
  readonly schema?: Schema | undefined;
  /** The values of a member in seen records of the same collection, by its name. */
  seen(name: string): readonly JsonValue[];
  /** The same for the records in lists, without their nested objects. */
  listed(name: string): readonly JsonValue[];
  /**
   * Identifiers of the records to which a member of this name refers; those that the text of a
   * refusal describes come first.
   */
  referred(name: string, text?: string): readonly JsonValue[];
  /** The values with a set of changes applied. */
  write(changes: readonly ValueChange[]): JsonValue;
  readonly now: Date;
}

/** As many records are tried in the place of one that is refused. */
const maxRecords = 3;

/** A refusal of the last attempt. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

/**
 * Whether a member identifies records, by its name: unless most listed records share its values,
 * such as the kernels of one language.
 */
function identifiesRecords(name: string, listed: readonly JsonValue[]): boolean {
  const isShared = listed.length > 1 && new Set(listed).size * 2 <= listed.length;
  return isNaming(name) && (!isShared || /^_?(id|uuid|guid)$/i.test(name));
}

/** Names of members that usually identify records. */
export function isNaming(name: string): boolean {
  return (
    isKeyLike(name) ||
    isReference(name) ||
    /^_?id$|name$|title$|label$|alias$|uri$|url$/i.test(name)
  );
}

/**
 * Searches for the nearest request that a service accepts, one change after the other: first the
 * members that the refusal mentions, then the values of existing records, dates around now, and
 * required members only. A change without effect on the refusal is reverted.
 */
export class NeighbourSearch {
  readonly #facts: SearchFacts;
  readonly #tried = new Set<string>();
  readonly #general: (() => readonly ValueChange[])[];
  #changes: readonly ValueChange[] = [];
  #before: { readonly changes: readonly ValueChange[]; readonly text: string } | undefined;

  constructor(facts: SearchFacts, changes: readonly ValueChange[] = []) {
    this.#facts = facts;
    this.#changes = changes;
    this.#general = [
      () => this.#likeSeen(),
      () => this.#dates({ start: -minute, end: day }),
      () => this.#requiredOnly(),
      () => this.#dates({ start: hour, end: day }),
    ];
  }

  /** The changes to try next; undefined if none are left. */
  next({ text, status }: Refusal): readonly ValueChange[] | undefined {
    const said = `${String(status)} ${withoutMark(text)}`;
    if (this.#before?.text === said) this.#changes = this.#before.changes;
    this.#before = { changes: this.#changes, text: said };
    const next = this.#hinted(text) ?? this.#otherRecord(text) ?? this.#nextGeneral();
    if (next !== undefined) this.#changes = next;
    return next;
  }

  #hinted(text: string): readonly ValueChange[] | undefined {
    const body = this.#facts.write(this.#changes);
    for (const hint of readRefusal(text, body, this.#declared())) {
      if (isCriterion(hint.at)) continue;
      for (const to of this.#alternatives(hint, body, text)) {
        const next = this.#fresh([{ at: hint.at, to }]);
        if (next !== undefined) return next;
      }
    }
    return undefined;
  }

  /**
   * Another record than the one that a change, or an object with an identifier, names: it exists
   * and is refused for itself.
   */
  #otherRecord(text: string): readonly ValueChange[] | undefined {
    const named = this.#leaves().filter(({ name, at }) => isKey(name) && called(at) !== '');
    for (const { at, value: before } of [...this.#changes.flatMap(setValue), ...named]) {
      const referred = this.#facts.referred(called(at), text).slice(0, maxRecords);
      const isOfObject = named.some((member) => member.at === at);
      if (!isOfObject && !referred.includes(before)) continue;
      for (const value of referred) {
        const next = this.#fresh([{ at, to: { kind: 'value', value } }]);
        if (next !== undefined) return next;
      }
    }
    return undefined;
  }

  #nextGeneral(): readonly ValueChange[] | undefined {
    for (let make = this.#general.shift(); make !== undefined; make = this.#general.shift()) {
      const next = this.#fresh(make());
      if (next !== undefined) return next;
    }
    return undefined;
  }

  /** The changes with further ones, if the result is valid and was not tried before. */
  #fresh(further: readonly ValueChange[]): readonly ValueChange[] | undefined {
    if (further.length === 0) return undefined;
    const key = stringifyJson(further.map(({ at, to }) => [at, stringifyJson({ ...to })]));
    if (this.#tried.has(key)) return undefined;
    this.#tried.add(key);
    const places = new Set(further.map(({ at }) => at));
    const changes = [...this.#changes.filter(({ at }) => !places.has(at)), ...further];
    const { schema, write, planned } = this.#facts;
    const mayBreak = schema === undefined || !schema.accepts(planned, 'request');
    return mayBreak || schema.accepts(write(changes), 'request') ? changes : undefined;
  }

  *#alternatives(hint: RefusalHint, body: JsonValue, text: string): Generator<Rewrite, void> {
    const name = splitPointer(hint.at).at(-1) ?? '';
    const value = valueAt(body, hint.at);
    const schema = this.#schemaAt(hint.at);
    const seen = this.#facts
      .seen(name)
      .filter((other) => value === undefined || typeof other === typeof value);
    const isOwnName = identifiesRecords(name, this.#facts.listed(name));
    for (const referred of this.#facts.referred(called(hint.at), text).slice(0, 1))
      yield { kind: 'value', value: referred };
    const wanted = hint.words.flatMap((word) => readScalar(word, value ?? sampleOf(schema)));
    if (!isOwnName) for (const other of wanted) yield { kind: 'value', value: other };
    if (value === undefined || typeof value === 'string') {
      if (!isOwnName) {
        for (const word of [...hint.words, ...commonest(seen)])
          yield { kind: 'value', value: word };
      }
      yield* this.#texts(name, text, schema);
    } else if (!isOwnName) {
      for (const other of commonest(seen)) yield { kind: 'value', value: other };
    }
    if (hint.problem === 'missing') {
      const plain = schema && plainValue(schema, { seed: name, direction: 'request', name });
      if (plain?.ok === true) yield { kind: 'value', value: plain.value };
      return;
    }
    if (typeof value === 'number' || typeof value === 'bigint') yield { kind: 'value', value: 1 };
    yield { kind: 'dropped' };
  }

  /** Formats that a text may need: that of a seen text, of a domain or a path, a bare name. */
  *#texts(name: string, text: string, schema: Schema | undefined): Generator<Rewrite, void> {
    const like = (model: string): Rewrite => ({ kind: 'like', model });
    const said = `${text} ${schema === undefined ? '' : descriptionOf(schema.flatten())}`;
    const seen = this.#facts.seen(name).find((value) => typeof value === 'string');
    if (typeof seen === 'string' && isNaming(name)) yield like(seen);
    for (const model of modelsNamedIn(said)) yield like(model);
    if (isFreeText(schema, '') || schema === undefined) yield like('');
  }

  /** Every member as in records of the collection: shared values, formats of names. */
  #likeSeen(): readonly ValueChange[] {
    return this.#leaves().flatMap(({ at, name, value }): ValueChange[] => {
      const seen = this.#facts.seen(name);
      if (identifiesRecords(name, this.#facts.listed(name))) {
        const model = seen.find((text) => typeof text === 'string' && /[^\w-]/.test(text));
        return typeof model === 'string' && typeof value === 'string'
          ? [{ at, to: { kind: 'like', model } }]
          : [];
      }
      const shared = sharedValue(seen.filter((other) => typeof other === typeof value));
      return shared === undefined ? [] : [{ at, to: { kind: 'value', value: shared } }];
    });
  }

  #dates({ start, end }: { readonly start: number; readonly end: number }): ValueChange[] {
    const { now } = this.#facts;
    return this.#leaves().flatMap(({ at, name, value }): ValueChange[] => {
      if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:T|$)/.test(value)) return [];
      const moment = new Date(now.getTime() + (beginnings.test(name) ? start : end));
      const whole = `${moment.toISOString().slice(0, 19)}Z`;
      const text = value.length === 10 ? whole.slice(0, 10) : whole;
      return [{ at, to: { kind: 'value', value: text } }];
    });
  }

  #requiredOnly(): readonly ValueChange[] {
    const { planned, schema } = this.#facts;
    const required = schema?.flatten().required;
    if (!isJsonObject(planned) || required === undefined) return [];
    return Object.keys(planned)
      .filter((name) => !required.has(name) && !isCriterion(`/${name}`))
      .map((name) => ({ at: joinPointer('', name), to: { kind: 'dropped' } }));
  }

  #leaves(): BodyMember[] {
    return membersOf(this.#facts.planned).filter(
      ({ at, value }) => value !== null && typeof value !== 'object' && !isCriterion(at),
    );
  }

  #declared(): string[] {
    return [...(this.#facts.schema?.flatten().properties.keys() ?? [])];
  }

  #schemaAt(at: Pointer): Schema | undefined {
    const { schema } = this.#facts;
    return schema && schemaAt(schema, at);
  }
}

const isKey = (name: string): boolean => /^_?(?:id|uuid)$/i.test(name);

/** The name of what a member refers to: that of the object around it, if it is a mere `id`. */
function called(at: Pointer): string {
  const [last = '', ...above] = splitPointer(at).toReversed();
  return isKey(last) ? (above.find((name) => !/^\d+$/.test(name)) ?? '') : last;
}

function setValue({ at, to }: ValueChange): { readonly at: Pointer; readonly value: JsonValue }[] {
  return to.kind === 'value' ? [{ at, value: to.value }] : [];
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Names of times at which something begins, or has happened. */
const beginnings = /start|begin|from|since|before|creat|issued|updat|modif/i;

/** A value of the type that a schema asks for, where that is a number or a boolean. */
function sampleOf(schema: Schema | undefined): JsonValue {
  const types = schema?.flatten().types ?? [];
  if (types.includes('string')) return '';
  return types.includes('boolean') ? false : 0;
}

/** A word of a refusal as a value of the type that stands in its place. */
function readScalar(word: string, value: JsonValue): JsonValue[] {
  if (typeof value === 'boolean')
    return word === 'true' || word === 'false' ? [word === 'true'] : [];
  return typeof value === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(word) ? [Number(word)] : [];
}

/** The most common values, the most frequent first. */
function commonest(seen: readonly JsonValue[]): JsonValue[] {
  const groups = [...Map.groupBy(seen, (value) => stringifyJson(value)).values()];
  return groups
    .toSorted((left, right) => right.length - left.length)
    .slice(0, maxSeen)
    .flatMap(([value]) => value ?? []);
}

const maxSeen = 2;

/** The value that most records share; undefined if they differ. */
function sharedValue(seen: readonly JsonValue[]): JsonValue | undefined {
  const groups = [...Map.groupBy(seen, (value) => stringifyJson(value)).values()];
  const most = groups.toSorted((left, right) => right.length - left.length)[0];
  const isShared = most !== undefined && (most.length > 1 || groups.length === 1);
  return isShared ? (most[0] ?? undefined) : undefined;
}

/** Whether a text has no further rules, so that any made-up one is a guess. */
function isFreeText(schema: Schema | undefined, value: JsonValue | undefined): boolean {
  if (typeof value !== 'string') return false;
  const node = schema?.flatten().node;
  return (
    node === undefined ||
    (node.enum === undefined && node.const === undefined && node.pattern === undefined)
  );
}
