import { readAddress } from '../../../contract/infer/read-address.ts';
import type { Contract, Resource } from '../../../contract/model.ts';
import { evaluateExpression } from '../../../contract/runtime-expression.ts';
import { isRefusal } from '../../../http/message.ts';
import { compareDecimals, isDecimalText } from '../../../json/decimal.ts';
import { equalJson } from '../../../json/equal-json.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../json/value.ts';
import { valueAt } from '../../../json/pointer.ts';
import { makeRandom, hex, plainUuid } from '../../../values/random.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { momentOf } from '../../reading/distance.ts';
import {
  createdIdentifier,
  creates,
  identifierOf,
  isIdentifier,
} from '../../reading/created-record.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import type { PathValues, RecordName } from '../../model/record.ts';
import type { Source } from '../../model/request-template.ts';
import { roleOf, type Step, hasSuccess } from '../../model/step.ts';
import { givenPathValues } from './ownership.ts';
import { factsOf } from '../../reading/expression-facts.ts';

/** The known records: those that the sequence listed, and those that the run has seen. */
export interface KnownRecords {
  readonly resource: Resource;
  readonly seen: readonly JsonObject[];
  readonly earlier: readonly Step[];
}

/**
 * The value of a field in the first record that the sequence showed, otherwise of those seen; or
 * the last item of the first that has several, or the one in the middle, as `of` says.
 */
export function fieldValue(
  source: Extract<Source, { kind: 'field' }>,
  known: KnownRecords,
  contract: Contract,
): JsonValue | undefined {
  const value = valueIn(source, known, contract);
  if (typeof value !== 'string') return value;
  if (source.offset !== undefined) return atOffset(value, source.offset);
  return source.day === true ? value.slice(0, 10) : value;
}

