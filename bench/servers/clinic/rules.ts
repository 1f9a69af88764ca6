import { date, dateTime, fields, flag, listOf, oneOf, text, type Rule } from '../serving/fields.ts';
import type { Kind } from './store.ts';

const closed = (rules: Readonly<Record<string, Rule>>, ...required: readonly string[]): Rule =>
  fields(rules, required, true);

const idForm = '[A-Za-z0-9.-]{1,64}';
export const isId = (value: string): boolean => new RegExp(`^${idForm}$`).test(value);

const referenceTo = (kinds: string): Rule =>
  closed(
    { reference: text(1, 90, new RegExp(`^(?:${kinds})/${idForm}$`)), display: text(0, 120) },
    'reference',
  );

const number: Rule = (value, name) =>
  typeof value === 'number' && Math.abs(value) <= 100_000
    ? undefined
    : `${name} must be a number from -100000 to 100000.`;

const coding = closed({ system: text(0, 120), code: text(1, 60), display: text(0, 200) }, 'code');
const concept = closed(
  { coding: listOf(coding, { min: 1, max: 5 }), text: text(0, 200) },
  'coding',
);
const reason = closed({ text: text(1, 200) }, 'text');
const quantity = closed(
  { value: number, unit: text(0, 40), system: text(0, 120), code: text(0, 40) },
  'value',
);

const identifier = closed(
  {
    system: text(0, 120),
    value: text(1, 60),
    use: oneOf(['usual', 'official', 'temp', 'secondary', 'old']),
  },
  'value',
);

const name = closed(
  {
    use: oneOf(['usual', 'official', 'nickname', 'maiden', 'old']),
    family: text(1, 80),
    given: listOf(text(1, 80), { max: 5 }),
    prefix: listOf(text(0, 20), { max: 3 }),
  },
  'family',
);

const contact = closed(
  {
    system: oneOf(['phone', 'email', 'fax', 'sms']),
    value: text(1, 120),
    use: oneOf(['home', 'work', 'mobile']),
  },
  'system',
  'value',
);

const person = {
  identifier: listOf(identifier, { max: 5 }),
  active: flag,
  name: listOf(name, { min: 1, max: 5 }),
  telecom: listOf(contact, { max: 5 }),
};

const address = closed({
  line: listOf(text(0, 120), { max: 3 }),
  city: text(0, 80),
  postalCode: text(0, 12),
  country: text(0, 40),
});

const participant = closed(
  {
    actor: referenceTo('Patient|Practitioner'),
    status: oneOf(['accepted', 'declined', 'tentative', 'needs-action']),
  },
  'actor',
  'status',
);

/** The rules of the members that clients may send, by kind. */
export const members: Readonly<Record<Kind, Readonly<Record<string, Rule>>>> = {
  Patient: {
    ...person,
    gender: oneOf(['male', 'female', 'other', 'unknown']),
    birthDate: date,
    address: listOf(address, { max: 3 }),
    generalPractitioner: listOf(referenceTo('Practitioner'), { max: 2 }),
  },
  Practitioner: {
    ...person,
    qualification: listOf(closed({ code: concept }, 'code'), { max: 5 }),
  },
  Slot: {
    actor: referenceTo('Practitioner'),
    status: oneOf(['free', 'busy', 'busy-unavailable']),
    start: dateTime,
    end: dateTime,
    comment: text(0, 200),
  },
  Appointment: {
    status: oneOf(['proposed', 'booked', 'arrived', 'fulfilled', 'noshow', 'cancelled']),
    description: text(0, 200),
    comment: text(0, 500),
    slot: listOf(referenceTo('Slot'), { min: 1, max: 1 }),
    participant: listOf(participant, { min: 1, max: 2 }),
  },
  Observation: {
    status: oneOf(['preliminary', 'final']),
    code: concept,
    subject: referenceTo('Patient'),
    performer: listOf(referenceTo('Practitioner'), { max: 2 }),
    effectiveDateTime: dateTime,
    valueQuantity: quantity,
    valueString: text(1, 500),
    dataAbsentReason: reason,
    referenceRange: listOf(closed({ low: quantity, high: quantity }), { max: 1 }),
  },
  MedicationRequest: {
    status: oneOf(['draft', 'active', 'on-hold', 'completed', 'stopped', 'cancelled']),
    statusReason: reason,
    intent: oneOf(['order', 'plan']),
    medicationCodeableConcept: concept,
    subject: referenceTo('Patient'),
    requester: referenceTo('Practitioner'),
    dosageInstruction: listOf(closed({ text: text(1, 200), asNeededBoolean: flag }, 'text'), {
      max: 5,
    }),
    note: listOf(closed({ text: text(1, 500) }, 'text'), { max: 5 }),
  },
};

/** Members that the server sets, and that it ignores in bodies. */
const ownMembers: Readonly<Record<Kind, readonly string[]>> = {
  Patient: [],
  Practitioner: [],
  Slot: [],
  Appointment: ['cancelationReason', 'start', 'end', 'minutesDuration'],
  Observation: ['issued', 'interpretation'],
  MedicationRequest: ['authoredOn'],
};

const needed: Readonly<Record<Kind, readonly string[]>> = {
  Patient: ['name', 'birthDate'],
  Practitioner: ['name'],
  Slot: ['actor', 'start', 'end'],
  Appointment: ['status', 'slot', 'participant'],
  Observation: ['status', 'code', 'subject', 'effectiveDateTime'],
  MedicationRequest: ['status', 'medicationCodeableConcept', 'subject', 'requester'],
};

const ownMandatory = ['start', 'end', 'minutesDuration', 'issued', 'authoredOn'];

/** The members of a kind that every resource has, whoever sets them. */
export const mandatory = (kind: Kind): readonly string[] => [
  ...needed[kind],
  ...ownMembers[kind].filter((member) => ownMandatory.includes(member)),
];

/** All members of a kind. */
export const elementsOf = (kind: Kind): readonly string[] => [
  'resourceType',
  'id',
  'meta',
  ...Object.keys(members[kind]),
  ...ownMembers[kind],
];

const anything: Rule = () => undefined;

/** The rule of a body of the kind. */
export const bodyRule = (kind: Kind, isUpdate: boolean): Rule =>
  closed(
    {
      ...members[kind],
      ...Object.fromEntries(ownMembers[kind].map((member) => [member, anything])),
      resourceType: oneOf([kind]),
      id: isUpdate ? text(1, 64) : anything,
      meta: anything,
    },
    'resourceType',
    ...(isUpdate ? ['id'] : []),
    ...needed[kind],
  );

export const cancelRule = closed(
  {
    resourceType: oneOf(['Parameters']),
    parameter: listOf(
      closed({ name: oneOf(['reason']), valueString: text(1, 200) }, 'name', 'valueString'),
      { min: 1, max: 1 },
    ),
  },
  'resourceType',
  'parameter',
);

export const patchRule = listOf(
  closed(
    {
      op: oneOf(['add', 'replace', 'remove', 'test']),
      path: text(0, 200, /^(\/.*)?$/),
      value: anything,
    },
    'op',
    'path',
  ),
  { min: 1, max: 50 },
);
