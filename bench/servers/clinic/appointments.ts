import type { Answer } from '../serving/serve.ts';
import { searches } from './bundles.ts';
import { answerOf, bodyOf, check, checkVersion, currentAt, fail, save, type Call } from './call.ts';
import { newId, referred, sentOf } from './content.ts';
import { cancelRule } from './rules.ts';
import * as by from './search.ts';
import { occupy } from './slots.ts';
import {
  idIn,
  participantOf,
  type Appointment,
  type Current,
  type Participant,
  type Slot,
} from './store.ts';

const idsOf = (kind: 'Patient' | 'Practitioner') => (content: Appointment) => {
  const id = participantOf(content, kind);
  return id === undefined ? [] : [id];
};

export const searchAppointments = searches<'Appointment'>({
  kind: 'Appointment',
  parameters: {
    ...by.common<Appointment>(),
    patient: by.references('Patient', ({ content }) => idsOf('Patient')(content)),
    practitioner: by.references('Practitioner', ({ content }) => idsOf('Practitioner')(content)),
    slot: by.references('Slot', ({ content }) => content.slot.map(idIn)),
    date: by.time(({ content }) => content.start),
    status: by.code(({ content }) => content.status),
  },
  sorts: {
    date: ({ content }) => Date.parse(content.start),
    status: ({ content }) => content.status,
  },
  standard: 'date',
  includes: {
    'Appointment:patient': { kind: 'Patient', idsOf: idsOf('Patient') },
    'Appointment:practitioner': { kind: 'Practitioner', idsOf: idsOf('Practitioner') },
    'Appointment:slot': { kind: 'Slot', idsOf: ({ slot }) => slot.map(idIn) },
  },
});

type Sent = Pick<Appointment, 'slot' | 'participant'>;

/** The slot of an appointment. */
function slotOf(call: Call, { slot }: Sent): Current<Slot> {
  const [reference] = slot;
  if (reference === undefined) return fail(call.service, 'structure', 'There is no slot.');
  return referred(call, 'Slot', [reference, 'Appointment.slot']);
}

const isOf =
  (kind: string) =>
  ({ actor }: Participant): boolean =>
    actor.reference.startsWith(`${kind}/`);

/** The participants: one patient, and the practitioner of the slot. */
function participantsOf(
  call: Call,
  { participant }: Sent,
  { content: { actor } }: Current<Slot>,
): readonly Participant[] {
  const { service } = call;
  const [patient, ...others] = participant.filter(isOf('Patient'));
  if (patient === undefined || others.length > 0)
    return fail(service, 'rule', 'There must be one patient.', 'Appointment.participant');
  const [practitioner] = participant.filter(isOf('Practitioner'));
  if (practitioner === undefined)
    return [patient, { actor: { reference: actor.reference }, status: 'accepted' }];
  if (practitioner.actor.reference !== actor.reference) {
    if (!service.has('other-practitioner-accepted'))
      fail(service, 'rule', 'It is the slot of another one.', 'Appointment.participant');
    referred(call, 'Practitioner', [practitioner.actor, 'Appointment.participant']);
  }
  return participant;
}

const timesOf = ({ content: { start, end } }: Current<Slot>) => ({
  start,
  end,
  minutesDuration: Math.max(1, Math.round((Date.parse(end) - Date.parse(start)) / 60_000)),
});

function checkFree({ service }: Call, { content }: Current<Slot>): void {
  if (content.status !== 'free' && !service.has('busy-slot-booked'))
    fail(service, 'conflict', 'The slot is not free.', 'Appointment.slot');
}

export function createAppointment(call: Call): Answer {
  const { service } = call;
  const sent = sentOf(call, 'Appointment');
  if (sent.status !== 'proposed' && sent.status !== 'booked')
    fail(service, 'rule', 'A new one is proposed or booked.', 'Appointment.status');
  const slot = slotOf(call, sent);
  const participant = participantsOf(call, sent, slot);
  const actor = { reference: `Patient/${participantOf(sent, 'Patient') ?? ''}` };
  const patient = referred(call, 'Patient', [actor, 'Appointment.participant']);
  if (patient.content.active === false)
    fail(service, 'rule', 'The patient is not active.', 'Appointment.participant');
  if (sent.status === 'booked') {
    checkFree(call, slot);
    occupy(call, slot.id, 'busy');
  }
  const content: Appointment = { ...sent, participant, ...timesOf(slot) };
  return save(call, ['Appointment', newId(call, 'Appointment')], { method: 'POST', content });
}

