import { email, isDate, isDateTime } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { bad, fail, invalid, type Call, type Fault } from './call.ts';
import { lifecycle, required } from './definitions.ts';
import { isWon, linked, stageOf } from './store.ts';
import type { Definition, ObjectType, Portal, Row, Service } from './store.ts';

/** The values of a record that a request gives; an empty text clears a property. */
export type Given = ReadonlyMap<string, string>;

const isNumber = (value: string): boolean => /^-?\d{1,12}(\.\d{1,4})?$/.test(value);

/** Whether a value has the form of its type, and if not, what it must be. */
const forms: Readonly<Record<string, readonly [(value: string) => boolean, string, string]>> = {
  number: [isNumber, 'INVALID_NUMBER', 'a number'],
  date: [isDate, 'INVALID_DATE', 'a date such as 2026-05-31'],
  datetime: [isDateTime, 'INVALID_DATE', 'a time with its offset'],
  bool: [(value) => ['true', 'false'].includes(value), 'INVALID_BOOLEAN', 'true or false'],
  string: [(value) => value.length <= 1000, 'INVALID_LENGTH', 'no longer than 1000 characters'],
};

interface Checked {
  readonly portal: Portal;
  readonly service: Service;
  readonly isNew: boolean;
}

/** What is wrong with the value of a property: a code, and what it must be. */
function faultIn(
  { name, type, fieldType, options }: Definition,
  value: string,
  { portal, service, isNew }: Checked,
): readonly [string, string] | undefined {
  const { has } = service;
  if (type === 'enumeration') {
    if (!isNew && has('options-unchecked-in-updates')) return undefined;
    const given = fieldType === 'checkbox' ? value.split(';') : [value];
    const judged = has('first-of-several-checked') ? given.slice(0, 1) : given;
    const isFine = judged.every((one) => options.some((option) => option.value === one));
    return isFine ? undefined : ['INVALID_OPTION', 'one of its options'];
  }
  if (name === 'email' && email(value, name) !== undefined)
    return ['INVALID_EMAIL', 'an e-mail address'];
  if (name === 'owner_id') {
    const owner = portal.owners.find(({ id }) => id === value);
    const isFine = owner !== undefined && (!owner.archived || has('inactive-owner-taken'));
    return isFine ? undefined : ['INVALID_OWNER', 'the id of an active owner'];
  }
  if (type === 'date' && has('date-not-of-calendar') && /^\d{4}-\d\d-\d\d$/.test(value))
    return undefined;
  const [isFine, code, wanted] = forms[type] ?? [() => true, '', ''];
  return isFine(value) ? undefined : [code, wanted];
}

/** The form in which a value is kept. */
function kept({ name, type }: Definition, value: string): string {
  if (name === 'email' || name === 'domain') return value.toLowerCase();
  return type === 'datetime' && value !== '' ? new Date(value).toISOString() : value;
}

/** Reads the properties of a body, and adds what is wrong with them to `faults`. */
function read(call: Call, type: ObjectType, given: Json, faults: Fault[], isNew: boolean): Given {
  const { portal, service } = call;
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const definition = portal.definitions[type].find((one) => one.name === name);
    const fault = (code: string, message: string): unknown =>
      faults.push({ in: name, code, message });
    if (definition === undefined) {
      if (!service.has('unknown-property-ignored'))
        fault('PROPERTY_DOESNT_EXIST', `There is no property ${name}.`);
    } else if (definition.readOnly) {
      if (!service.has('read-only-ignored')) fault('READ_ONLY_VALUE', `${name} can only be read.`);
    } else if (typeof value !== 'string') fault('INVALID_VALUE', `${name} must be a text.`);
    else {
      const found =
        value === '' ? undefined : faultIn(definition, value, { portal, service, isNew });
      if (found === undefined) values.set(name, kept(definition, value));
      else fault(found[0], `${name} must be ${found[1]}.`);
    }
  }
  return values;
}

/** Refuses a value of a unique property that another record has. */
function needFree({ portal, service }: Call, type: ObjectType, given: Given, target: Target): void {
  const { has } = service;
  const { row, among = portal.rows } = target;
  for (const { name, hasUniqueValue, systemDefined } of portal.definitions[type]) {
    const value = given.get(name)?.toLowerCase() ?? '';
    const isSpared =
      (name === 'email' && row !== undefined && has('email-taken-by-update')) ||
      (!systemDefined && has('custom-unique-unchecked'));
    if (!hasUniqueValue || value === '' || isSpared) continue;
    const other = among.find(
      (one) =>
        one !== row &&
        one.type === type &&
        (one.archivedAt === null || has('email-of-archived-taken')) &&
        (one.values.get(name)?.toLowerCase() === value ||
          (name === 'email' && one.emails.includes(value))),
    );
    if (other === undefined) continue;
    if (name === 'email' && row === undefined && has('taken-email-as-400'))
      bad(name, 'Another contact has this email.');
    fail(409, 'CONFLICT', `Another record has this ${name}. Existing ID: ${other.id}`, {
      context: { existingId: [other.id], propertyName: [name] },
    });
  }
}

type Values = Map<string, string>;

const set = (values: Values, name: string, value: string | undefined): unknown =>
  value === undefined ? values.delete(name) : values.set(name, value);

