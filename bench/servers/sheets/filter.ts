import { isDate } from '../serving/fields.ts';
import { fail, invalid, type Call } from './call.ts';
import type { Rec, Service } from './store.ts';
import { fieldOf, type Field, type TableName } from './tables.ts';
import { valueOf } from './values.ts';

export type Test = (record: Rec) => boolean;

const wrong = (message: string): never => fail(422, 'INVALID_FILTER', message);

const sameness = ['equals', 'does_not_equal'];
const emptiness = ['is_empty', 'is_not_empty'];
const parts = ['contains', 'does_not_contain', ...emptiness];
const sizes = ['greater_than', 'less_than', 'greater_than_or_equal_to', 'less_than_or_equal_to'];
const days = ['equals', 'before', 'after', 'on_or_before', 'on_or_after', ...emptiness];

/** The operators of each type of field. */
const operators: Readonly<Record<Field['kind'], readonly string[]>> = {
  text: [...sameness, ...parts],
  number: [...sameness, ...sizes, ...emptiness],
  checkbox: sameness,
  select: [...sameness, ...emptiness],
  ...{ tags: parts, link: parts, date: days },
};

function isFit(field: Field, operator: string, operand: unknown): boolean {
  if (emptiness.includes(operator)) return operand === true;
  if (field.kind === 'number') return typeof operand === 'number' || typeof operand === 'bigint';
  if (field.kind === 'checkbox') return typeof operand === 'boolean';
  if (typeof operand !== 'string') return false;
  if (field.kind === 'date') return isDate(operand);
  return field.choices?.includes(operand) ?? true;
}

function contains(value: unknown, operand: string, { has }: Service): boolean {
  if (Array.isArray(value)) {
    const isPart = has('tag-contains-part');
    return value.some((each) => (isPart ? String(each).includes(operand) : each === operand));
  }
  const text = typeof value === 'string' ? value : '';
  if (has('contains-case-matters')) return text.includes(operand);
  return text.toLowerCase().includes(operand.toLowerCase());
}

interface Condition {
  readonly field: Field;
  readonly operator: string;
  readonly operand: unknown;
}

function isMet(given: unknown, { field, operator, operand }: Condition, service: Service): boolean {
  const { has } = service;
  const isUnset = given === undefined;
  const isSpared = isUnset && field.kind === 'checkbox' && !has('unset-not-false');
  const value = isSpared ? false : given;
  if (operator === 'equals') return value === operand;
  if (operator === 'does_not_equal')
    return value !== operand && !(isUnset && has('not-equal-skips-empty'));
  if (operator === 'is_empty' || operator === 'is_not_empty')
    return isUnset === (operator === 'is_empty');
  if (operator === 'contains') return contains(value, String(operand), service);
  if (operator === 'does_not_contain') return !contains(value, String(operand), service);
  if (isUnset) return false;
  const [a, b] = [value as number, operand as number];
  if (operator === 'greater_than' && has('greater-includes-equal')) return a >= b;
  if (operator === 'greater_than' || operator === 'after') return a > b;
  if (operator === 'less_than' || operator === 'before') return a < b;
  return /^(greater|on_or_after)/.test(operator) ? a >= b : a <= b;
}

/** The test that a filter is; refuses one that is not valid. */
export function readFilter(filter: unknown, table: TableName, call: Call, depth = 0): Test {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    return wrong('A filter must be an object.');
  const { property, ...rest } = filter as Readonly<Record<string, unknown>>;
  const [[operator, operand] = ['', undefined], ...others] = Object.entries(rest);
  if (others.length > 0) return wrong('A condition has one operator.');
  const { has } = call.service;
  if (property === undefined) {
    const isGroup = (operator === 'and' || operator === 'or') && Array.isArray(operand);
    if (!isGroup || operand.length < 1 || operand.length > 10 || depth > 1)
      return wrong('A filter needs a property, or and/or with 1 to 10 filters, two levels deep.');
    const tests = (operand as unknown[]).map((one) => readFilter(one, table, call, depth + 1));
    const isAny = operator === 'or' && !(depth > 0 && has('or-taken-as-and'));
    return (record) =>
      isAny ? tests.some((test) => test(record)) : tests.every((test) => test(record));
  }
  const name = String(property);
  const field = fieldOf(table, name) ?? wrong(`There is no field ${name}.`);
  if (!operators[field.kind].includes(operator) || !isFit(field, operator, operand))
    return wrong(`${name} does not have this operator, or not with this value.`);
  const condition = { field, operator, operand };
  return (record) => isMet(valueOf(record, name, call.service), condition, call.service);
}

export interface Sort {
  readonly property: string;
  readonly isDown: boolean;
}

/** Refuses what cannot be sorted by. */
export function readSort(sort: Sort, table: TableName): Sort {
  const kind = fieldOf(table, sort.property)?.kind;
  if (kind === undefined || kind === 'tags' || kind === 'link')
    invalid(`${sort.property} cannot be sorted by.`);
  return sort;
}

/** What a record is sorted by. */
function rankOf(record: Rec, property: string, service: Service): number | string | undefined {
  const field = fieldOf(record.table, property);
  const value = valueOf(record, property, service);
  if (field?.kind === 'checkbox') return value === true ? 1 : 0;
  if (field?.kind === 'select' && value !== undefined && !service.has('choices-sorted-as-texts'))
    return field.choices?.indexOf(value as string);
  return typeof value === 'string' ? value.toLowerCase() : (value as number | undefined);
}

/** The records in the order of these sorts. */
export function inOrder(records: readonly Rec[], sorts: readonly Sort[], { service }: Call): Rec[] {
  const { has } = service;
  const used = has('second-sort-ignored') ? sorts.slice(0, 1) : sorts;
  return records.toSorted((a, b) => {
    for (const { property, isDown } of used) {
      const [first, second] = [a, b].map((one) => rankOf(one, property, service));
      if (first === second) continue;
      const sign = isDown ? -1 : 1;
      if (first === undefined || second === undefined) {
        const last = first === undefined ? 1 : -1;
        return isDown && has('empties-first-descending') ? -last : last;
      }
      return first < second ? -sign : sign;
    }
    return 0;
  });
}
