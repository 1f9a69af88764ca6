import { plainName } from '../../../contract/infer/infer-names.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import { openListOf } from '../../../contract/infer/open-lists.ts';
import type { ListShape, Operation, Sort } from '../../../contract/model.ts';
import {
  emptyPlace,
  isDefaultOrder,
  orderByAge,
  sortsAmounts,
  statedOrder,
} from '../../../contract/words/read-list.ts';
import { namesCreation } from '../../../contract/words/names.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { CheckInput, Violation, Violations } from '../../model/knowledge.ts';
import { hasSuccess, showValue, type Step } from '../../model/step.ts';
import { fieldOf, singleValues } from '../../reading/compare-records.ts';
import { type ListPage, pageOf } from '../../reading/list-page.ts';
import {
  requestedParameters,
  requestedRow,
  requestsFirstPage,
  selectingIn,
} from '../../reading/list-query.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { notRefused } from '../../reading/related.ts';
import {
  misplaced,
  readSortKeys,
  type SortKey,
  type ValueOrder,
} from '../../reading/sort-order.ts';
import { hasMoved, pageWords, walkOf } from '../../reading/walk.ts';
import { check } from '../check.ts';
import { planSorting } from './sort-sequences.ts';

/** A list has the requested order. */
export const sortHolds = check({
  id: 'sort-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A sorted list is in order: numbers and dates by size, texts in any sensible ' +
    'collation, records alike in one field by the next. A short page has the records at the ' +
    'same position of a longer one.',
  reason: 'Clients take the newest, the cheapest or the first record from the top of a list.',
  example: ['> GET /items?sort=name', '< [{"name": "b"}, {"name": "a"}]'],
  traits: ['lists'],
  plan: [{ at: 'lists', list: planSorting }],
  intents: ['valid', 'relation'],
  relations: { 'no-order': notRefused },
  mutants: [
    async () => (await import('./list-mutants.ts')).orderMutants,
    async () => (await import('./expression-mutants.ts')).orderPartMutants,
  ],
  inspect(subject) {
    const page = pageOf(subject, subject);
    const shape = page?.resource.list;
    const [key, second] = (shape && keysOf(subject, shape)) ?? [];
    if (page === undefined || shape === undefined) return againstOpenOrder(subject);
    if (key === undefined) return againstDescription(subject, page, shape);
    return (
      outOfOrder(subject, page, { shape, key }) ??
      nullOutOfPlace(subject, page, { shape, key }) ??
      (second && outOfTurn(subject, page, { shape, key, second })) ??
      cutFirst(subject, page, { shape, key }) ??
      acrossPages(subject, page, key) ??
      []
    );
  },
});

interface Order {
  readonly shape: ListShape;
  readonly key: SortKey;
}

function keysOf({ sent }: Step, { sort }: ListShape): readonly SortKey[] | undefined {
  const asked = sort && sent.arguments.get(sort.by);
  if (sort === undefined || asked === undefined) return undefined;
  const words = [asked].flat().filter((word) => typeof word === 'string');
  if (words.length !== [asked].flat().length) return undefined;
  return readSortKeys(sort, words, sort.direction && sent.arguments.get(sort.direction));
}

/** The values of the field by which a page is sorted; records without it may be anywhere. */
function valuesOf({ records }: ListPage, field: string): JsonValue[] {
  return records.flatMap((record) => {
    const values = singleValues(record, field);
    return values.length === 1 ? values : [];
  });
}

/** How a request writes its order: `sort=name&order=desc`. */
function orderWords(sent: Step['sent'], { by, direction }: Sort): string {
  return [by, direction]
    .flatMap((parameter) =>
      parameter !== undefined && sent.arguments.has(parameter)
        ? [`${parameter.name}=${[sent.arguments.get(parameter)].flat().map(String).join(',')}`]
        : [],
    )
    .join('&');
}

