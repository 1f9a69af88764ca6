import type { Mock } from '../../mock/mock.ts';
import type { Claim, ExchangePattern, ConditionName } from './claim.ts';
import { type JournalEntry, sessionOf } from './journal-entry.ts';
import type { Journal } from './journal.ts';
import { redactFor } from './redact.ts';
import { showEntry, type ShownExchange, type ShownInShort, showShortly } from './show-entry.ts';
import { headerValues } from '../../http/message.ts';
import { decodePercent, parseTarget } from '../../http/target.ts';
import { equalJson } from '../../json/equal-json.ts';
import { parseJson } from '../../json/parse-json.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  briefJson,
  isJsonArray,
  isJsonObject,
} from '../../json/value.ts';

/**
 * Exchanges that match a pattern, oldest first, with secrets redacted; only the last ones if there
 * is a limit.
 */
export function readJournal(
  journal: Journal,
  mock: Pick<Mock, 'options'>,
  { pattern, limit }: { readonly pattern: ExchangePattern; readonly limit?: number | undefined },
): { readonly count: number; readonly exchanges: readonly ShownExchange[] } {
  const fitting = journal.list().filter((entry) => findMismatches(entry, pattern).length === 0);
  const redact = redactFor(mock.options);
  const shown = limit === undefined ? fitting : fitting.slice(Math.max(0, fitting.length - limit));
  return { count: fitting.length, exchanges: shown.map((entry) => showEntry(entry, redact)) };
}

/** A near miss of a claim, with its differences as text. */
export type ShownNearMiss = {
  readonly exchange: ShownInShort;
  readonly failed: readonly { readonly condition: string; readonly message: string }[];
};

/** The result of a claim, with secrets redacted. */
export type ShownVerification = {
  readonly verified: boolean;
  readonly count: number;
  readonly message: string;
  readonly forgotten: number;
  readonly fitting: readonly ShownInShort[];
  readonly nearMisses: readonly ShownNearMiss[];
};

/** Verifies a claim against the journal. */
export function holdClaim(
  journal: Journal,
  mock: Pick<Mock, 'options'>,
  claim: Claim,
): ShownVerification {
  const { message, fitting, nearMisses, ...outcome } = verifyClaim(journal.list(), claim);
  const redact = redactFor(mock.options);
  const forgotten = journal.forgotten();
  return {
    ...outcome,
    message:
      forgotten === 0
        ? message
        : `${message} The journal has forgotten ${String(forgotten)} older ones.`,
    forgotten,
    fitting: fitting.map((entry) => showShortly(entry, redact)),
    nearMisses: nearMisses.map(({ entry, failed }) => {
      const own = redact.within(entry.request);
      return {
        exchange: showShortly(entry, own),
        failed: failed.map((mismatch) => ({
          condition: mismatch.condition,
          message: own.sentence(mismatch.message),
        })),
      };
    }),
  };
}

/** A near miss of a claim, with its differences. */
interface NearMiss {
  readonly entry: JournalEntry;
  readonly failed: readonly Mismatch[];
}

/** The result of a claim. */
interface Verification {
  readonly verified: boolean;
  /** The number of matching exchanges. */
  readonly count: number;
  /** The claim and the actual number, in a sentence. */
  readonly message: string;
  /** The last ten matching exchanges, if there are too many. */
  readonly fitting: readonly JournalEntry[];
  /** The nearest misses, if there are too few matching exchanges: at most three, nearest first. */
  readonly nearMisses: readonly NearMiss[];
}

const maxFitting = 10;
const maxMisses = 3;

/** Verifies a claim against the entries of a journal. Pure. */
export function verifyClaim(entries: readonly JournalEntry[], claim: Claim): Verification {
  const judged = entries.map((entry) => ({ entry, failed: findMismatches(entry, claim) }));
  const fitting = judged.filter(({ failed }) => failed.length === 0).map(({ entry }) => entry);
  const { least, max } = boundsOf(claim);
  const verified = fitting.length >= least && fitting.length <= max;
  return {
    verified,
    count: fitting.length,
    message: describe(fitting.length, { least, max, seen: entries.length }),
    fitting: fitting.length > max ? fitting.slice(-maxFitting) : [],
    nearMisses: fitting.length < least ? closest(judged) : [],
  };
}

