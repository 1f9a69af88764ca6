import { fields, isDate, isDateTime, listOf, oneOf, text, whole } from '../serving/fields.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { valueOf } from './computed.ts';
import type { Definition, ObjectType, Row } from './store.ts';

type Call = api.Call;

const operators = [
  ...['EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE', 'BETWEEN', 'IN', 'NOT_IN'],
  ...['HAS_PROPERTY', 'NOT_HAS_PROPERTY', 'CONTAINS_TOKEN'],
];

const value = text(0, 1000);

const filter = fields(
  {
    ...{ propertyName: api.id, operator: oneOf(operators) },
    ...{ value, highValue: value, values: listOf(value) },
  },
  ['propertyName', 'operator'],
);

const search = fields(
  {
    filterGroups: listOf(fields({ filters: listOf(filter, { min: 1, max: 6 }) }, ['filters']), {
      max: 5,
    }),
    query: text(0, 3000),
    sorts: listOf(
      fields({ propertyName: api.id, direction: oneOf(['ASCENDING', 'DESCENDING']) }, [
        'propertyName',
      ]),
      { max: 1 },
    ),
    ...{ properties: api.names, limit: whole(1, 100), after: text(0, 100) },
  },
  [],
);

interface Filter {
  readonly propertyName: string;
  readonly operator: string;
  readonly value?: string;
  readonly highValue?: string;
  readonly values?: readonly string[];
}

interface Search {
  readonly filterGroups?: readonly { readonly filters: readonly Filter[] }[];
  readonly query?: string;
  readonly sorts?: readonly { readonly propertyName: string; readonly direction?: string }[];
  readonly properties?: readonly string[];
  readonly limit?: number;
  readonly after?: string;
}

/** Where a free text is looked for. */
const searched: Readonly<Record<ObjectType, readonly string[]>> = {
  contacts: ['email', 'firstname', 'lastname', 'phone'],
  companies: ['name', 'domain'],
  deals: ['dealname'],
  tasks: ['subject', 'body'],
};

type Sortable = string | number;
type Test = (row: Row) => boolean;

/** The value by which texts of a property are compared. */
function sortable({ type }: Pick<Definition, 'type'>, given: string): Sortable {
  if (type === 'number') return Number(given);
  return type === 'datetime' ? Date.parse(given) : given.toLowerCase();
}

const order = (a: Sortable, b: Sortable): number => (a < b ? -1 : a > b ? 1 : 0);

function definitionOf({ portal }: Call, type: ObjectType, name: string, place: string): Definition {
  const found = portal.definitions[type].find((one) => one.name === name);
  return found ?? api.bad(place, `There is no property ${name}.`, 'PROPERTY_DOESNT_EXIST');
}

/** A value of a filter; refuses one that the property cannot have. */
function operand({ type }: Definition, given: string | undefined, what: string): string {
  if (given === undefined) return api.bad('filterGroups', `The filter needs ${what}.`);
  const isFine =
    type === 'number'
      ? given.trim() !== '' && !Number.isNaN(Number(given))
      : type === 'date'
        ? isDate(given)
        : type !== 'datetime' || isDateTime(given);
  return isFine ? given : api.bad('filterGroups', `${given} is no ${type}.`);
}

const ordered: Readonly<Record<string, (sign: number) => boolean>> = {
  LT: (sign) => sign < 0,
  LTE: (sign) => sign <= 0,
  GT: (sign) => sign > 0,
  GTE: (sign) => sign >= 0,
};

const words = (given: string): string[] =>
  given
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

