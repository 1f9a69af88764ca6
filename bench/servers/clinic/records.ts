import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { searches } from './bundles.ts';
import {
  bodyOf,
  canonical,
  checkVersion,
  currentAt,
  fail,
  instant,
  save,
  type Call,
} from './call.ts';
import { checkActive, newId, referred, sentOf } from './content.ts';
import * as by from './search.ts';
import {
  allOf,
  idIn,
  type CodeableConcept,
  type MedicationRequest,
  type Observation,
} from './store.ts';

export const searchObservations = searches<'Observation'>({
  kind: 'Observation',
  parameters: {
    ...by.common<Observation>(),
    patient: by.references('Patient', ({ content }) => [idIn(content.subject)]),
    performer: by.references('Practitioner', ({ content }) => (content.performer ?? []).map(idIn)),
    code: by.token(({ content }) => by.codings(content.code.coding)),
    status: by.code(({ content }) => content.status),
    date: by.time(({ content }) => content.effectiveDateTime),
    'value-quantity': by.quantity(({ content }) => content.valueQuantity?.value),
  },
  sorts: { date: ({ content }) => Date.parse(content.effectiveDateTime) },
  standard: '-date',
});

const interpretationSystem = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation';

/** How the value lies to its range; undefined without a value or a range. */
export function interpret(
  { valueQuantity, referenceRange }: Pick<Observation, 'valueQuantity' | 'referenceRange'>,
  isStrict = false,
): readonly CodeableConcept[] | undefined {
  const [range] = referenceRange ?? [];
  if (valueQuantity === undefined || range === undefined) return undefined;
  const { value } = valueQuantity;
  const { low, high } = range;
  const isLow = low !== undefined && value < low.value;
  const isHigh = high !== undefined && (isStrict ? value >= high.value : value > high.value);
  const code = isLow ? 'L' : isHigh ? 'H' : 'N';
  return [{ coding: [{ system: interpretationSystem, code }] }];
}

const values = ['valueQuantity', 'valueString', 'dataAbsentReason'] as const;

export function createObservation(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const sent = sentOf(call, 'Observation');
  if (values.filter((name) => sent[name] !== undefined).length !== 1)
    fail(service, 'rule', `It has one of ${values.join(', ')}.`, 'Observation');
  if (Date.parse(sent.effectiveDateTime) > Date.now())
    fail(service, 'rule', 'It is in the future.', 'Observation.effectiveDateTime');
  if (!has('unknown-subject-accepted'))
    referred(call, 'Patient', [sent.subject, 'Observation.subject']);
  for (const performer of sent.performer ?? [])
    referred(call, 'Practitioner', [performer, 'Observation.performer']);
  const { issued } = bodyOf(call) as Json;
  const interpretation = interpret(sent, has('interpretation-at-bound'));
  const isOwn = has('issued-from-client') && typeof issued === 'string';
  const content: Observation = {
    ...sent,
    issued: isOwn ? issued : instant(service.now()),
    ...(interpretation === undefined ? {} : { interpretation }),
  };
  return save(call, ['Observation', newId(call, 'Observation')], { method: 'POST', content });
}

export const searchRequests = searches<'MedicationRequest'>({
  kind: 'MedicationRequest',
  parameters: {
    ...by.common<MedicationRequest>(),
    patient: by.references('Patient', ({ content }) => [idIn(content.subject)]),
    requester: by.references('Practitioner', ({ content }) => [idIn(content.requester)]),
    code: by.token(({ content }) => by.codings(content.medicationCodeableConcept.coding)),
    status: by.code(({ content }) => content.status),
    authoredon: by.time(({ content }) => content.authoredOn),
  },
  sorts: {
    authoredon: ({ content }) => Date.parse(content.authoredOn),
    status: ({ content }) => content.status,
  },
  standard: '-authoredon',
  includes: {
    'MedicationRequest:patient': { kind: 'Patient', idsOf: ({ subject }) => [idIn(subject)] },
    'MedicationRequest:requester': {
      kind: 'Practitioner',
      idsOf: ({ requester }) => [idIn(requester)],
    },
  },
});

