import { pathKey, wholeParameters } from '../../../contract/infer/conventions/path-styles.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import { headerValue, isRefusal, isSuccess } from '../../../http/message.ts';
import { isJsonObject, type JsonObject, type JsonValue, isJsonArray } from '../../../json/value.ts';
import { foundInstead } from '../../reading/created-record.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { Case } from '../../model/case.ts';
import type { ChangedRecord, PathValues, RecordName } from '../../model/record.ts';
import { type Sent, type Step, isSafe, isUnguessable, type Answer } from '../../model/step.ts';
import { contentForm } from '../../../http/media-type.ts';

interface Sighting {
  readonly resource: Resource;
  readonly parents: PathValues;
  /** The moment of `Ownership.now` at which a response first showed it. */
  readonly at: number;
}

/**
 * Why a record is the run's own: a create of the run was answered, below somebody's record or below
 * the run's; or it is known from elsewhere.
 */
export type Proof = 'answered' | 'answered below own' | 'known';

/** Where a record stands. */
type BelowName = Pick<RecordName, 'resource' | 'parents'>;

/** Records below different parents hardly share an identifier of this many characters. */
const longIdentifier = 8;

/** Limits the memory for a target with very many records. */
const maxSightings = 20_000;

/**
 * Which records of the target the run created. The run owns a record if a create returned its
 * identifier, and no response to an earlier request showed that identifier.
 */
export class Ownership {
  readonly #shown = new ShownValues();
  readonly #seen = new Map<string, Sighting[]>();
  readonly #own = new Map<string, Sighting[]>();
  #moment = 0;
  #sightings = 0;