function outOfOrder(
  { sent }: CheckInput,
  page: ListPage,
  { shape, key }: Order,
): Violation | undefined {
  const values = valuesOf(page, key.field);
  const order = orderOf(page, key.field);
  const [up, down] = [false, true].map((descending) => misplaced(values, { ...order, descending }));
  // If nothing states the direction, both are right.
  const wrong = key.descending === undefined ? down && up : key.descending ? down : up;
  if (wrong === undefined || shape.sort === undefined) return undefined;
  return {
    at: shape.sort.by.pointer,
    message:
      `The list requested with ${orderWords(sent, shape.sort)} is not in that order: ` +
      `${key.field} is ${showValue(wrong[0])} and then ${showValue(wrong[1])}.`,
    expected: `${key.field} in ${orderName(key)} order`,
    actual: `${showValue(wrong[0])} before ${showValue(wrong[1])}`,
    ...certainty(shape, key),
  };
}

/** How the values of a field are ordered. */
function orderOf(page: ListPage, field: string): Omit<ValueOrder, 'descending'> {
  return {
    listed: listedIn(page, field),
    isAmount: isBySize(page, field),
    // Records that are made at once may be ordered by their identifiers.
    within: namesCreation(plainName(field)) ? 1000 : 1,
  };
}

/** Whether texts of digits are ordered by size: amounts, and identifiers that are whole numbers. */
function isBySize({ resource: { list, identifier, record } }: ListPage, field: string): boolean {
  const own = recordFields(record).find(({ name }) => name === field && name === identifier.field);
  return sortsAmounts(list?.sort, field) || own?.types.includes('integer') === true;
}

/** Records whose field is null, on the wrong side: a standard says which, or the list itself. */
function nullOutOfPlace(
  { sent, operation }: CheckInput,
  { records }: ListPage,
  { shape: { sort }, key }: Order,
): Violation | undefined {
  const told = sort && emptyPlace(operation, sort.by, key.field);
  const isStandard = sort?.standard?.isNullLowest === true && key.descending !== undefined;
  if (sort === undefined || (told === undefined && !isStandard)) return undefined;
  const isLast = told === undefined ? key.descending : told === 'last';
  const shown = records.map((record) => fieldOf(record, key.field));
  // What others show, a record without it has no value for; but a switch may be off then.
  const isSwitch = shown.some((value) => typeof value === 'boolean');
  const values = shown
    .map((value) => value ?? (told === undefined || isSwitch ? value : null))
    .filter((value) => value !== undefined && !Array.isArray(value));
  const at = values.findIndex((value, index) => {
    const next = values[index + 1];
    if (next === undefined) return false;
    return isLast === true ? value === null && next !== null : value !== null && next === null;
  });
  if (at < 0) return undefined;
  const [one, other] = [values[at], values[at + 1]].map((value) => showValue(value));
  return {
    at: sort.by.pointer,
    message:
      `The list requested with ${orderWords(sent, sort)} is not in that order: ` +
      `${key.field} is ${one ?? ''} and then ${other ?? ''}, but null ` +
      `${told === undefined ? 'is the lowest value' : `comes ${told}`}.`,
    expected:
      `null ${isLast === true ? 'behind' : 'before'} all values ` +
      `(${told === undefined ? (sort.standard?.source ?? '') : 'as the list says'})`,
    actual: `${one ?? ''} before ${other ?? ''}`,
    cause: 'null',
  };
}

/** Records in a row that the first key does not tell apart, and the second key would. */
function outOfTurn(
  { sent }: CheckInput,
  page: ListPage,
  { shape, key, second }: Order & { readonly second: SortKey },
): Violation | undefined {
  const { sort } = shape;
  const [found] = runsOf(page, key, second).flatMap(({ shared, values }) => {
    const wrong = misplaced(values, {
      ...orderOf(page, second.field),
      descending: second.descending === true,
    });
    return wrong === undefined ? [] : [{ shared, wrong }];
  });
  if (found === undefined || sort === undefined || second.descending === undefined)
    return undefined;
  const [one, other] = found.wrong.map((value) => showValue(value));
  return {
    at: sort.by.pointer,
    message:
      `The list requested with ${orderWords(sent, sort)} is not in that order: where ` +
      `${key.field} is ${showValue(found.shared)}, ${second.field} is ${one ?? ''} and then ` +
      `${other ?? ''}.`,
    expected: `${second.field} in ${orderName(second)} order for each ${key.field}`,
    actual: `${one ?? ''} before ${other ?? ''}`,
    ...certainty(shape, second),
    cause: 'second',
  };
}