/** The stage of a deal and what follows from it. */
function settleDeal(call: Call, values: Values, given: Given, row?: Row): Fault[] {
  const { portal, service } = call;
  const { has } = service;
  if (row === undefined && !values.has('pipeline'))
    set(values, 'pipeline', portal.pipelines[0]?.id);
  const pipeline = portal.pipelines.find(({ id }) => id === values.get('pipeline'));
  if (pipeline === undefined)
    return [{ in: 'pipeline', code: 'INVALID_PIPELINE', message: 'There is no such pipeline.' }];
  if (row === undefined && !values.has('dealstage'))
    set(values, 'dealstage', pipeline.stages[0]?.id);
  const stage = stageOf(portal, values.get('dealstage'));
  const isOfIt = stage !== undefined && pipeline.stages.includes(stage);
  if (stage === undefined || (!isOfIt && !has('stage-of-other-pipeline')))
    return [{ in: 'dealstage', code: 'INVALID_STAGE', message: 'The pipeline has no such stage.' }];
  if (isWon(stage) && !values.get('amount') && !has('won-without-amount'))
    return [{ in: 'amount', code: 'REQUIRED_PROPERTY', message: 'A deal is won with an amount.' }];
  const before = stageOf(portal, row?.values.get('dealstage'));
  settleCloseDate(call, values, {
    ...{ wasClosed: before?.isClosed ?? false, isClosed: stage.isClosed },
    isGiven: (given.get('closedate') ?? '') !== '',
  });
  return [];
}

/** Dates a deal that is closed, and takes the date from one that is opened again. */
function settleCloseDate(
  { service }: Call,
  values: Values,
  change: Readonly<Record<'wasClosed' | 'isClosed' | 'isGiven', boolean>>,
): void {
  const { has, now } = service;
  const { wasClosed, isClosed, isGiven } = change;
  if (isClosed && !wasClosed && !has('close-date-not-set')) {
    if (!isGiven || has('close-date-overwritten'))
      values.set('closedate', new Date(now()).toISOString());
  } else if (!isClosed && wasClosed && !isGiven && !has('reopened-keeps-close-date'))
    values.delete('closedate');
}

/** The lifecycle stage of a contact goes forward only. */
function settleContact({ service }: Call, values: Values, given: Given, row?: Row): Fault[] {
  if (row === undefined && !given.has('lifecyclestage')) values.set('lifecyclestage', 'lead');
  const at = (one: string | undefined): number => lifecycle.findIndex((stage) => stage === one);
  const [before, after] = [at(row?.values.get('lifecyclestage')), at(values.get('lifecyclestage'))];
  const isBack = after >= 0 && after < before && !service.has('lifecycle-goes-back');
  const faults: Fault[] = [];
  const message = 'A lifecycle stage goes forward; it can be cleared before.';
  if (isBack) faults.push({ in: 'lifecyclestage', code: 'INVALID_LIFECYCLE_STAGE', message });
  if (!['email', 'firstname', 'lastname'].some((name) => values.get(name)))
    faults.push({
      ...{ in: 'email', code: 'REQUIRED_PROPERTY' },
      message: 'A contact has an email, a firstname or a lastname.',
    });
  return faults;
}

function settleTask({ service }: Call, values: Values): void {
  if (!values.has('status')) values.set('status', 'NOT_STARTED');
  const isDone = values.get('status') === 'COMPLETED';
  if (!isDone) values.delete('completed_at');
  else if (!values.has('completed_at'))
    values.set('completed_at', new Date(service.now()).toISOString());
}

function settle(call: Call, type: ObjectType, values: Values, given: Given, row?: Row): Fault[] {
  if (type === 'deals') return settleDeal(call, values, given, row);
  if (type === 'contacts') return settleContact(call, values, given, row);
  if (type === 'tasks') settleTask(call, values);
  return [];
}

/** The record that a request changes, and those whose values it must not take. */
export interface Target {
  readonly row?: Row;
  readonly among?: readonly Row[];
}

/** The values that a record has after the request; refuses what it must not have. */
export function nextValues(call: Call, type: ObjectType, body: Json, target: Target): Values {
  const { row } = target;
  const { has } = call.service;
  const faults: Fault[] = [];
  const given = read(call, type, body, faults, row === undefined);
  const isKept = has('cleared-as-empty-text');
  const values = new Map(row !== undefined && !has('patch-replaces') ? row.values : []);
  if (row !== undefined && has('patch-replaces'))
    for (const name of [...required[type], 'lifecyclestage', 'email', 'firstname', 'lastname'])
      set(values, name, row.values.get(name));
  for (const [name, value] of given)
    set(values, name, value === '' && !(isKept && row !== undefined) ? undefined : value);
  if (faults.length === 0) faults.push(...settle(call, type, values, given, row));
  for (const name of required[type])
    if (!values.get(name) && faults.every((one) => one.in !== name))
      faults.push({ in: name, code: 'REQUIRED_PROPERTY', message: `${name} is required.` });
  if (faults.length > 0) {
    if (row !== undefined && has('refused-update-kept'))
      for (const [name, value] of given) set(row.values, name, value === '' ? undefined : value);
    const isVague = has('refusal-without-property');
    invalid(faults.map((one) => (isVague ? { ...one, in: 'properties' } : one)));
  }
  needFree(call, type, given, target);
  return values;
}

/** The contacts of a deal that is won become customers. */
export function celebrate({ portal, service }: Call, deal: Row): void {
  if (service.has('win-leaves-lifecycle')) return;
  const customer = lifecycle.indexOf('customer');
  for (const contact of linked(portal, deal, 'contacts', service)) {
    const at = lifecycle.findIndex((one) => one === contact.values.get('lifecyclestage'));
    if (at >= customer) continue;
    contact.values.set('lifecyclestage', 'customer');
    contact.updatedAt = service.now();
  }
}
