import type { Definition, ObjectType, Option, Pipeline, Stage } from './store.ts';

export const lifecycle = ['subscriber', 'lead', 'opportunity', 'customer', 'evangelist'] as const;

/** The field types of each type of property. */
export const fieldTypes: Readonly<Record<string, readonly string[]>> = {
  string: ['text', 'textarea'],
  number: ['number'],
  date: ['date'],
  datetime: ['date'],
  bool: ['booleancheckbox'],
  enumeration: ['select', 'radio', 'checkbox'],
};

/**
 * Properties by their names: `type`, then `unique` or `read-only` or `several`, and after a colon
 * the options.
 */
const common = {
  record_id: 'string read-only',
  createdate: 'datetime read-only',
  lastmodifieddate: 'datetime read-only',
  owner_id: 'string',
};

const systemDefined: Readonly<Record<ObjectType, Readonly<Record<string, string>>>> = {
  contacts: {
    ...common,
    email: 'string unique',
    firstname: 'string',
    lastname: 'string',
    phone: 'string',
    jobtitle: 'string',
    city: 'string',
    birthday: 'date',
    score: 'number',
    opted_in: 'bool',
    interests: 'enumeration several: product events webinars training',
    lifecyclestage: `enumeration: ${lifecycle.join(' ')}`,
    additional_emails: 'string read-only',
    merged_record_ids: 'string read-only',
    next_activity_date: 'datetime read-only',
  },
  companies: {
    ...common,
    name: 'string',
    domain: 'string unique',
    city: 'string',
    industry: 'enumeration: construction education hospitality retail software',
    employees: 'number',
    num_associated_contacts: 'number read-only',
    total_revenue: 'number read-only',
  },
  deals: {
    ...common,
    dealname: 'string',
    amount: 'number',
    pipeline: 'string',
    dealstage: 'string',
    closedate: 'datetime',
    deal_type: 'enumeration: newbusiness existingbusiness',
    probability: 'number read-only',
    is_closed: 'bool read-only',
    is_won: 'bool read-only',
    forecast_amount: 'number read-only',
  },
  tasks: {
    ...common,
    subject: 'string',
    body: 'string',
    due: 'datetime',
    status: 'enumeration: NOT_STARTED IN_PROGRESS COMPLETED',
    priority: 'enumeration: LOW MEDIUM HIGH',
    completed_at: 'datetime read-only',
  },
};

/** A name in words. */
const labelOf = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ').toLowerCase();

const optionsOf = (values: readonly string[]): Option[] =>
  values.map((value, displayOrder) => ({ label: labelOf(value), value, displayOrder }));

function define(name: string, text: string, moment: number): Definition {
  const [head = '', values = ''] = text.split(': ');
  const [type = '', more] = head.split(' ');
  const [first = ''] = fieldTypes[type] ?? [];
  return {
    ...{ name, label: labelOf(name), type },
    fieldType: more === 'several' ? 'checkbox' : first,
    options: values === '' ? [] : optionsOf(values.split(' ')),
    ...{ hasUniqueValue: more === 'unique', readOnly: more === 'read-only', systemDefined: true },
    ...{ createdAt: moment, updatedAt: moment },
  };
}

/** The properties that every portal has. */
export function defineAll(moment: number): Record<ObjectType, Definition[]> {
  const of = (type: ObjectType): Definition[] =>
    Object.entries(systemDefined[type]).map(([name, text]) => define(name, text, moment));
  const [contacts, companies] = [of('contacts'), of('companies')];
  return { contacts, companies, deals: of('deals'), tasks: of('tasks') };
}

/** What a record shows unless told. */
export const shownByDefault: Readonly<Record<ObjectType, readonly string[]>> = {
  contacts: ['email', 'firstname', 'lastname'],
  companies: ['name', 'domain'],
  deals: ['dealname', 'amount', 'pipeline', 'dealstage', 'closedate'],
  tasks: ['subject', 'status', 'due'],
};

export const alwaysShown = ['createdate', 'lastmodifieddate', 'record_id'] as const;

/** Properties that a record must have a value of. */
export const required: Readonly<Record<ObjectType, readonly string[]>> = {
  contacts: [],
  companies: ['name'],
  deals: ['dealname', 'pipeline', 'dealstage'],
  tasks: ['subject', 'due', 'status'],
};

/** A stage of its label and probability; one with the probability 0 or 1 is closed. */
const stage = (id: string, label: string, probability: string): Stage => ({
  ...{ id, label, probability, isClosed: ['0.0', '1.0'].includes(probability) },
});

const sales = [
  stage('inquiry', 'New inquiry', '0.1'),
  stage('demo', 'Demo held', '0.35'),
  stage('contract', 'Contract sent', '0.8'),
  stage('closedwon', 'Closed won', '1.0'),
  stage('closedlost', 'Closed lost', '0.0'),
];

const renewals = [
  stage('upcoming', 'Upcoming', '0.6'),
  stage('offered', 'Offer sent', '0.75'),
  stage('renewed', 'Renewed', '1.0'),
  stage('churned', 'Churned', '0.0'),
];

export const pipelines: readonly Pipeline[] = [
  { id: 'default', label: 'Sales', stages: sales },
  { id: 'renewals', label: 'Renewals', stages: renewals },
];
