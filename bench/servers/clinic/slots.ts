import type { Answer } from '../serving/serve.ts';
import { searches } from './bundles.ts';
import { deletes, fail, save, store, type Call } from './call.ts';
import { checkActive, newId, sentOf } from './content.ts';
import * as by from './search.ts';
import { allOf, findOne, idIn, type Slot } from './store.ts';

export const searchSlots = searches<'Slot'>({
  kind: 'Slot',
  parameters: {
    ...by.common<Slot>(),
    actor: by.references('Practitioner', ({ content }) => [idIn(content.actor)]),
    start: by.time(({ content }) => content.start),
    status: by.code(({ content }) => content.status),
  },
  sorts: { start: ({ content }) => Date.parse(content.start) },
  standard: 'start',
});

const longest = 4 * 3_600_000;

const timesOf = ({ start, end }: Slot): readonly [number, number] => [
  Date.parse(start),
  Date.parse(end),
];

export function createSlot(call: Call): Answer {
  const { practice, service } = call;
  const sent = sentOf(call, 'Slot');
  const content: Slot = { ...sent, status: sent.status ?? 'free' };
  if (content.status === 'busy')
    fail(service, 'rule', 'Slots become busy by appointments.', 'Slot.status');
  const [start, end] = timesOf(content);
  if (end <= start || end - start > longest)
    fail(service, 'rule', 'The end does not fit to the start.', 'Slot.end');
  checkActive(call, [content.actor, 'Slot.actor']);
  const isShort = service.has('slots-overlap');
  const overlaps = allOf(practice, 'Slot').some((other) => {
    const [from, to] = timesOf(other.content);
    const isOwn = idIn(other.content.actor) === idIn(content.actor);
    return isOwn && (isShort ? from <= start && start < to : from < end && start < to);
  });
  if (overlaps) fail(service, 'conflict', 'There is another slot at that time.', 'Slot.start');
  return save(call, ['Slot', newId(call, 'Slot')], { method: 'POST', content });
}

/** Makes a slot busy or free. */
export function occupy(call: Call, id: string, status: 'busy' | 'free'): void {
  const slot = findOne(call.practice, 'Slot', id);
  if (slot === undefined || slot.content.status === status) return;
  store(call, ['Slot', id], ['PUT', { ...slot.content, status }]);
}

export function deleteSlot(call: Call): Answer {
  return deletes(call, 'Slot', ({ id }) => {
    const isUsed = allOf(call.practice, 'Appointment').some(({ content }) =>
      content.slot.map(idIn).includes(id),
    );
    if (isUsed) fail(call.service, 'conflict', 'There are appointments in the slot.');
  });
}
