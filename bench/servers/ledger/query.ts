import { isDate, isDateTime } from '../serving/fields.ts';
import { isWholeIn, type Json, type QueryRule } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { fail, type Call } from './call.ts';

/** The value of a parameter that is given; refuses one that is not valid. */
export function parameter(call: Call, name: string, isValid: QueryRule): string | undefined {
  const value = call.incoming.query.get(name) ?? undefined;
  if (value !== undefined && !isValid(value))
    fail(call.service, 'parameter', `${name} is not valid.`);
  return value;
}

const isFlag: QueryRule = (value) => value === 'true' || value === 'false';
export const isWhole: QueryRule = (value) => /^-?\d+$/.test(value);
export const isAny: QueryRule = () => true;

/** Whether a day is within the parameters fromdate and todate. */
export function daysOf(call: Call, isShort = false): (date: string) => boolean {
  const from = parameter(call, 'fromdate', isDate) ?? '';
  const to = parameter(call, 'todate', isDate) ?? '9999-12-31';
  return (date) => date >= from && (isShort ? date < to : date <= to);
}

/** Whether a moment is within the parameter lastmodified. */
export function momentsOf(call: Call): (moment: number) => boolean {
  const given = parameter(call, 'lastmodified', isDateTime);
  return (moment) => given === undefined || moment >= Date.parse(given);
}

/** Whether a record is active, or not, as the parameter says. */
export function activeOf(call: Call): (record: { readonly Active: boolean }) => boolean {
  const given = parameter(call, 'active', isFlag);
  return ({ Active }) => given === undefined || given === String(Active);
}

/** One page of the records. */
export function pageOf<T>(
  call: Call,
  name: string,
  records: readonly T[],
  show: (record: T, call: Call) => Json,
): Answer {
  const { has } = call.service;
  const page = Number(parameter(call, 'page', isWholeIn(1, 100_000)) ?? 1);
  const limit = Number(parameter(call, 'limit', isWholeIn(1, 200)) ?? 50);
  const start = (has('page-counts-from-zero') ? page : page - 1) * limit;
  const shown = records.slice(start, start + limit);
  const pages = records.length / limit;
  const MetaInformation = {
    '@TotalResources': has('total-resources-of-page') ? shown.length : records.length,
    '@TotalPages': has('total-pages-rounded-down') ? Math.floor(pages) : Math.ceil(pages),
    '@CurrentPage': page,
  };
  return {
    status: 200,
    json: { [name]: shown.map((record) => show(record, call)), MetaInformation },
  };
}
