import type { Resource, LocatedNode, Operation, Schema } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
  stringifyJson,
} from '../../../json/value.ts';
import { bearsMark } from '../../reading/without-others.ts';
import { makeCase, makeSequence } from '../../model/case.ts';
import type { RecordName } from '../../model/record.ts';
import { type Step, hasSuccess } from '../../model/step.ts';
import type { CensusReport } from '../../model/run-summary.ts';
import { executeSequence, type Sender } from '../send/execute-sequence.ts';
import type { RecordGuard } from '../send/record-guard.ts';
import type { Wait } from '../../transport/send.ts';
import {
  type Census,
  type CensusTaking,
  type CountedList,
  type CountedRecord,
  takeCensus,
} from './take-census.ts';
import { successSchema } from '../../../contract/infer/conventions/envelope-styles.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import type { Phase } from '../../model/phase.ts';
import { draftRequest } from '../../plan/draft.ts';
import { draftCase } from '../../plan/plan-context.ts';

export interface CensusWatchParts extends Omit<CensusTaking, 'sender'> {
  readonly guard: RecordGuard;
  /** The id of the run, which the texts of its records contain. */
  readonly mark: string;
  readonly wait: Wait;
}

/** The number of possible changes between two looks at the lists. */
const changesBetweenLooks = 25;
/** The number of lists that a look reads. */
const maxWatched = 4;
/** The number of records that are verified one by one. */
const maxVerified = 20;
/** As many of those that a look has found in no list, and a read at their address, are read again. */
const maxAgain = 2;
/** The pause between two censuses that detect other writers. */
const pauseMs = 300;

/** What a census after the clean-up shows. */
interface CensusOutcome {
  readonly report: CensusReport;
  /** Records that appeared with the mark of the run: its own. */
  readonly own: readonly CountedRecord[];
  /** Records that appeared without it. */
  readonly strangers: readonly CountedRecord[];
  /** All records that the lists show. */
  readonly shown: readonly CountedRecord[];
}

/**
 * Watches the records that a target had before the run changed anything. During the run, it stops
 * all changes if such records vanish; at the end it reports missing and changed ones.
 */
export class CensusWatch {
  readonly #parts: CensusWatchParts;
  #before: Census | undefined;
  readonly #elsewhere = new Set<string>();
  /** The addresses at which nothing was found before any change: a list may show such records. */
  readonly #absent = new Set<string | undefined>();
  /** Records that lists no longer show and reads do, the last one that was looked for at the end. */
  readonly #unlisted = new Set<CountedRecord>();
  #names: ListedNames = new Map();
  #looked = 0;
  #looking: Promise<void> | undefined;
  #isBusy = false;

  constructor(parts: CensusWatchParts) {
    this.#parts = parts;
  }