/** The values of the second key of records in a row with the same value of the first. */
function runsOf(
  { records }: ListPage,
  key: SortKey,
  second: SortKey,
): { readonly shared: JsonValue; readonly values: readonly JsonValue[] }[] {
  const runs: { shared: JsonValue; values: JsonValue[] }[] = [];
  for (const record of records) {
    const [shared, value] = [key, second].map(({ field }) => {
      const values = singleValues(record, field);
      return values.length === 1 ? values[0] : undefined;
    });
    if (shared === undefined || value === undefined) continue;
    const last = runs.at(-1);
    if (last !== undefined && equalJson(last.shared, shared)) last.values.push(value);
    else runs.push({ shared, values: [value] });
  }
  return runs;
}

/** A list that is not asked for an order has the one that its description states. */
function againstDescription(
  { operation, sent }: CheckInput,
  page: ListPage,
  shape: ListShape,
): Violations {
  const { sort } = shape;
  // What nobody understands may ask for another order.
  const known = new Set(selectingIn(shape));
  if ([...sent.arguments.keys()].some((own) => own.in === 'query' && !known.has(own)))
    return undefined;
  if (sort?.by.schema.flatten().node.default !== undefined) return undefined;
  if (sort !== undefined && !isDefaultOrder(operation)) return undefined;
  const order = statedOrder(operation, page.resource.record);
  if (order === undefined) return undefined;
  const { field, descending } = order;
  const listed = listedIn(page, field);
  return notAsStated(operation, { field, descending }, { values: valuesOf(page, field), listed });
}

function notAsStated(
  operation: Operation,
  key: SortKey & { readonly descending: boolean },
  { values, listed }: { values: readonly JsonValue[]; listed?: readonly JsonValue[] | undefined },
): Violations {
  const wrong = misplaced(values, { descending: key.descending, listed, within: 1000 });
  if (wrong === undefined) return [];
  const [one, other] = wrong.map((value) => showValue(value));
  return {
    at: operation.pointer,
    message:
      'The list is not in the order that its description states: ' +
      `${key.field} is ${one ?? ''} and then ${other ?? ''}.`,
    expected: `${key.field} in ${orderName(key)} order`,
    actual: `${one ?? ''} before ${other ?? ''}`,
    basis: 'contract',
    cause: 'described',
  };
}

function orderName({ descending }: SortKey): string {
  if (descending === undefined) return 'ascending or descending';
  return descending ? 'descending' : 'ascending';
}

function listedIn({ resource }: ListPage, field: string): readonly JsonValue[] | undefined {
  const place = resource.record.flatten().properties.get(field);
  return place && resource.record.flatten(place).node.enum;
}

/**
 * A server must know the sort words that the contract lists, and the fields of orders that it
 * shows. It may know others. In the language of a standard, it refuses an order that it does not
 * support (JSON:API 1.1, section 6.5; OData 4.01, Part 1, section 9.3.1).
 */
function certainty({ sort }: ListShape, key: SortKey): Pick<Violation, 'severity' | 'cause'> {
  const flat = sort?.by.schema.flatten();
  const items = flat?.items && sort?.by.schema.flatten(flat.items).node.enum;
  const cause = key.descending === true ? 'falling' : 'rising';
  const isStated =
    sort?.language !== undefined && (sort.shown === undefined || sort.shown.includes(key.field));
  const isNamed = key.descending !== true || sort?.direction !== undefined;
  const isTold = isNamed && sort?.told?.includes(key.field) === true;
  return flat?.node.enum !== undefined || items !== undefined || isStated || isTold
    ? { cause }
    : { severity: 'warning', cause };
}

/** Fewer values are in order by chance. */
const fewestValues = 4;

/** Whether a page shows that the service knows an order, whatever the contract says of it. */
function isEvident(page: ListPage, { field, descending }: SortKey): boolean {
  const values = valuesOf(page, field);
  if (new Set(values).size < fewestValues) return false;
  const [rises, falls] = [false, true].map(
    (way) => misplaced(values, { ...orderOf(page, field), descending: way }) === undefined,
  );
  return rises !== falls && descending !== (rises === true);
}

/** The last two pages: one with the same request as this one, and one with the same beginning. */
function longAndShort(
  subject: CheckInput,
  shape: ListShape,
): { readonly before: ListPage; readonly short: ListPage } | undefined {
  const [first, middle] = subject.earlier.slice(-2);
  if (first === undefined || middle === undefined) return undefined;
  const before = pageOf(subject, first);
  const short = pageOf(subject, middle);
  if (before === undefined || short === undefined) return undefined;
  const isSameList =
    requestedParameters(first) === requestedParameters(subject) &&
    requestedRow(shape, middle) === requestedRow(shape, subject) &&
    requestsFirstPage(shape, middle);
  return isSameList ? { before, short } : undefined;
}