  /** The current moment: read it before a request is sent. */
  now(): number {
    return (this.#moment += 1);
  }

  /** Notes every value that the response of a step shows. */
  note(step: Step, isKnown: boolean): void {
    this.#shown.note(step, { at: this.now(), isKnown });
  }

  /** Notes that a response showed a record. */
  see(name: RecordName): void {
    if (this.#sightings >= maxSightings || find(this.#seen, name) !== undefined) return;
    this.#sightings += 1;
    add(this.#seen, name, this.now());
  }

  /** Whether a response showed the record. */
  hasSeen(name: RecordName): boolean {
    return find(this.#seen, name) !== undefined;
  }

  /**
   * Makes a record the run's own, unless a response showed its identifier before the create was
   * sent. A `known` record, such as one from a ledger on disk, is claimed even if it was seen;
   * below a record of the run, only the same record counts as seen.
   */
  claim(name: RecordName, sentAt: number, proof: Proof = 'answered'): boolean {
    if (this.owns(name)) return true;
    if (proof !== 'known' && this.#wasSeen(name, sentAt, proof)) return false;
    add(this.#own, name, sentAt);
    return true;
  }

  #wasSeen(name: RecordName, sentAt: number, proof: Proof): boolean {
    const seen = find(this.#seen, name);
    if (seen !== undefined && seen.at < sentAt) return true;
    const below = pathKey(name.resource.collectionPath);
    return proof === 'answered' && this.#shown.wasShown(name.identifier, { before: sentAt, below });
  }

  /** The records of the run that a record stands below; still so after they are deleted. */
  ownAbove({ resource, parents }: BelowName, resources: readonly Resource[]): RecordName[] {
    const key = pathKey(resource.itemPath ?? resource.collectionPath);
    return resources.flatMap((parent) => {
      const { itemPath, kind } = parent;
      if (kind !== 'collection' || itemPath?.endsWith('}') !== true) return [];
      const identifier = parents.get(itemPath.split('/').length - 2);
      if (identifier === undefined || !key.startsWith(`${pathKey(itemPath)}/`)) return [];
      const name = { resource: parent, identifier, parents };
      return this.owns(name) ? [name] : [];
    });
  }

  /**
   * Whether the run created one record with this identifier below another parent, and no answer had
   * shown the identifier before. A short one may be that of records that no answer showed.
   */
  ownsElsewhere(name: RecordName): boolean {
    const { identifier } = name;
    const [own, ...others] = this.#own.get(keyOf(name)) ?? [];
    const isLong = String(identifier).length >= longIdentifier;
    if (own === undefined || others.length > 0 || !isLong) return false;
    return !this.#shown.wasShown(identifier, { before: own.at, below: '' });
  }

  /** Whether the run created the record; still true after the record is deleted. */
  owns(name: RecordName): boolean {
    const sighting = find(this.#own, name);
    return sighting !== undefined && isSurelySame(sighting, name);
  }
}

function keyOf({ resource, identifier }: Pick<RecordName, 'resource' | 'identifier'>): string {
  return `${resource.collection}\n${String(identifier)}`;
}

function find(
  known: ReadonlyMap<string, readonly Sighting[]>,
  name: RecordName,
): Sighting | undefined {
  return known.get(keyOf(name))?.find((sighting) => standsTogether(sighting, name));
}

/** Whether two names of one identifier can mean one record: no parent of the same path differs. */
function standsTogether(sighting: Sighting, { resource, parents }: RecordName): boolean {
  // Another path to the same set has its parents in other segments.
  if (sighting.resource.name !== resource.name) return true;
  return resource.parents.every(({ segment }) => {
    const [one, other] = [sighting.parents.get(segment), parents.get(segment)];
    return one === undefined || other === undefined || String(one) === String(other);
  });
}

/**
 * Whether a created record is the one that a name of another resource identifies. If it is only
 * assumed that both resources share records, a short identifier proves nothing: it may be that of
 * another record.
 */
function isSurelySame(sighting: Sighting, { resource, identifier }: RecordName): boolean {
  const isAssumed = sighting.resource.sharing === 'assumed' || resource.sharing === 'assumed';
  return (
    sighting.resource.name === resource.name ||
    !isAssumed ||
    isUnguessable(identifier) ||
    (typeof identifier === 'string' && /^(?=.*\d)(?=.*[A-Za-z])[\w-]{16,}$/.test(identifier))
  );
}

function add(known: Map<string, Sighting[]>, name: RecordName, at: number): void {
  const key = keyOf(name);
  const sighting = { resource: name.resource, parents: name.parents, at };
  const same = known.get(key);
  if (same === undefined) known.set(key, [sighting]);
  else same.push(sighting);
}

/**
 * Records that the run did not create and changes only to restore them, each with its previous
 * state.
 */
export class RestorableRecords {
  readonly #originals = new Map<string, JsonValue>();
  readonly #changed = new Map<string, ChangedRecord>();

  /** The records that the run created, as the answers to their creates showed them. */
  readonly #made = new Map<string, JsonValue>();
  readonly #touched = new Set<string>();

  /** Notes a record as the answer to its create showed it. */
  noteMade(name: RecordName, record: JsonValue | undefined): void {
    if (record !== undefined) this.#made.set(keyOf(name), record);
  }

  /** Notes that the run replaced or updated a record. */
  noteTouched(name: Pick<RecordName, 'resource' | 'identifier'>): void {
    this.#touched.add(keyOf(name));
  }

  /** What a record was like when the run created it; undefined if it has not changed since. */
  firstStateOf(name: RecordName): JsonValue | undefined {
    const key = keyOf(name);
    return this.#touched.has(key) ? this.#made.get(key) : undefined;
  }

  /** The changes that were not restored, each with the state before it. */
  get unrestored(): readonly ChangedRecord[] {
    return [...this.#changed.values()];
  }

  /**
   * Adds a step. A change without a complete response may have been made; a refused one was not.
   */
  note({ case: testCase, exchange: { response }, answer }: Step): void {
    const { operation } = testCase;
    const { body } = testCase.request;
    // Without a response, the change neither succeeded nor was refused.
    const status = response?.status ?? 0;
    if (isSafe(operation) && isSuccess(status)) this.#noteRead(operation, jsonOf(answer));
    if (body?.kind !== 'json' || body.onto === undefined || isRefusal(status)) return;
    const original = this.#originals.get(body.onto);
    if (isJsonObject(body.value) && Object.keys(body.value).length === 0) {
      if (isSuccess(status)) this.#changed.delete(body.onto);
    } else if (original !== undefined) this.#changed.set(body.onto, { change: testCase, original });
  }

  #noteRead({ id }: Operation, value: JsonValue | undefined): void {
    if (value !== undefined && !this.#changed.has(id)) this.#originals.set(id, value);
  }
}

/** Distinguishes creates that made a record from those that found one. */
export class CreateAnswers {
  readonly #making = new Set<string>();
  /** When the first record of an operation was created, by the clock of the service. */
  readonly #firstMade = new Map<Operation, number>();

  /**
   * Whether a create returned a record that existed before. It answered 200, and the contract
   * documents 201 beside it, or the same operation has answered 201 before. Or the record was
   * created earlier than the first one that the operation made in this run.
   */
  foundInstead(step: Step, record: JsonObject | undefined): boolean {
    const { case: made, exchange } = step;
    if (exchange.response?.status === 201) this.#making.add(made.operation.id);
    const isFound = foundInstead(step, this.#making);
    return isFound || (record !== undefined && this.#isOlder(made, record));
  }

  #isOlder({ operation, request: { body } }: Case, record: JsonObject): boolean {
    const given =
      body !== undefined && body.kind !== 'bytes' && isJsonObject(body.value) ? body.value : {};
    const time = creationTime(record, given);
    if (time === undefined) return false;
    const first = this.#firstMade.get(operation);
    if (first === undefined) this.#firstMade.set(operation, time);
    return first !== undefined && time < first - clockSkewMs;
  }
}

/** Instances of one service have slightly different clocks. */
const clockSkewMs = 5000;

const creationName = /^(date_?)?(created|creation)(_?(at|on|date|time|timestamp))?$/i;

/** When a record says that it was created; undefined if the request chose that time. */
function creationTime(record: JsonObject, given: JsonObject): number | undefined {
  for (const [name, value] of Object.entries(record)) {
    if (typeof value !== 'string' || !creationName.test(name) || given[name] !== undefined)
      continue;
    const time = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(time)) return time;
  }
  return undefined;
}

const nothingGiven: PathValues = new Map();

/** The values of the parameters in a request's path, by segment. */
export function givenPathValues(operation: Operation, sent: Sent): PathValues {
  const parameters = wholeParameters(operation.path);
  if (parameters.length === 0) return nothingGiven;
  const values = new Map<number, JsonValue>();
  for (const [{ name, in: location }, value] of sent.arguments) {
    if (location !== 'path') continue;
    for (const parameter of parameters)
      if (parameter.name === name) values.set(parameter.segment, value);
  }
  return values;
}

/** Bounds the memory for a target that shows very much, in values. */
const maxValues = 200_000;
/** A longer text is no identifier. */
const maxLength = 200;

/** The headers that show addresses of records (RFC 9110, sections 8.7 and 10.2.2; RFC 8288). */
const addressHeaders = ['location', 'content-location', 'link'];

/** The moment of an answer, and whether the contract says which records it shows. */
interface Noting {
  readonly at: number;
  readonly isKnown: boolean;
}

/** Where a value stands: in the answer to a request on a path. */
interface Place extends Noting {
  readonly path: string;
}

/**
 * Every text that any response of a run showed, wherever it stood, and every number, also as a text
 * of few digits, by the path that showed it; each with the moment of its first appearance. What a
 * response showed before a create was sent is no record of the run, whatever the create answers.
 */
export class ShownValues {
  readonly #texts = new Map<string, number>();
  readonly #numbers = new Map<string, Map<string, number>>();
  #count = 0;

  /**
   * Notes what the response of a step shows, at a moment of `Ownership.now`; without numbers where
   * the records in it are known.
   */
  note(
    { case: { operation }, answer, exchange: { response } }: Step,
    { at, isKnown }: Noting,
  ): void {
    if (response === undefined || this.#isFull) return;
    const place = { at, isKnown, path: pathKey(operation.path) };
    for (const name of addressHeaders) {
      const value = headerValue(response.headers, name);
      if (value !== undefined) this.#addText(value, place);
    }
    if (answer.kind === 'json') this.#addValue(answer.value, place);
    else if (answer.kind === 'bytes' && isText(answer))
      for (const word of words(new TextDecoder().decode(answer.bytes))) this.#addText(word, place);
  }

  /**
   * Whether a response had shown a text before a moment, or a number at or below a path. Once the
   * memory is full, every value counts as shown.
   */
  wasShown(value: JsonValue, { before, below }: { before: number; below: string }): boolean {
    const text = String(value);
    const numbers = [...this.#numbers]
      .filter(([path]) => path === below || path.startsWith(`${below}/`))
      .map(([, known]) => known.get(text));
    const moments = typeof value === 'string' ? [this.#texts.get(text), ...numbers] : numbers;
    return this.#isFull || moments.some((moment) => moment !== undefined && moment < before);
  }

  get #isFull(): boolean {
    return this.#count >= maxValues;
  }

  #addValue(value: JsonValue, place: Place): void {
    // A service may write all numbers as texts.
    const isNumber = typeof value === 'string' && /^\d{1,7}$/.test(value);
    if (isNumber || typeof value === 'number' || typeof value === 'bigint')
      this.#addNumber(value, place);
    else if (typeof value === 'string') this.#addText(value, place);
    else if (isJsonArray(value)) for (const item of value) this.#addValue(item, place);
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value)) {
        this.#addText(name, place);
        this.#addValue(member, place);
      }
  }

  #addNumber(value: number | bigint | string, { path, at, isKnown }: Place): void {
    if (isKnown) return;
    const numbers = this.#numbers.get(path) ?? new Map<string, number>();
    this.#numbers.set(path, numbers);
    this.#add(numbers, String(value), at);
  }

  /** A text, and the segments of an address in it. */
  #addText(text: string, { at }: Place): void {
    this.#add(this.#texts, text, at);
    if (text.includes('/')) for (const word of words(text)) this.#add(this.#texts, word, at);
  }

  #add(moments: Map<string, number>, text: string, at: number): void {
    if (text === '' || text.length > maxLength || this.#isFull || moments.has(text)) return;
    this.#count += 1;
    moments.set(text, at);
  }
}

/** Longer bodies are files. */
const maxBytes = 1_000_000;

function isText({ mediaType, bytes }: Extract<Answer, { kind: 'bytes' }>): boolean {
  const form = contentForm(mediaType ?? 'text/plain');
  return bytes.length <= maxBytes && form !== 'binary' && form !== 'multipart';
}

/** The parts of a text between blanks, quotes and the delimiters of URLs, decoded. */
function words(text: string): string[] {
  return text.split(/[\s"'<>()[\]{},;/?#&=]+/).map((word) => {
    try {
      return decodeURIComponent(word);
    } catch {
      return word;
    }
  });
}