  /**
   * Reads the lists for the first time, before the first request with a possible change. `judge`
   * receives the responses, which are checked like those of the plan.
   */
  async begin(sender: Sender, judge: NonNullable<CensusTaking['judge']>): Promise<void> {
    if (this.#before === undefined)
      this.#names = await readNames({ ...this.#parts, sender }, 'probe');
    this.#before ??= await takeCensus({ ...this.#parts, sender, judge }, 'probe');
    const all = this.#before.lists.flatMap(({ records }) => [...records.values()]);
    for (const record of all) sender.memory.ownership.see(record);
    for (const [resource, own] of Map.groupBy(all, (record) => record.resource))
      sender.memory.ranks.note(
        resource,
        own.map(({ record }) => record),
      );
  }

  /** Notes which reads show entries of others that no census has looked at. */
  note(step: Step): void {
    const { operation } = step.case;
    const { id, method, path } = operation;
    const { guard, mark, onlyReads } = this.#parts;
    if (method !== 'GET' && onlyReads?.(operation) !== true) return;
    if (guard.changes === 0 && isMissing(step)) this.#absent.add(step.exchange.request.target);
    const entries = shownEntries(step);
    const isEmpty = this.#names.get(`${method} ${path}`)?.size === 0;
    const isCounted = isEmpty || this.#before?.lists.some(({ key }) => key === id) === true;
    // Later ones may be those that the run made, or stand below them.
    const mayBeOwn = guard.changes > 0 && (isCounted || path.includes('{'));
    const isOwn = (entry: JsonValue): boolean =>
      guard.changes > 0 && stringifyJson(entry).includes(mark);
    if (!mayBeOwn && entries.some((entry) => !isOwn(entry)))
      this.#elsewhere.add(`${method} ${path}`);
  }

  /** Reads the lists if a look is due; otherwise undefined. */
  lookWhenDue(sender: Sender): Promise<void> | undefined {
    if (this.#looking !== undefined) return this.#looking;
    const { guard } = this.#parts;
    const isDue = guard.changes - this.#looked >= changesBetweenLooks;
    if (this.#before === undefined || !isDue || guard.stopped !== undefined) return undefined;
    this.#looked = guard.changes;
    this.#looking = this.#look(this.#before, sender).finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #look(before: Census, sender: Sender): Promise<void> {
    const { guard, mark } = this.#parts;
    const owns = (record: RecordName): boolean => guard.isKnown(record);
    const watched = watchedIn(before);
    if (watched.size === 0) return;
    const isWatched = (resource: Resource): boolean => watched.has(resource.name);
    const after = await takeCensus({ ...this.#parts, sender, isWanted: isWatched }, 'probe');
    const missing = findMissing({ before, after, owns });
    const isNew = ({ record }: MissingRecord): boolean => !this.#unlisted.has(record);
    const places = new Map([...this.#unlisted].map((record, place) => [record, place]));
    const again = missing
      .filter((one) => !isNew(one))
      .toSorted((one, other) => (places.get(one.record) ?? 0) - (places.get(other.record) ?? 0));
    const due = [...missing.filter(isNew), ...again.slice(0, maxAgain)];
    const gone = await this.#verify(due, sender);
    if (gone.length === 0) return;
    const appeared = findAppeared({ before, after, mark, owns }).filter(
      ({ isMarked }) => !isMarked,
    );
    this.#isBusy ||= appeared.length > 0;
    const strangers = before.lists.reduce((sum, list) => sum + list.records.size, 0);
    // If other clients write too, some missing records are their deletions; half of all records are
    // not.
    if (this.#isBusy && gone.length * 2 < strangers) return;
    const names = gone
      .slice(0, 3)
      .map(nameOf)
      .map(({ resource, identifier }) => `${resource} ${identifier}`);
    const more = gone.length > 3 ? ` and ${String(gone.length - 3)} more` : '';
    guard.stopChanges(
      `records that were there before the run are gone (${names.join(', ')}${more})`,
    );
  }

  /** Compares the target with its state before, with a sender that ignores budgets. */
  async report(sender: Sender): Promise<CensusOutcome | undefined> {
    const before = this.#before;
    if (before === undefined || this.#parts.guard.changes === 0) return undefined;
    const { guard, mark } = this.#parts;
    const owns = (record: RecordName): boolean => guard.isKnown(record);
    const taking = { ...this.#parts, sender };
    const after = await takeCensus(taking, 'cleanup');
    const gone = await this.#verify(findMissing({ before, after, owns }), sender);
    const differing = findChanged({ before, after, owns });
    const appeared = findAppeared({ before, after, mark, owns });
    const strangers = appeared.filter(({ isMarked }) => !isMarked);
    const isStill = gone.length + differing.length + strangers.length === 0;
    const later = isStill ? after : await this.#readLater(taking);
    const restless = restlessFields({ before: after, after: later, owns: () => false });
    const changed = withoutFields(differing, restless);
    const isBusy = this.#isBusy || this.#isWrittenTo(after, later, restless);
    const count = before.lists.reduce((sum, { records }) => sum + records.size, 0);
    const isElsewhere = count === 0 && this.#elsewhere.size > 0;
    return {
      own: appeared.flatMap(({ record, isMarked }) => (isMarked ? [record] : [])),
      strangers: strangers.map(({ record }) => record),
      shown: after.lists.flatMap(({ records }) => [...records.values()]),
      report: {
        lists: before.lists.length,
        records: count,
        ...(isElsewhere ? { elsewhere: [...this.#elsewhere] } : {}),
        gone: gone.map(nameOf),
        changed,
        appeared: [
          ...appeared.map(({ record, isMarked }) => ({ ...nameOf(record), isMarked })),
          ...(await this.#newNames(taking)),
        ],
        isBusy,
      },
    };
  }

  /** Names that a list shows since the run began: tags that records of the run had, and the like. */
  async #newNames(taking: CensusTaking): Promise<CensusReport['appeared']> {
    if (this.#names.size === 0) return [];
    const after = await readNames(taking, 'cleanup');
    return [...after].flatMap(([resource, names]) => {
      const before = this.#names.get(resource);
      const fresh = before === undefined ? [] : [...names].filter((name) => !before.has(name));
      return fresh.map((identifier) => ({ resource, identifier, isMarked: false }));
    });
  }

  async #readLater(taking: CensusTaking): Promise<Census> {
    await this.#parts.wait(pauseMs, new AbortController().signal);
    return takeCensus(taking, 'cleanup');
  }

  /** Whether the lists change while the run sends nothing, in other fields than `restless` ones. */
  #isWrittenTo(before: Census, after: Census, restless: ReadonlySet<string>): boolean {
    const comparison = { before, after, mark: this.#parts.mark, owns: () => false };
    return (
      findMissing(comparison).length > 0 ||
      findAppeared(comparison).length > 0 ||
      withoutFields(findChanged(comparison), restless).length > 0
    );
  }

  /** The missing records that are really gone: a list may lag, or show them on another page. */
  async #verify(missing: readonly MissingRecord[], sender: Sender): Promise<CountedRecord[]> {
    const verified = missing.slice(0, maxVerified).map(async ({ record, isCertain }) => {
      const seen = await this.#lookFor(record, sender);
      if (this.#unlisted.delete(record) || seen === 'there') this.#unlisted.add(record);
      return seen === 'gone' || (seen === 'unknown' && isCertain) ? [record] : [];
    });
    return (await Promise.all(verified)).flat();
  }

  async #lookFor(record: RecordName, sender: Sender): Promise<'there' | 'gone' | 'unknown'> {
    const look = sender.readOf?.(record);
    if (look === undefined) return 'unknown';
    const title = `whether the record ${String(record.identifier)} is still there`;
    const [step] = (
      await executeSequence(makeSequence(makeCase({ ...look, title, phase: 'probe' })), sender)
    ).steps;
    const wasAbsent = this.#absent.has(step?.exchange.request.target);
    if (step !== undefined && isMissing(step)) return wasAbsent ? 'there' : 'gone';
    return step !== undefined && hasSuccess(step) ? 'there' : 'unknown';
  }
}

/** The resources whose lists are read again during a run: those with records, outermost first. */
function watchedIn({ lists }: Census): ReadonlySet<string> {
  const shown = lists.flatMap(({ records }) => [...records.values()].slice(0, 1));
  const alone = shown.filter(({ resource }) => resource.parents.length === 0);
  return new Set(alone.slice(0, maxWatched).map(({ resource }) => resource.name));
}

function isMissing({ exchange: { response } }: Step): boolean {
  return response?.status === 404 || response?.status === 410;
}

/** The facts that a comparison of records needs. */
interface CensusComparison {
  readonly before: Census;
  readonly after: Census;
  /** The id of the run, which the texts of its records contain. */
  readonly mark: string;
  owns(record: RecordName): boolean;
}

/** A list of both censuses. */
interface Pair {
  readonly before: CountedList;
  readonly after: CountedList;
}

/** A record that is missing from a list, and whether the list alone proves its deletion. */
interface MissingRecord {
  readonly record: CountedRecord;
  readonly isCertain: boolean;
}

/** Records that an earlier census showed and a later one does not. */
export function findMissing({
  before,
  after,
  owns,
}: Omit<CensusComparison, 'mark'>): MissingRecord[] {
  return pairs(before, after).flatMap((pair) => {
    const missing = [...pair.before.records].filter(
      ([key, record]) => !pair.after.records.has(key) && !owns(record),
    );
    const isCertain = pair.after.isWhole && !hasMovedOn(pair, missing.length);
    return missing.map(([, record]) => ({ record, isCertain }));
  });
}

/** Whether as many entries came as went: the list may show the last ones only, as logs do. */
function hasMovedOn({ before, after }: Pair, missing: number): boolean {
  const fresh = [...after.records.keys()].filter((key) => !before.records.has(key));
  return missing > 0 && fresh.length >= missing && after.records.size <= before.records.size;
}

/** Records that both censuses show with different values, except for volatile members. */
export function findChanged({
  before,
  after,
  owns,
}: Omit<CensusComparison, 'mark'>): CensusReport['changed'] {
  return pairs(before, after).flatMap((pair) =>
    [...pair.before.records].flatMap(([key, old]) => {
      const now = pair.after.records.get(key);
      if (now === undefined || owns(old)) return [];
      const fields = differingFields(old.record, now.record);
      return fields.length === 0 ? [] : [{ ...nameOf(old), fields }];
    }),
  );
}

/**
 * Fields that change by themselves, such as the delay of a job: between two censuses without a
 * request of the run they changed in several records, and in at least half of those of a resource.
 */
export function restlessFields(comparison: Omit<CensusComparison, 'mark'>): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { resource, fields } of findChanged(comparison))
    for (const field of fields) {
      const key = `${resource}\n${field}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  const sizes = new Map<string, number>();
  for (const { records } of comparison.before.lists)
    for (const { resource } of records.values())
      sizes.set(resource.name, (sizes.get(resource.name) ?? 0) + 1);
  const isMost = (key: string, count: number): boolean =>
    count > 1 && count * 2 >= (sizes.get(key.slice(0, key.indexOf('\n'))) ?? 0);
  return new Set([...counts].flatMap(([key, count]) => (isMost(key, count) ? [key] : [])));
}

/** The changes of other fields than those that change by themselves. */
function withoutFields(
  changed: CensusReport['changed'],
  restless: ReadonlySet<string>,
): CensusReport['changed'] {
  return changed.flatMap((record) => {
    const fields = record.fields.filter((field) => !restless.has(`${record.resource}\n${field}`));
    return fields.length === 0 ? [] : [{ ...record, fields }];
  });
}

/** Records that only the later census shows and that are not known to belong to the run. */
export function findAppeared({ before, after, mark, owns }: CensusComparison): AppearedRecord[] {
  return pairs(before, after).flatMap((pair) =>
    [...pair.after.records]
      .filter(
        ([key, record]) => !pair.before.records.has(key) && !owns(record) && pair.before.isWhole,
      )
      .map(([, record]) => ({ record, isMarked: bearsMark(record.record, mark) })),
  );
}

/** A record that appeared during a run, and whether it contains the run's mark. */
interface AppearedRecord {
  readonly record: CountedRecord;
  readonly isMarked: boolean;
}

/** The name of a record in a report. */
function nameOf({ resource, identifier }: RecordName): { resource: string; identifier: string } {
  return { resource: resource.name, identifier: String(identifier) };
}

function pairs(before: Census, after: Census): Pair[] {
  const byKey = new Map(after.lists.map((list) => [list.key, list]));
  return before.lists.flatMap((list) => {
    const other = byKey.get(list.key);
    return other === undefined ? [] : [{ before: list, after: other }];
  });
}

/** Names of members that services change themselves: times, counters, entity tags, job states. */
const volatileEndings =
  'time|date|stamp|modified|updated|changed|seen|accessed|etag|' +
  'revision|version|count(?:er)?|size|total|uptime|duration|expires?|serial';
const volatileBeginnings = 'last|num|age$|rev$|execution|running|health|online|connect';
const volatile = new RegExp(`(${volatileEndings})(_?at|_?on|_?by)?$|^(${volatileBeginnings})`, 'i');
const timeName = /[a-z]At$|_at$/;

function isVolatile(name: string): boolean {
  return volatile.test(name) || timeName.test(name);
}

function differingFields(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isVolatile(name) && !isSame(before[name], after[name]));
}

/** Whether two values are equal except for volatile members, at any depth. */
function isSame(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (isJsonObject(before) && isJsonObject(after))
    return differingFields(before, after).length === 0;
  if (isJsonArray(before) && isJsonArray(after)) {
    // An added item may be a record of the run, and does not hide a loss.
    return before.every((item) => after.some((other) => isSame(item, other)));
  }
  return equalJson(before ?? null, after ?? null);
}

/**
 * What a successful answer lists, in any form: the objects and texts of its arrays, and the members
 * of an object that names none of them in advance, with their names.
 */
function shownEntries({ answer, case: { operation }, exchange }: Step): JsonValue[] {
  const value = jsonOf(answer);
  if (value === undefined || !hasSuccess({ exchange })) return [];
  const whole = isJsonObject(value) ? Object.values(value) : [value];
  const listed = whole.flatMap((one) => (isJsonArray(one) ? one.filter(isEntry) : []));
  const { properties } = successSchema(operation)?.flatten() ?? {};
  const isMap = isJsonObject(value) && properties?.size === 0 && whole.every(isJsonObject);
  return isMap ? Object.entries(value).map((entry) => [...entry]) : listed;
}

function isEntry(value: JsonValue): boolean {
  return isJsonObject(value) || typeof value === 'string';
}

/** The names that lists show which have no records: tags, topics; by `GET /tags`. */
type ListedNames = ReadonlyMap<string, ReadonlySet<string>>;

const maxLists = 10;

/** Reads the lists of names alone: texts, or the members of an object. */
async function readNames(
  { contract, seed, sender, maySend }: CensusTaking,
  phase: Phase,
): Promise<ListedNames> {
  const placed = new Set(contract.resources.map(({ collectionPath }) => collectionPath));
  const lists = contract.operations.filter(
    (operation) =>
      operation.method === 'GET' &&
      !operation.path.includes('{') &&
      !placed.has(operation.path) &&
      maySend(operation) &&
      listsNames(operation),
  );
  const names = new Map<string, ReadonlySet<string>>();
  for (const operation of lists.slice(0, maxLists)) {
    const drafted = draftRequest(contract, operation, { seed });
    if (!drafted.ok) continue;
    const { draft } = drafted;
    const asked = draftCase(draft, { title: 'which names there are', phase, record: 'known' });
    const [step] = (await executeSequence(makeSequence(asked), sender)).steps;
    if (step === undefined || !hasSuccess(step)) continue;
    names.set(`GET ${operation.path}`, new Set(namesIn(jsonOf(step.answer))));
  }
  return names;
}

/** Whether the contract says that an operation answers texts, or an object of objects. */
function listsNames(operation: Operation): boolean {
  const schema = successSchema(operation);
  if (schema === undefined) return false;
  const { properties } = schema.flatten();
  const [only, ...others] = [...properties.values()];
  const places = [schema, ...(only !== undefined && others.length === 0 ? [only] : [])];
  return places.some((place) => areNames(schema, place));
}

function areNames(schema: Schema, place: LocatedNode): boolean {
  const flat = schema.flatten(place);
  const isArray = flat.types.includes('array');
  const inner = isArray ? flat.items : flat.others;
  if (typeof inner?.node !== 'object') return false;
  if (flat.types.includes('object') && flat.properties.size > 0) return false;
  const { types } = schema.flatten(inner);
  return types.join() === (isArray ? 'string' : 'object');
}

function namesIn(value: ReturnType<typeof jsonOf>): string[] {
  if (isJsonArray(value)) return value.filter((one) => typeof one === 'string');
  if (!isJsonObject(value)) return [];
  const [only, ...others] = Object.values(value);
  if (others.length === 0 && isJsonArray(only)) return namesIn(only);
  return Object.keys(value);
}