interface Bounds {
  readonly least: number;
  readonly max: number;
}

function boundsOf({ count, atLeast, atMost }: Claim): Bounds {
  if (count !== undefined) return { least: count, max: count };
  return { least: atLeast ?? (atMost === undefined ? 1 : 0), max: atMost ?? Infinity };
}

function describe(count: number, { least, max, seen }: Bounds & { readonly seen: number }): string {
  const expected =
    least === max
      ? [least === 0 ? 'no' : String(least)]
      : [
          ...(least > 0 ? [`at least ${String(least)}`] : []),
          ...(max < Infinity ? [`at most ${String(max)}`] : []),
        ];
  const last = max < Infinity ? max : least;
  const noun = last > 1 ? 'requests' : 'request';
  return (
    `Expected ${expected.join(' and ')} matching ${noun}, ` +
    `got ${String(count)} (${String(seen)} recorded).`
  );
}

/** Conditions on the operation weigh more than conditions on the content. */
const weights: Readonly<Partial<Record<Mismatch['condition'], number>>> = {
  operation: 4,
  path: 4,
  method: 2,
  session: 2,
  since: 2,
};

function closest(judged: readonly NearMiss[]): NearMiss[] {
  const misses = judged
    .filter(({ failed }) => failed.length > 0)
    .map((miss) => ({ miss, distance: distanceOf(miss) }));
  const sorted = misses.sort(
    (left, right) => left.distance - right.distance || right.miss.entry.id - left.miss.entry.id,
  );
  return sorted.slice(0, maxMisses).map(({ miss }) => miss);
}

function distanceOf({ failed }: NearMiss): number {
  return failed.reduce((sum, { condition }) => sum + (weights[condition] ?? 1), 0);
}

/** A violated condition of an exchange: the requirement and the actual value, as text. */
interface Mismatch {
  readonly condition: ConditionName;
  readonly message: string;
}

/**
 * Returns the violations of an entry as clauses; empty if it matches. Called only if the pattern
 * has the condition.
 */
type Judge = (entry: JournalEntry, pattern: ExchangePattern) => readonly string[];

const judges: Readonly<Record<ConditionName, Judge>> = {
  operation: ({ answer }, { operation }) =>
    mustBe('operation', operation, answer.operation ?? 'none'),
  method: ({ request }, { method }) => mustBe('method', method?.toUpperCase(), request.method),
  path: ({ request }, { path = '' }) =>
    matchesPath(request.target, path)
      ? []
      : [`path must be ${path}, but is ${request.target.split('?', 1)[0] ?? ''}`],
  session: ({ request }, { session }) => mustBe('session', session, sessionOf(request) ?? 'none'),
  status: ({ answer }, { status }) =>
    matchesStatus(answer.status, status)
      ? []
      : [`status must be ${String(status)}, but is ${String(answer.status)}`],
  query: judgeQuery,
  headers: judgeHeaders,
  body: judgeBody,
  since: (entry, { since }) =>
    (typeof since === 'string' ? entry.at >= Date.parse(since) : entry.id > (since ?? 0))
      ? []
      : [
          `exchange ${String(entry.id)} of ${new Date(entry.at).toISOString()} is ` +
            `older than ${String(since)}`,
        ],
};

/** Every condition of a pattern that an entry violates. */
function findMismatches(entry: JournalEntry, pattern: ExchangePattern): Mismatch[] {
  // The keys of the table are condition names.
  const names = Object.keys(judges) as ConditionName[];
  return names.flatMap((condition) => {
    const messages = pattern[condition] === undefined ? [] : judges[condition](entry, pattern);
    return messages.map((message) => ({ condition, message }));
  });
}

/** Whether a status equals the given one, or is in its class (`4XX`). */
function matchesStatus(status: number, expected: number | string | undefined): boolean {
  const text = String(expected).toUpperCase();
  return text === String(status) || text === `${String(Math.trunc(status / 100))}XX`;
}

function mustBe(name: string, expected: string | undefined, seen: string): string[] {
  return expected === seen ? [] : [`${name} must be ${String(expected)}, but is ${seen}`];
}