const next: Readonly<Record<Appointment['status'], readonly Appointment['status'][]>> = {
  proposed: ['booked'],
  booked: ['arrived', 'noshow'],
  arrived: ['fulfilled'],
  fulfilled: [],
  noshow: [],
  cancelled: [],
};

const mayMove: readonly Appointment['status'][] = ['proposed', 'booked'];
const isHolding = ({ status }: Appointment): boolean =>
  status !== 'proposed' && status !== 'cancelled';

export function updateAppointment(call: Call): Answer {
  const { service, incoming } = call;
  const before = currentAt(call, 'Appointment');
  const sent = sentOf(call, 'Appointment', true);
  if (incoming.headers['if-match'] === undefined && !service.has('missing-if-match-accepted'))
    fail(service, 'structure', 'If-Match is required.');
  checkVersion(call, before.number);
  checkStatus(call, before.content, sent);
  const [oldSlot, slot] = [idIn(before.content.slot[0] ?? { reference: '' }), slotOf(call, sent)];
  const isMoved = oldSlot !== slot.id;
  if (isMoved && !mayMove.includes(before.content.status))
    fail(service, 'rule', 'The slot stays.', 'Appointment.slot');
  const kept = isMoved ? sent.participant.filter(isOf('Patient')) : sent.participant;
  const participant = participantsOf(call, { ...sent, participant: kept }, slot);
  const { cancelationReason: reason } = before.content;
  const content: Appointment = {
    ...sent,
    ...(reason === undefined ? {} : { cancelationReason: reason }),
    participant,
    ...timesOf(slot),
  };
  if (participantOf(content, 'Patient') !== participantOf(before.content, 'Patient'))
    fail(service, 'rule', 'The patient stays.', 'Appointment.participant');
  const [held, holds] = [isHolding(before.content), isHolding(content)];
  if (holds && (isMoved || !held)) {
    checkFree(call, slot);
    occupy(call, slot.id, 'busy');
  }
  if (held && isMoved && !service.has('reschedule-keeps-old-slot')) occupy(call, oldSlot, 'free');
  return save(call, ['Appointment', before.id], { method: 'PUT', content, before });
}

function checkStatus(
  { service }: Call,
  { status: from }: Pick<Appointment, 'status'>,
  { status: to }: Pick<Appointment, 'status'>,
): void {
  const isShortcut =
    from === 'booked' && to === 'fulfilled' && service.has('fulfilled-without-arrival');
  if (from !== to && !next[from].includes(to) && !isShortcut)
    fail(service, 'rule', `It cannot go from ${from} to ${to}.`, 'Appointment.status');
}

interface CancelParameters {
  readonly parameter: readonly { readonly valueString: string }[];
}

export function cancelAppointment(call: Call): Answer {
  const { service } = call;
  const before = currentAt(call, 'Appointment');
  const { status, slot } = before.content;
  const body = bodyOf(call);
  check(call, 'Parameters', [cancelRule, body]);
  if (status === 'cancelled') return answerOf(call, 'Appointment', before);
  const isOpen =
    mayMove.includes(status) || (status === 'arrived' && service.has('arrived-cancelled'));
  if (!isOpen) fail(service, 'rule', `It is ${status}.`, 'Appointment.status');
  if (isHolding(before.content) && !service.has('cancel-keeps-slot-busy'))
    for (const reference of slot) occupy(call, idIn(reference), 'free');
  const [reason] = (body as CancelParameters).parameter;
  const content: Appointment = {
    ...before.content,
    status: 'cancelled',
    cancelationReason: { text: reason?.valueString ?? '' },
  };
  return save(call, ['Appointment', before.id], { method: 'POST', content, before });
}
