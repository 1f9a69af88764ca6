import type { Answer } from '../serving/serve.ts';
import { searches } from './bundles.ts';
import { checkVersion, deletes, fail, placed, save, type Call } from './call.ts';
import { checkIdentifiers, sentOf } from './content.ts';
import { isId } from './rules.ts';
import * as by from './search.ts';
import { allOf, findOne, idIn, participantOf, type Practitioner } from './store.ts';

export const searchPractitioners = searches<'Practitioner'>({
  kind: 'Practitioner',
  parameters: {
    ...by.common<Practitioner>(),
    name: by.nameLike(({ content }) => content.name),
    identifier: by.token(({ content }) => by.identifiers(content.identifier)),
    active: by.code(({ content }) => String(content.active), ['true', 'false']),
  },
  sorts: { family: ({ content }) => by.plain(content.name[0]?.family ?? '') },
  standard: 'family',
});

export function putPractitioner(call: Call): Answer {
  const { practice, service, incoming } = call;
  const id = placed(call, 'id');
  if (!isId(id)) fail(service, 'value', 'The id has the wrong form.');
  const content: Practitioner = { active: true, ...sentOf(call, 'Practitioner', true) };
  const before = findOne(practice, 'Practitioner', id);
  checkVersion(call, before?.number);
  if (incoming.headers['if-none-match'] === '*' && before !== undefined)
    fail(service, 'version', 'The practitioner exists.');
  checkIdentifiers(call, 'Practitioner', [content, id]);
  if (before === undefined && service.has('restored-starts-over')) practice.Practitioner.delete(id);
  return save(call, ['Practitioner', id], { method: 'PUT', content, before });
}

export function deletePractitioner(call: Call): Answer {
  return deletes(call, 'Practitioner', ({ id }) => {
    if (isUsed(call, id)) fail(call.service, 'conflict', 'There are references to it.');
  });
}

function isUsed({ practice, service }: Call, id: string): boolean {
  const patients = service.has('practitioner-in-use-deleted') ? [] : allOf(practice, 'Patient');
  return (
    patients.some(({ content }) => (content.generalPractitioner ?? []).map(idIn).includes(id)) ||
    allOf(practice, 'Slot').some(({ content }) => idIn(content.actor) === id) ||
    allOf(practice, 'Appointment').some(
      ({ content }) => participantOf(content, 'Practitioner') === id,
    ) ||
    allOf(practice, 'Observation').some(({ content }) =>
      (content.performer ?? []).map(idIn).includes(id),
    ) ||
    allOf(practice, 'MedicationRequest').some(({ content }) => idIn(content.requester) === id)
  );
}