/** The same moment, written so many hours from UTC; undefined of what is no moment. */
function atOffset(text: string, hours: number): string | undefined {
  const at = /T.*(?:Z|[-+]\d\d:\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  const local = new Date(at + hours * 3_600_000).toISOString().slice(0, -1);
  const sign = hours < 0 ? '-' : '+';
  return `${local}${sign}${String(Math.abs(hours)).padStart(2, '0')}:00`;
}

function valueIn(
  source: Extract<Source, { kind: 'field' }>,
  { resource, seen, earlier }: KnownRecords,
  contract: Contract,
): JsonValue | undefined {
  const near = earlier.flatMap((step) => {
    const role = roleOf(contract, step.case.operation);
    return role?.resource === resource && (source.own !== true || role.action !== 'list')
      ? (listedRecords(resource, step.answer) ??
          [shownRecord(resource, step.answer)].filter((record) => record !== undefined))
      : [];
  });
  const { field, of } = source;
  if (of === 'middle') {
    const known = near.length > 0 ? near : seen;
    const before = sentBefore(
      earlier,
      (one) =>
        one.kind === 'field' &&
        one.of === 'middle' &&
        one.resource === resource.name &&
        one.field === field,
    );
    return before ?? middleOf(known.flatMap((record) => singleValues(record, field)));
  }
  if (of === 'part' || of === 'beginning') return partOf(source, near.length > 0 ? near : seen);
  const values = [...near, ...seen].map((record) => singleValues(record, field));
  if (of === 'behind') return values.find((items) => items.length > 1)?.at(-1);
  const [own = [], ...others] = values
    .map((items) => items.filter((value) => value !== null))
    .filter((items) => items.length > 0);
  return of === 'other'
    ? others.flat().find((value) => own.every((one) => !equalJson(value, one)))
    : own[0];
}

/**
 * The value of a field that some records have and others do not: of the records in the first list
 * of the sequence, otherwise of those seen. Within a sequence it stays the same; undefined if no
 * record has the field.
 */
export function heldValue(
  { field, resource: name, least, otherThan }: Extract<Source, { kind: 'held' }>,
  { resource, seen, earlier }: KnownRecords,
): JsonValue | undefined {
  const before = sentBefore(
    earlier,
    (source) =>
      source.kind === 'held' &&
      source.resource === name &&
      source.field === field &&
      source.least === least,
  );
  if (before !== undefined) return before;
  const first = earlier.find(
    ({ case: { operation }, exchange }) =>
      operation === resource.operations.list && hasSuccess({ exchange }),
  );
  const listed = first && listedRecords(resource, first.answer);
  const near = listed !== undefined && listed.length > 0 ? listed : seen;
  if (otherThan === undefined) return inCommon(near, { field, least });
  const isOther = (record: JsonObject): boolean =>
    singleValues(record, field).some((value) => String(value) !== otherThan);
  const others = [near, seen].map((records) => records.filter(isOther));
  const found = others.find((records) => records.length > 0) ?? near;
  return inCommon(found, { field, least });
}

/** Prefers a value that few records have: their list needs fewer pages. */
function inCommon(
  records: readonly JsonObject[],
  { field, least }: { readonly field: string; readonly least: number },
): JsonValue | undefined {
  const holders = Map.groupBy(
    records.flatMap((record) => singleValues(record, field)),
    (value) => stringifyJson(value),
  );
  const telling = [...holders.values()].filter((values) => values.length < records.length);
  const bySize = (telling.length > 0 ? telling : [...holders.values()]).toSorted(
    (left, right) => left.length - right.length,
  );
  return (bySize.find(({ length }) => length >= least) ?? bySize.at(-1))?.[0];
}

/** A part of a text of the records: of their words, without the first letter, or at the start. */
function partOf(
  { field, of, swapped }: Extract<Source, { kind: 'field' }>,
  records: readonly JsonObject[],
): string | undefined {
  const words = records
    .flatMap((record) => singleValues(record, field))
    .flatMap(
      (text) => String(text).match(of === 'part' ? /[a-z]{4,}/gi : /^[a-z]{3,20}(?=.)/i) ?? [],
    );
  const [rarest] = [...Map.groupBy(words, (word) => word)].toSorted(
    ([, left], [, right]) => left.length - right.length,
  );
  const part = of === 'part' ? rarest?.[0].slice(1) : rarest?.[0];
  return swapped === true && part !== undefined ? swapCase(part) : part;
}

function swapCase(text: string): string {
  const upper = text.toUpperCase();
  return text === upper ? text.toLowerCase() : upper;
}

/** The records of a run, as far as a step that created one is concerned. */
interface OwnRecords {
  readonly contract: Contract;
  owns(name: RecordName): boolean;
}

/**
 * The value in the middle of all; of an even number, the greater one. Of numbers, the one whose
 * place changes most if a service compares them as texts, as `9` is above `10` then.
 */
function middleOf(values: readonly JsonValue[]): JsonValue | undefined {
  const known = [...new Set(values.filter((value) => value !== null))];
  const asTexts = known.toSorted((left, right) => compareTexts(String(left), String(right)));
  const middle = Math.floor(known.length / 2);
  if (!known.every((value) => isDecimalText(String(value))))
    return amidOthers(asTexts) ?? asTexts[middle];
  const sorted = known.toSorted((left, right) => compareDecimals(String(left), String(right)));
  const places = new Map(asTexts.map((value, place) => [value, place]));
  const moves = sorted.map((value, place) => Math.abs((places.get(value) ?? place) - place));
  const most = Math.max(...moves);
  return sorted[moves[middle] === most ? middle : moves.indexOf(most)];
}

/** A moment that has another one within half a day before it, and one after it. */
function amidOthers(sorted: readonly JsonValue[]): JsonValue | undefined {
  const moments = sorted.map((value) => momentOf(value)?.at);
  return sorted.find((_, place) => {
    const [before = 0, own, after = 0] = moments.slice(place - 1, place + 2);
    const half = 43_200_000;
    return place > 0 && own !== undefined && own - before < half && after - own < half && after > 0;
  });
}

function compareTexts(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

/**
 * The name of the record that an earlier step of the sequence created, if the run owns it; with a
 * `parent`, what stands there in its path.
 */
export function createdName(
  source: NamedSource,
  { resource: { collection, identifier }, earlier }: KnownRecords,
  memory: OwnRecords,
): JsonValue | undefined {
  const { field } = identifier;
  for (const step of earlier) {
    const { operation, request } = step.case;
    const resource = roleOf(memory.contract, operation)?.resource;
    const isMade =
      resource?.collection === collection &&
      creates(resource, step.case) &&
      request.identity === undefined &&
      hasSuccess(step);
    const made = isMade ? createdIdentifier(resource, step) : undefined;
    if (!isMade || made === undefined) continue;
    const parents = givenPathValues(operation, step.sent);
    if (!memory.owns({ resource, identifier: made, parents })) continue;
    // Another path to the same set may have another name for the record.
    const other = shownRecord(resource, step.answer)?.[field];
    const isOther = field !== resource.identifier.field && isIdentifier(other);
    const value = named(source, isOther ? other : made, parents);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** What the first record is called that an earlier step of the sequence listed. */
export function listedName(
  source: NamedSource,
  { resource, earlier }: KnownRecords,
): JsonValue | undefined {
  for (const step of earlier) {
    if (step.case.operation !== resource.operations.list || !hasSuccess(step)) continue;
    const parents = givenPathValues(step.case.operation, step.sent);
    // The versions of a record all have its name, which is none among them.
    const above = new Set([...parents.values()].map(String));
    const first = listedRecords(resource, step.answer)
      ?.map((record) => record[resource.identifier.field])
      .find((name) => isIdentifier(name) && !above.has(String(name)));
    const value = named(source, first, parents);
    if (value !== undefined) return value;
  }
  return undefined;
}

/**
 * The value of a link's expression for the last (or the first) earlier exchange of its operation;
 * undefined if the exchange has none.
 */
export function followLink(
  { operation, expression, first, step: title, of }: Extract<Source, { kind: 'link' }>,
  earlier: readonly Step[],
): JsonValue | undefined {
  const own = earlier.filter(
    (candidate) =>
      candidate.case.operation.id === operation &&
      (title === undefined || candidate.case.title === title),
  );
  const step = first === true ? own[0] : own.at(-1);
  const facts = step && factsOf(step);
  const told = facts && evaluateExpression(expression, facts);
  const value = told ?? linkAt(facts?.response?.body, expression);
  // A parameter cannot be null, and an identifier cannot be empty.
  if (value === null || value === '') return undefined;
  return of === undefined || typeof value !== 'string' ? value : lastSegment(of, value);
}

/** The address of a relation where links are a list: `_links/self/href`. */
function linkAt(body: JsonValue | undefined, expression: string): JsonValue | undefined {
  const place = /#(?<links>.*)\/(?<relation>[^/]+)\/href$/.exec(expression)?.groups;
  const links = (place && valueAt(body, place['links'] ?? '')) ?? null;
  const own = isJsonArray(links) ? links.filter(isJsonObject) : [];
  return own.find(({ rel }) => rel === place?.['relation'])?.['href'];
}

/** The last segment of a text that is an address of what a path leads to; otherwise the text. */
function lastSegment(path: string, text: string): string {
  const values = readAddress(path, text);
  return values?.get(Math.max(...values.keys())) ?? text;
}

/**
 * What the record is called that the step of a title created, what stands in its path, or the value
 * of a field of it; undefined if that step made none.
 */
export function madeValue(
  { step: title, parent, field }: Extract<Source, { kind: 'made' }>,
  { resource, earlier }: KnownRecords,
): JsonValue | undefined {
  const step = earlier.find((candidate) => candidate.case.title === title);
  if (step === undefined || !hasSuccess(step)) return undefined;
  const path = givenPathValues(step.case.operation, step.sent);
  if (parent !== undefined) return path.get(parent);
  if (field !== undefined) return singleValues(shownRecord(resource, step.answer) ?? {}, field)[0];
  return identifierOf(resource, step);
}

/**
 * An identifier for which a read found no record. A response with 401 or 403 shows nothing about
 * the record.
 */
export function absentName({ resource, earlier }: KnownRecords): JsonValue | undefined {
  const read = earlier.findLast(
    ({ case: { operation } }) => operation === resource.operations.read,
  );
  const status = read?.exchange.response?.status ?? 0;
  if (read === undefined || !isRefusal(status) || [401, 403, 429].includes(status))
    return undefined;
  return argumentNamed(read.sent, resource.identifier.parameter);
}

/**
 * Fewer pages show nothing about the pages after the second. With very few records two pages are
 * enough.
 */
const fewestPages = 3;
const veryFew = 5;

/**
 * The size of a page, or the offset at which it begins, computed from the number of records in the
 * last complete list of the sequence. Undefined for a page beyond the end.
 */
export function shareOf(
  { pages, page, of, within }: Extract<Source, { kind: 'share' }>,
  { resource, earlier }: KnownRecords,
): number | string | undefined {
  const whole = earlier.findLast(
    ({ case: { operation, request }, exchange }) =>
      operation === resource.operations.list &&
      hasSuccess({ exchange }) &&
      !request.arguments.some(({ source }) => source.kind === 'share'),
  );
  const count = (whole && listedRecords(resource, whole.answer)?.length) ?? 0;
  const size = pageSize(resource, count, pages);
  if (size === undefined) return undefined;
  const start = (page - 1) * size;
  if (page > 1 && start >= count) return undefined;
  const share = of === 'size' ? size : start;
  return within?.replace(/\d+/, String(share)) ?? share;
}

const longest = 1000;

/**
 * The smallest size that the contract allows and that makes a last page which is not full; if there
 * is none, the smallest allowed size.
 */
function pageSize({ list }: Resource, count: number, pages: number): number | undefined {
  const limit = list?.limit;
  const least = Math.max(1, limit?.minimum ?? 1, Math.ceil(count / pages));
  const isAllowed = (size: number): boolean =>
    limit === undefined || limit.parameter.schema.validate(size, 'request').length === 0;
  let smallest: number | undefined;
  for (let size = least; size <= Math.min(longest, limit?.maximum ?? longest); size += 1) {
    if (!isAllowed(size)) continue;
    smallest ??= size;
    if (Math.ceil(count / size) < (count < veryFew ? 2 : fewestPages)) break;
    if (count % size !== 0) return size;
  }
  return smallest;
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Fewer random characters than this may be those of another record. */
const fewestRandom = 10;

/**
 * An identifier that no record has, in the form of those that were seen: prefixed numbers, ULIDs,
 * UUIDs, words. Undefined where their form is unknown. The same salt gives the same one.
 */
export function missingLike(seen: readonly string[], salt: string): string | undefined {
  const [model = ''] = seen;
  const random = makeRandom(`missing like ${salt}`);
  const digits = (): string => String(random.integer(9_100_000_000, 9_999_999_999));
  const numbered = /^(.*?)\d{1,18}$/.exec(model)?.[1];
  if (numbered !== undefined && seen.every((text) => isNumbered(text, numbered)))
    return numbered + digits();
  if (seen.length > 0 && seen.every((text) => uuidForm.test(text))) return plainUuid(random);
  if (seen.length > 0 && seen.every((text) => /^[a-z][a-z-]*$/i.test(text)))
    return `missing-${hex(random, 6).replaceAll(/\d/g, 'k')}`;
  if (seen.some((text) => text.length !== model.length)) return undefined;
  const prefix = /^[A-Za-z]+[_.:-]/.exec(model)?.[0] ?? model.slice(0, 1);
  const rest = model.slice(prefix.length);
  if (!/\d/.test(rest) || rest.replaceAll(/[^A-Za-z0-9]/g, '').length < fewestRandom)
    return undefined;
  const known = [...new Set(seen.join('').replaceAll(/[^A-Za-z0-9]/g, ''))];
  const like = (pattern: RegExp): string[] => known.filter((letter) => pattern.test(letter));
  return (
    prefix +
    rest.replaceAll(/[A-Za-z0-9]/g, (letter) => {
      const pool = like([/[a-z]/, /[A-Z]/, /\d/].find((pattern) => pattern.test(letter)) ?? /./);
      return pool[random.integer(0, pool.length - 1)] ?? letter;
    })
  );
}

function isNumbered(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && /^\d{1,18}$/.test(text.slice(prefix.length));
}

/** A source that names a record, or a parent of it. */
export type NamedSource = Extract<Source, { kind: 'known' | 'own' | 'created' | 'listed' }>;

/** The part of a record's name that a source refers to: the identifier, or a parent. */
export function named(
  { parent }: NamedSource,
  identifier: JsonValue | undefined,
  parents: PathValues,
): JsonValue | undefined {
  return parent === undefined ? identifier : parents.get(parent);
}

/** The value of the same source in an earlier step: all steps of a sequence use the same record. */
export function resolvedBefore(
  { kind, resource, parent }: NamedSource,
  earlier: readonly Step[],
): JsonValue | undefined {
  return sentBefore(
    earlier,
    (source) => source.kind === kind && source.resource === resource && source.parent === parent,
  );
}

function sentBefore(
  earlier: readonly Step[],
  isSame: (source: Source) => boolean,
): JsonValue | undefined {
  for (const {
    case: { request },
    sent,
  } of earlier) {
    const same = request.arguments.find(({ source }) => isSame(source));
    const value = same && sent.arguments.get(same.parameter);
    if (value !== undefined) return value;
  }
  return undefined;
}
