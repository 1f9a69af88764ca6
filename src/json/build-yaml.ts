import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml';
import { EVENT_ID, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import { positionAt, quoteExcerpt } from './json-problem.ts';
import { isJsonArray, isJsonObject, type JsonValue } from './value.ts';

/** Thrown if a document has no JSON value, with the reason and the offset. */
export class YamlFault extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}

/** The maximum nesting of a document, with aliases expanded. */
export const maxYamlDepth = 100;
/** The maximum number of values that aliases repeat. */
const maxRepeatedValues = 100_000;

/**
 * A complete value. `size` and `height` include expanded aliases; `text` is a scalar as written,
 * for use as a key.
 */
interface Node {
  readonly value: JsonValue;
  readonly size: number;
  readonly height: number;
  readonly text?: string;
  readonly isMergeKey?: boolean;
}

/**
 * An open collection. `key` is the key of a mapping whose value follows; `keys` has the position of
 * each key.
 */
interface Frame {
  readonly kind: 'sequence' | 'mapping';
  readonly start: number;
  readonly anchor: string | undefined;
  readonly items: JsonValue[];
  readonly entries: [key: string, value: JsonValue][];
  readonly keys: Map<string, number>;
  /** The members of its merge key; 'open' while its value is incomplete. */
  merged: Entries | 'open' | undefined;
  key: string | undefined;
  size: number;
  height: number;
}

/**
 * Builds the JSON value of a document from parser events. Keys are text as written (`200`, `1.10`);
 * a merge key (`<<`) adds the members of other mappings, which own members override. Throws a
 * `YamlFault` for duplicate keys, unknown tags, recursive aliases, and aliases that repeat more
 * than 100,000 values. With `repair`, what has a plain meaning is read that way and reported
 * instead: of a key that is written twice the members of both, or else the last value; an unknown
 * tag or alias as text; of several documents the first.
 */
export function buildYaml(
  events: readonly Event[],
  source: string,
  repair?: ReportRepair,
): JsonValue {
  return new Builder(source, repair).build(events);
}

/** Called for each repair: a sentence that describes it, and its offset. */
export type ReportRepair = (message: string, offset: number) => void;

class Builder {
  readonly #source: string;
  readonly #repair: ReportRepair | undefined;
  readonly #frames: Frame[] = [];
  readonly #anchors = new Map<string, Node | 'open'>();
  #root: Node | undefined;
  /** Whether a document was read, and another one begins. */
  #isOver = false;
  #repeated = 0;
  #at = 0;

  constructor(source: string, repair: ReportRepair | undefined) {
    this.#source = source;
    this.#repair = repair;
  }

  build(events: readonly Event[]): JsonValue {
    for (const event of events) {
      if (this.#isOver) break;
      this.#take(event);
    }
    if (this.#root === undefined) throw new YamlFault('expected a document, found nothing', 0);
    return this.#root.value;
  }

  #take(event: Event): void {
    this.#at = positionOf(event) ?? this.#at;
    if (event.type === EVENT_ID.DOCUMENT)
      this.#begin(event.directives.some(({ kind }) => kind === 'tag'));
    else if (event.type === EVENT_ID.SCALAR) this.#add(this.#remember(event, this.#scalar(event)));
    else if (event.type === EVENT_ID.ALIAS) this.#add(this.#alias(event));
    else if (event.type === EVENT_ID.POP) this.#close();
    else this.#open(event);
  }

  #begin(hasTagDirective: boolean): void {
    if (this.#root !== undefined) {
      this.#isOver = true;
      this.#refuse('expected one document, found another after it', 'the first is read');
    }
    if (hasTagDirective)
      this.#refuse('a `%TAG` directive has no meaning in JSON; remove it', 'it is ignored');
  }

  /** Throws for a fault, unless it is to be repaired: then it is reported. */
  #refuse(reason: string, instead: string): void {
    if (this.#repair === undefined) throw new YamlFault(reason, this.#at);
    this.#repair(`${reason}; ${instead}`, this.#at);
  }