function testOf(call: Call, type: ObjectType, given: Filter): Test {
  const { portal, service } = call;
  const { has } = service;
  const { operator, propertyName } = given;
  const definition = definitionOf(call, type, propertyName, 'filterGroups');
  const isText =
    (definition.type === 'number' && has('numbers-filtered-as-text')) ||
    (definition.type === 'datetime' && has('times-filtered-as-text'));
  const key = (one: string): Sortable => (isText ? one : sortable(definition, one));
  const get = (row: Row): string | null => valueOf(row, propertyName, portal, service);
  /** Each of the values of a record. */
  const each = (row: Row): Sortable[] => {
    const found = get(row);
    if (found === null) return [];
    return (definition.fieldType === 'checkbox' ? found.split(';') : [found]).map(key);
  };
  const isAmong = (values: readonly Sortable[]): Test => {
    return (row) => each(row).some((one) => values.includes(one));
  };
  const needOrder = (): void => {
    if (!['number', 'date', 'datetime'].includes(definition.type))
      api.bad('filterGroups', `${operator} is for numbers, dates and times.`);
  };
  if (operator === 'HAS_PROPERTY') return (row) => get(row) !== null;
  if (operator === 'NOT_HAS_PROPERTY') return (row) => get(row) === null;
  if (operator === 'IN' || operator === 'NOT_IN') {
    const wanted = given.values ?? api.bad('filterGroups', `${operator} needs values.`);
    const test = isAmong(wanted.map((one) => key(operand(definition, one, 'values'))));
    return operator === 'IN' ? test : (row) => !test(row);
  }
  const first = operand(definition, given.value, 'a value');
  const wanted = key(first);
  if (operator === 'EQ') return isAmong([wanted]);
  if (operator === 'NEQ')
    return (row) => !isAmong([wanted])(row) && !(get(row) === null && has('neq-misses-empty'));
  if (operator === 'CONTAINS_TOKEN') {
    const [, token = '', star] = /^(.*?)(\*?)$/.exec(first.toLowerCase()) ?? [];
    const isIn = (word: string): boolean => {
      if (has('token-within-words')) return word.includes(token);
      return star === '*' ? word.startsWith(token) : word === token;
    };
    return (row) => words(get(row) ?? '').some(isIn);
  }
  needOrder();
  if (operator === 'BETWEEN') {
    const high = key(operand(definition, given.highValue, 'a highValue'));
    const isShort = has('between-excludes-high');
    return (row) => each(row).some((one) => one >= wanted && (isShort ? one < high : one <= high));
  }
  return (row) => each(row).some((one) => ordered[operator]?.(order(one, wanted)) === true);
}

/** Whether a record matches the filters and the text of a search. */
function matcher(call: Call, type: ObjectType, { filterGroups = [], query = '' }: Search): Test {
  const { portal, service } = call;
  const { has } = service;
  const groups = filterGroups.map(({ filters }) => filters.map((one) => testOf(call, type, one)));
  const judged = has('first-group-only') ? groups.slice(0, 1) : groups;
  const isGroup = (tests: readonly Test[], row: Row): boolean =>
    has('filters-of-group-ored')
      ? tests.some((test) => test(row))
      : tests.every((test) => test(row));
  const wanted = query.toLowerCase();
  const isText: Test = (row) =>
    searched[type].some((name) =>
      valueOf(row, name, portal, service)?.toLowerCase().includes(wanted),
    );
  const isFiltered: Test = (row) =>
    judged.length === 0 || judged.some((tests) => isGroup(tests, row));
  if (wanted === '') return isFiltered;
  return has('query-drops-filters') ? isText : (row) => isFiltered(row) && isText(row);
}

function sort(call: Call, type: ObjectType, rows: readonly Row[], { sorts = [] }: Search): Row[] {
  const { portal, service } = call;
  const [wanted] = sorts;
  const byId = rows.toSorted((a, b) => Number(a.id) - Number(b.id));
  if (wanted === undefined) return byId;
  const definition = definitionOf(call, type, wanted.propertyName, 'sorts');
  const sign = wanted.direction === 'DESCENDING' ? -1 : 1;
  const key = (row: Row): Sortable | null => {
    const found = valueOf(row, wanted.propertyName, portal, service);
    return found === null ? null : sortable(definition, found);
  };
  const emptyAt = service.has('empty-sorted-first') ? -1 : 1;
  return byId.sort((a, b) => {
    const [first, second] = [key(a), key(b)];
    if (first === null || second === null)
      return emptyAt * (Number(first === null) - Number(second === null));
    return sign * order(first, second);
  });
}

/** A search for records of a type. */
export function searchFor(call: Call, type: ObjectType): Answer {
  const { portal, service } = call;
  const { has } = service;
  api.need(call, api.scope(type, 'read'));
  const body = api.readBody(call, search) as Search;
  const { limit = 10, after, properties } = body;
  const start = after === undefined ? 0 : api.readCursor(after, service);
  const test = matcher(call, type, body);
  const all = portal.rows.filter(
    (one) => one.type === type && (one.archivedAt === null || has('search-finds-archived')),
  );
  const found = sort(call, type, all.filter(test), body);
  const at = start > 0 && has('search-page-overlaps') ? start - 1 : start;
  const rows = found.slice(at, at + limit);
  const shown = properties === undefined ? {} : { properties };
  const next = start + limit;
  const paging = { paging: { next: { after: api.writeCursor(String(next), service) } } };
  return {
    status: 200,
    json: {
      total: has('search-total-of-page') ? rows.length : found.length,
      results: rows.map((row) => api.show(call, row, shown)),
      ...(next < found.length ? paging : {}),
    },
  };
}