/** Refuses a second request for what the patient takes already. */
function checkSingle({ practice, service }: Call, content: MedicationRequest, own?: string): void {
  if (service.has('second-active-accepted')) return;
  const keysOf = ({ medicationCodeableConcept }: MedicationRequest): readonly string[] =>
    medicationCodeableConcept.coding.map(({ system = '', code }) => `${system}|${code}`);
  const wanted = keysOf(content);
  const isTaken = allOf(practice, 'MedicationRequest').some(
    ({ id, content: other }) =>
      id !== own &&
      idIn(other.subject) === idIn(content.subject) &&
      (other.status === 'active' || other.status === 'on-hold') &&
      keysOf(other).some((key) => wanted.includes(key)),
  );
  if (isTaken)
    fail(service, 'taken', 'The patient has such a request.', 'MedicationRequest.status');
}

const withIntent = (sent: MedicationRequest): MedicationRequest => ({
  ...sent,
  intent: (sent as Partial<MedicationRequest>).intent ?? 'order',
});

export function createRequest(call: Call): Answer {
  const { service } = call;
  const sent = withIntent(sentOf(call, 'MedicationRequest'));
  if (sent.status !== 'draft' && sent.status !== 'active')
    fail(service, 'rule', 'A new one is draft or active.', 'MedicationRequest.status');
  referred(call, 'Patient', [sent.subject, 'MedicationRequest.subject']);
  checkActive(call, [sent.requester, 'MedicationRequest.requester']);
  if (sent.status === 'active') checkSingle(call, sent);
  const content = { ...sent, authoredOn: instant(service.now()) };
  const place = ['MedicationRequest', newId(call, 'MedicationRequest')] as const;
  return save(call, place, { method: 'POST', content });
}

type Status = MedicationRequest['status'];

const next: Readonly<Record<Status, readonly Status[]>> = {
  draft: ['active', 'cancelled'],
  active: ['on-hold', 'completed', 'stopped'],
  'on-hold': ['active', 'stopped'],
  completed: [],
  stopped: [],
  cancelled: [],
};

const fixed = ['medicationCodeableConcept', 'requester', 'intent', 'dosageInstruction'] as const;

export function updateRequest(call: Call): Answer {
  const before = currentAt(call, 'MedicationRequest');
  const { content: old } = before;
  const sent = withIntent(sentOf(call, 'MedicationRequest', true));
  const content: MedicationRequest = { ...sent, authoredOn: old.authoredOn };
  checkVersion(call, before.number);
  checkUpdate(call, old, content);
  if (old.status === 'draft') {
    checkActive(call, [content.requester, 'MedicationRequest.requester']);
    if (content.status === 'active') checkSingle(call, content, before.id);
  }
  return save(call, ['MedicationRequest', before.id], { method: 'PUT', content, before });
}

function checkUpdate({ service }: Call, old: MedicationRequest, content: MedicationRequest): void {
  const { has } = service;
  const { status } = content;
  const refuse = (text: string, place: string): never =>
    fail(service, 'rule', text, `MedicationRequest.${place}`);
  const isRevived =
    has('completed-reactivated') && old.status === 'completed' && status === 'active';
  if (old.status !== status && !next[old.status].includes(status) && !isRevived)
    refuse(`It cannot go from ${old.status} to ${status}.`, 'status');
  const isOver = next[old.status].length === 0 && !isRevived;
  if (isOver && canonical(old) !== canonical(content)) refuse(`It is ${status}.`, 'status');
  const needsReason =
    (status === 'on-hold' && !has('hold-without-reason')) ||
    status === 'cancelled' ||
    status === 'stopped';
  if (needsReason && content.statusReason === undefined) refuse('It is required.', 'statusReason');
  if (canonical(old.subject) !== canonical(content.subject)) refuse('It stays.', 'subject');
  if (old.status === 'draft') return;
  const stays = fixed.filter(
    (name) => name !== 'dosageInstruction' || !has('dosage-changed-when-active'),
  );
  for (const name of stays)
    if (canonical([old[name]]) !== canonical([content[name]])) refuse('It stays.', name);
}