  #scalar(event: ScalarEvent): Node {
    const text = getScalarValue(this.#source, event);
    const tag = this.#text(event.tagStart, event.tagEnd);
    const isPlain = event.style === SCALAR_STYLE.PLAIN && tag === undefined;
    if (!text.isWellFormed()) throw new YamlFault('the text holds a lone surrogate', this.#at);
    const reading =
      tag !== undefined
        ? resolveTaggedScalar(text, tag)
        : isPlain
          ? resolvePlainScalar(text)
          : { ok: true as const, value: text };
    if (!reading.ok) this.#refuse(reading.reason, 'it is read as text');
    const value = reading.ok ? reading.value : text;
    return { value, size: 1, height: 0, text, isMergeKey: isPlain && text === '<<' };
  }

  #alias(event: AliasEvent): Node {
    const name = this.#text(event.anchorStart, event.anchorEnd) ?? '';
    const node = this.#anchors.get(name);
    if (node === undefined) {
      const alias = `*${name}`;
      this.#refuse(
        `the alias ${quoteExcerpt(alias)} refers to an anchor that is not defined before it`,
        'it is read as text',
      );
      return { value: alias, size: 1, height: 0, text: alias };
    }
    if (node === 'open')
      throw new YamlFault(
        `the alias ${quoteExcerpt(`*${name}`)} is inside the value that it refers to`,
        this.#at,
      );
    this.#repeated += node.size;
    if (this.#repeated > maxRepeatedValues) {
      throw new YamlFault(
        `the aliases repeat more than ${maxRepeatedValues.toLocaleString('en')} values`,
        this.#at,
      );
    }
    this.#checkDepth(node.height);
    return node;
  }

  #open(event: SequenceEvent | MappingEvent): void {
    const kind = event.type === EVENT_ID.SEQUENCE ? 'sequence' : 'mapping';
    const tag = this.#text(event.tagStart, event.tagEnd);
    if (tag !== undefined && !isTagOf(kind, tag)) this.#refuse(unknownTag(tag), 'it is ignored');
    this.#checkDepth(1);
    const anchor = this.#text(event.anchorStart, event.anchorEnd);
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    this.#frames.push({
      kind,
      start: this.#at,
      anchor,
      items: [],
      entries: [],
      keys: new Map(),
      merged: undefined,
      key: undefined,
      size: 1,
      height: 1,
    });
  }

  #close(): void {
    const frame = this.#frames.pop();
    // The last event closes the document itself.
    if (frame === undefined) return;
    const members = Array.isArray(frame.merged)
      ? withMerged(frame.entries, frame.merged as Entries)
      : frame.entries;
    const value = frame.kind === 'sequence' ? frame.items : Object.fromEntries(members);
    const node = { value, size: frame.size, height: frame.height };
    if (frame.anchor !== undefined) this.#anchors.set(frame.anchor, node);
    this.#at = frame.start;
    this.#add(node);
  }

  #add(node: Node): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#root = node;
    else if (frame.kind === 'mapping' && frame.key === undefined)
      frame.key = this.#key(frame, node);
    else this.#addTo(frame, node);
  }

  #addTo(frame: Frame, node: Node): void {
    frame.size += node.size;
    frame.height = Math.max(frame.height, node.height + 1);
    if (frame.merged === 'open') frame.merged = this.#merge(node);
    else if (frame.key === undefined) frame.items.push(node.value);
    else this.#addMember(frame, frame.key, node.value);
    frame.key = undefined;
  }

  /**
   * Only a repaired document has a key twice: the members of both count, or else the last value.
   */
  #addMember(frame: Frame, name: string, value: JsonValue): void {
    const known = this.#repair && frame.entries.find(([earlier]) => earlier === name);
    if (known === undefined) frame.entries.push([name, value]);
    else known[1] = joined(known[1], value);
  }

  #merge({ value }: Node): Entries {
    const merged = mergedEntries(value);
    if (merged === undefined)
      this.#refuse('the merge key `<<` must be a mapping or a list of mappings', 'it is ignored');
    return merged ?? [];
  }

  #key(frame: Frame, { text, value, isMergeKey }: Node): string {
    if (text === undefined)
      throw new YamlFault('a key must be text, but is a list or a mapping', this.#at);
    if (text === '' && value === null) throw new YamlFault('a key is missing before `:`', this.#at);
    const before = frame.keys.get(text);
    if (before !== undefined) {
      const { line } = positionAt(this.#source, before);
      this.#refuse(
        `the key ${quoteExcerpt(text)} is written twice in one mapping, first on line ${line}`,
        'the last value counts, and of two mappings the members of both',
      );
    }
    frame.keys.set(text, this.#at);
    if (isMergeKey === true) frame.merged = 'open';
    return text;
  }

  #remember(event: ScalarEvent, node: Node): Node {
    const anchor = this.#text(event.anchorStart, event.anchorEnd);
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #checkDepth(more: number): void {
    if (this.#frames.length + more > maxYamlDepth)
      throw new YamlFault(
        `lists and mappings are nested more than ${maxYamlDepth} levels deep`,
        this.#at,
      );
  }

  /** A piece of the source; events without one have -1. */
  #text(start: number, end: number): string | undefined {
    return start === -1 ? undefined : this.#source.slice(start, end);
  }
}