/**
 * A short page between two long ones that agree: it has the first records of the order, not the
 * first of another one.
 */
function cutFirst(
  subject: CheckInput,
  page: ListPage,
  { shape, key }: Order,
): Violation | undefined {
  const earlier = longAndShort(subject, shape);
  if (earlier === undefined) return undefined;
  const { before, short } = earlier;
  if (short.records.length === 0 || short.records.length > page.records.length) return undefined;
  const [one = [], other = [], seen = []] = [before, page, short].map(({ records }) =>
    records.slice(0, short.records.length).map((record) => singleValues(record, key.field)),
  );
  if (!equalJson(one, other) || equalJson(one, seen)) return undefined;
  const at = shape.sort?.by.pointer ?? subject.operation.pointer;
  const shown = (values: readonly (readonly JsonValue[])[]): string =>
    values.map((value) => showValue(value[0])).join(', ');
  return {
    at,
    message:
      `A sorted page of ${String(short.records.length)} does not begin as the ` +
      `longer page does: ${key.field} is ${shown(seen)} instead of ` +
      `${shown(one)}.`,
    expected: `${key.field} is ${shown(one)}`,
    actual: `${key.field} is ${shown(seen)}`,
    ...(isEvident(page, key) ? {} : certainty(shape, key)),
    cause: 'cut first',
    momentary: true,
  };
}

/**
 * The pages of a walk between two long pages that agree: each has the values at its place in the
 * long ones. Records with equal values may change places.
 */
function acrossPages(subject: CheckInput, page: ListPage, key: SortKey): Violation | undefined {
  const walk = walkOf(subject);
  const whole = page.identifiers;
  const values = (records: ListPage['records']): JsonValue[][] =>
    records.map((record) => singleValues(record, key.field));
  const row = values(page.records);
  if (
    walk === undefined ||
    whole === undefined ||
    !equalJson(values(walk.before.records), row) ||
    walk.pages.some((placed) => hasMoved(placed, whole))
  )
    return undefined;
  const [first] = walk.pages.flatMap(({ begins, page: { records }, step }) => {
    const own = values(records);
    const differences = begins.map((begin) =>
      own.findIndex(
        (value, index) =>
          row[begin + index] !== undefined && !equalJson(value, row[begin + index] ?? []),
      ),
    );
    const [at] = differences;
    if (at === undefined || differences.includes(-1)) return [];
    const [seen, expected] = [own[at], row[(begins[0] ?? 0) + at]].map((one) =>
      showValue(one?.[0]),
    );
    return [{ seen, expected, words: pageWords(step, walk.shape) }];
  });
  return (
    first && {
      at: walk.shape.sort?.by.pointer ?? subject.operation.pointer,
      message:
        'The pages of a sorted list are not in order one after the other: with ' +
        `${first.words}, ${key.field} is ${first.seen ?? ''} where the longer page has ` +
        `${first.expected ?? ''}.`,
      expected: `${key.field} is ${first.expected ?? ''}`,
      actual: `${key.field} is ${first.seen ?? ''}`,
      ...(isEvident(page, key) ? {} : certainty(walk.shape, key)),
      cause: 'across pages',
      momentary: true,
    }
  );
}

/** A list that is no resource, in another order than its description states. */
function againstOpenOrder(subject: CheckInput): Violations {
  const { contract, operation, sent } = subject;
  const list = openListOf(contract, operation);
  const order = list?.item && orderByAge(operation, list.item);
  const items = list && valueAt(jsonOf(subject.answer), list.items);
  if (list === undefined || order === undefined || !isJsonArray(items ?? null)) return undefined;
  // A later page begins with another item.
  if (!hasSuccess(subject) || sent.arguments.has(list.token)) return undefined;
  const { field, descending } = order;
  const values = [items ?? []]
    .flat()
    .flatMap((item: JsonValue) => (isJsonObject(item) ? singleValues(item, field) : []));
  return notAsStated(operation, { field, descending }, { values });
}