function matchesPath(target: string, expected: string): boolean {
  const given = (target.split('?', 1)[0] ?? '').split('/');
  const segments = expected.split('/');
  return (
    given.length === segments.length &&
    segments.every(
      (segment, index) =>
        /^(\*|\{[^{}]*\})$/.test(segment) || sameSegment(segment, given[index] ?? ''),
    )
  );
}

function sameSegment(expected: string, given: string): boolean {
  return expected === given || decodePercent(expected) === (decodePercent(given) ?? given);
}

function judgeQuery({ request }: JournalEntry, { query = {} }: ExchangePattern): string[] {
  const target = parseTarget(request.target);
  const pairs = target.ok ? target.query : [];
  return Object.entries(query).flatMap(([name, expected]) => {
    const given = pairs.filter(([key]) => key === name).map(([, value]) => value);
    return missing(expected, given).map(
      (value) => `query ${name} must be ${value}, but is ${given.join(', ') || 'not there'}`,
    );
  });
}

function judgeHeaders({ request }: JournalEntry, { headers = {} }: ExchangePattern): string[] {
  return Object.entries(headers).flatMap(([name, expected]) => {
    const given = headerValues(request.headers, name).map((value) => value.trim());
    return missing(expected, given).map(
      (value) => `header ${name} must be ${value}, but is ${given.join(', ') || 'not there'}`,
    );
  });
}

/** The required values that are missing, as texts. */
function missing(expected: JsonValue, given: readonly string[]): string[] {
  const values = isJsonArray(expected) ? expected : [expected];
  return values.map((value) => String(value)).filter((value) => !given.includes(value));
}

function judgeBody(entry: JournalEntry, { body: expected = null }: ExchangePattern): string[] {
  const { body, headers } = entry.request;
  if (entry.requestSize > body.length)
    return [`body has ${String(entry.requestSize)} bytes, too many to be kept and compared`];
  if (body.length === 0) return [`body is missing; it must be ${briefJson(expected)}`];
  const given = readValue(body, headerValues(headers, 'Content-Type')[0]);
  return differences(given, expected, 'body').slice(0, maxDifferences);
}

/** A body as a JSON value: a form as its fields, anything else as text. */
function readValue(body: Uint8Array, contentType = ''): JsonValue {
  const reading = parseJson(body);
  if (reading.ok) return reading.value;
  const text = new TextDecoder().decode(body);
  if (!/^application\/x-www-form-urlencoded\b/i.test(contentType)) return text;
  const fields = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => [name, only(fields.getAll(name))]),
  );
}

function only(values: readonly string[]): JsonValue {
  return values.length === 1 ? (values[0] ?? '') : values;
}

const maxDifferences = 5;

/**
 * Compares a value with a required one; each difference is a clause: `body.name must be "Max", but
 * is "Rex"`. Objects may have additional members; lists must have the same number of items.
 */
function differences(given: JsonValue | undefined, expected: JsonValue, place: string): string[] {
  if (given === undefined) return [`${place} is missing; it must be ${briefJson(expected)}`];
  if (isJsonObject(expected))
    return isJsonObject(given)
      ? compareMembers(given, expected, place)
      : [`${place} must be an object, but is ${briefJson(given)}`];
  if (isJsonArray(expected))
    return isJsonArray(given)
      ? compareItems(given, expected, place)
      : [`${place} must be a list, but is ${briefJson(given)}`];
  return equalJson(given, expected)
    ? []
    : [`${place} must be ${briefJson(expected)}, but is ${briefJson(given)}`];
}

function compareMembers(given: JsonObject, expected: JsonObject, place: string): string[] {
  return Object.entries(expected).flatMap(([name, value]) =>
    differences(Object.hasOwn(given, name) ? given[name] : undefined, value, `${place}.${name}`),
  );
}

function compareItems(given: JsonArray, expected: JsonArray, place: string): string[] {
  if (given.length !== expected.length)
    return [`${place} must have ${itemsOf(expected)}, but has ${String(given.length)}`];
  return expected.flatMap((value, index) =>
    differences(given[index], value, `${place}[${String(index)}]`),
  );
}

function itemsOf({ length }: JsonArray): string {
  return length === 1 ? '1 item' : `${String(length)} items`;
}