function isTagOf(kind: 'sequence' | 'mapping', tag: string): boolean {
  const name = kind === 'sequence' ? 'seq' : 'map';
  return tag === '!' || tag === `!!${name}` || tag === `!<tag:yaml.org,2002:${name}>`;
}

/** The position of an event; empty scalars and ends of collections have none. */
function positionOf(event: Event): number | undefined {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart === -1 ? undefined : event.valueStart;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING
    ? event.start
    : undefined;
}

/** The members of a mapping, in order. */
type Entries = readonly (readonly [key: string, value: JsonValue])[];

/**
 * The members that a merge key (`<<`) adds: those of a mapping, or of each mapping in a list, where
 * the first of equal names applies. YAML 1.1 defined the key, and authors still use it. Undefined
 * for any other value.
 */
function mergedEntries(value: JsonValue): Entries | undefined {
  const sources = isJsonArray(value) ? value : [value];
  const members = new Map<string, JsonValue>();
  for (const source of sources) {
    if (!isJsonObject(source)) return undefined;
    for (const [name, member] of Object.entries(source))
      if (!members.has(name)) members.set(name, member);
  }
  return [...members];
}

/** Merges members into a mapping: its own members override them, in document order. */
function withMerged(own: Entries, merged: Entries): Entries {
  const given = new Set(own.map(([name]) => name));
  return [...merged.filter(([name]) => !given.has(name)), ...own];
}

/** Two mappings that name different members are one; anything else is the later value. */
function joined(earlier: JsonValue, later: JsonValue): JsonValue {
  if (!isJsonObject(earlier) || !isJsonObject(later)) return later;
  const isApart = Object.keys(later).every((name) => !Object.hasOwn(earlier, name));
  return isApart ? { ...earlier, ...later } : later;
}

/** The value of a scalar, or why it has no JSON value. */
type ScalarReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string };

const words: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const integer = /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const noNumber = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/**
 * The value of an unquoted scalar in the core schema of YAML (YAML 1.2.2, section 10.3.2): dates,
 * `yes` and `no` are text. An integer outside ±(2^53 - 1) is a `bigint`; infinities and NaN are
 * refused, because JSON does not have them.
 */
function resolvePlainScalar(text: string): ScalarReading {
  const word = words.get(text);
  if (word !== undefined) return { ok: true, value: word };
  if (noNumber.test(text))
    return {
      ok: false,
      reason: `${quoteExcerpt(text)} is not a JSON value (quote it if it is text)`,
    };
  if (!integer.test(text) && !float.test(text)) return { ok: true, value: text };
  const value = Number(text);
  if (!Number.isFinite(value)) {
    return {
      ok: false,
      reason:
        `the number ${quoteExcerpt(text)} is beyond what a double can hold ` +
        '(quote it if it is text)',
    };
  }
  return {
    ok: true,
    value: Number.isSafeInteger(value) || !integer.test(text) ? value : BigInt(text),
  };
}

const standardTag = /^(?:!!|!<tag:yaml\.org,2002:)(null|bool|int|float)>?$/;

/** The value of a scalar with an explicit tag, such as `!!str 12`. */
function resolveTaggedScalar(text: string, tag: string): ScalarReading {
  if (tag === '!' || tag === '!!str' || tag === '!<tag:yaml.org,2002:str>')
    return { ok: true, value: text };
  const kind = standardTag.exec(tag)?.[1];
  if (kind === undefined) return { ok: false, reason: unknownTag(tag) };
  const reading = resolvePlainScalar(text);
  if (!reading.ok || kindOf(reading.value, kind) === kind) return reading;
  return {
    ok: false,
    reason: `${quoteExcerpt(text)} is not what the tag ${quoteExcerpt(tag)} says`,
  };
}

/** An integer may be tagged as a float, but not the reverse. */
function kindOf(value: JsonValue, expected: string): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'bigint') return 'int';
  if (typeof value === 'number')
    return expected === 'float' || !Number.isInteger(value) ? 'float' : 'int';
  return 'str';
}

/** The reason why a tag is refused. */
function unknownTag(tag: string): string {
  return `the tag ${quoteExcerpt(tag)} has no meaning in JSON; remove it`;
}
