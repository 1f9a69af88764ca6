import { email, isDate } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { fail, type Call } from './call.ts';
import type { Rec } from './store.ts';
import { fieldOf, tables, type Field } from './tables.ts';
import { idsIn, valueOf } from './values.ts';

const wrong = (name: string): never =>
  fail(422, 'INVALID_VALUE_FOR_COLUMN', `The field ${name} cannot have this value.`);

/** A write to a record, and which records its request created. */
export interface Write {
  readonly record: Rec;
  readonly given: Json;
  readonly fresh: ReadonlySet<string>;
  readonly call: Call;
}

interface Place {
  readonly name: string;
  readonly field: Field;
}

function choiceOf(value: unknown, { name, field }: Place, { call }: Write): string {
  const isLax = call.service.has('choice-in-other-case');
  const found = field.choices?.find(
    (one) => one === value || (isLax && one.toLowerCase() === String(value).toLowerCase()),
  );
  if (typeof value === 'string' && found === undefined)
    fail(422, 'INVALID_MULTIPLE_CHOICE_OPTIONS', `${name} does not have the choice ${value}.`);
  return found ?? wrong(name);
}

/** The ids of a list that has each but once. */
function listIn(value: unknown, name: string, max: number): readonly unknown[] {
  const isFine = Array.isArray(value) && value.length <= max;
  return isFine && new Set(value).size === value.length ? (value as unknown[]) : wrong(name);
}

function linksIn(value: unknown, { name, field }: Place, { record, call }: Write): unknown {
  const { has } = call.service;
  const max = field.isSingle === true && !has('two-projects-linked') ? 1 : Infinity;
  const bases = has('link-to-other-base') ? [...call.service.bases.values()] : [record.base];
  for (const id of listIn(value, name, max)) {
    const other = bases.map(({ records }) => records[field.to ?? 'tasks'].get(String(id)));
    if (typeof id !== 'string') wrong(name);
    if (other.every((one) => one === undefined || one.archived))
      fail(422, 'ROW_DOES_NOT_EXIST', `${name} has a record that cannot be linked.`);
  }
  return value;
}

/** The value that the field gets; refuses what it cannot have. */
function readValue(value: unknown, place: Place, write: Write): unknown {
  const { name, field } = place;
  const { has } = write.call.service;
  const { kind, max = 0 } = field;
  if (kind === 'select') return choiceOf(value, place, write);
  if (kind === 'tags') return listIn(value, name, 20).map((one) => choiceOf(one, place, write));
  if (kind === 'link') return linksIn(value, place, write);
  if (kind === 'checkbox') return typeof value === 'boolean' ? value : wrong(name);
  if (kind === 'number') {
    const least = name === 'Hours' && has('negative-hours-accepted') ? -Infinity : 0;
    return typeof value === 'number' && value >= least && value <= max ? value : wrong(name);
  }
  if (typeof value !== 'string') return wrong(name);
  if (kind === 'date') {
    const isLax = has('impossible-date-accepted') && /^\d{4}-\d\d-\d\d$/.test(value);
    return isDate(value) || isLax ? value : wrong(name);
  }
  return isText(value, field) ? value : wrong(name);
}

function isText(value: string, { type, max = 0, pattern }: Field): boolean {
  if (type === 'email') return email(value, '') === undefined;
  return [...value].length <= max && pattern?.test(value) !== false;
}

/** Links exactly these tasks with a project or person. */
function linkBack(record: Rec, back: string, ids: readonly string[]): void {
  const isSingle = fieldOf('tasks', back)?.isSingle === true;
  for (const task of record.base.records.tasks.values()) {
    const [had, isWanted] = [idsIn(task, back), ids.includes(task.id)];
    if (task.archived || had.includes(record.id) === isWanted) continue;
    const others = isSingle ? [] : had.filter((id) => id !== record.id);
    task.fields[back] = isWanted ? [...others, record.id] : others;
  }
}

/** Refuses a value that another record of the table has. */
function checkUnique(name: string, { record, fresh, call }: Write): void {
  const { has } = call.service;
  const fold = (one: Rec): unknown => {
    const value = one.fields[name];
    const isExact = name !== 'Email' || has('email-case-matters');
    return isExact || typeof value !== 'string' ? value : value.toLowerCase();
  };
  if ((fold(record) ?? '') === '') return;
  if (has('code-taken-by-update') && !fresh.has(record.id)) return;
  for (const other of record.base.records[record.table].values()) {
    if (other === record || fold(other) !== fold(record)) continue;
    if (has('code-twice-in-batch') && fresh.has(other.id)) continue;
    fail(422, 'DUPLICATE_VALUE', `Another record has this ${name}.`);
  }
}

/** The field that can be written; undefined where a name is left out without a word. */
function writable(record: Rec, name: string, { call: { service } }: Write): Field | undefined {
  const field = fieldOf(record.table, name);
  if (field === undefined && !service.has('unknown-field-ignored'))
    fail(422, 'UNKNOWN_FIELD_NAME', `There is no field ${name}.`);
  if (field?.isComputed !== true) return field;
  return service.has('computed-field-ignored') ? undefined : wrong(name);
}

/** Gives the record these fields; with `isWhole`, the others are cleared. */
export function writeFields(write: Write, isWhole = false): void {
  const { record, given, call } = write;
  const { has } = call.service;
  const all: Json = isWhole ? Object.fromEntries(clearable(record).map((one) => [one, null])) : {};
  for (const [name, value] of Object.entries({ ...all, ...given })) {
    const isKept = value === null && has('null-ignored') && !isWhole;
    const field = isKept ? undefined : writable(record, name, write);
    if (field === undefined) continue;
    const isList = field.kind === 'link' || field.kind === 'tags';
    const empty = isList ? [] : undefined;
    const next = value === null ? empty : readValue(value, { name, field }, write);
    if (name === 'Project') record.former = [...record.former, ...idsIn(record, name)];
    if (field.back === undefined) record.fields[name] = next;
    else if (!has('reverse-write-lost')) linkBack(record, field.back, next as readonly string[]);
  }
  checkRecord(write);
}

/** Refuses a record that is not whole, or not the only one with its values. */
function checkRecord(write: Write): void {
  const { record, given, call } = write;
  const { has } = call.service;
  for (const [name, field] of Object.entries(tables[record.table].fields)) {
    if (field.isRequired === true && valueOf(record, name, call.service) === undefined) wrong(name);
    if (field.isUnique === true) checkUnique(name, write);
  }
  const { Start, End } = record.fields;
  const isTold = !has('end-before-start') || ('Start' in given && 'End' in given);
  if (isTold && typeof Start === 'string' && typeof End === 'string' && End < Start) wrong('End');
}

/** The names of the fields that a client can clear. */
export const clearable = ({ table }: Rec): string[] =>
  Object.entries(tables[table].fields).flatMap(([name, { isComputed }]) =>
    isComputed === true ? [] : [name],
  );
