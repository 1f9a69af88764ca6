import { isDateTime } from '../serving/fields.ts';
import type { Answer } from '../serving/serve.ts';
import { matchesOf, searches, type Search } from './bundles.ts';
import {
  answerOf,
  baseOf,
  bundle,
  checkVersion,
  currentAt,
  deletes,
  entryOf,
  etagOf,
  fail,
  instant,
  placed,
  save,
  show,
  store,
  type Call,
} from './call.ts';
import { checkActive, checkIdentifiers, newId, sentOf } from './content.ts';
import { patched } from './patch.ts';
import * as by from './search.ts';
import {
  allOf,
  currentOf,
  idIn,
  participantOf,
  type Appointment,
  type Patient,
  type Version,
} from './store.ts';

const patients: Search<'Patient'> = {
  kind: 'Patient',
  parameters: {
    ...by.common<Patient>(),
    name: by.nameLike(({ content }) => content.name),
    'name:exact': by.nameLike(({ content }) => content.name, 'exact'),
    'name:contains': by.nameLike(({ content }) => content.name, 'contains'),
    identifier: by.token(({ content }) => by.identifiers(content.identifier)),
    birthdate: by.birthday(({ content }) => content.birthDate),
    gender: by.code(({ content }) => content.gender ?? ''),
    active: by.code(({ content }) => String(content.active), ['true', 'false']),
    'general-practitioner': by.references('Practitioner', ({ content }) =>
      (content.generalPractitioner ?? []).map(idIn),
    ),
  },
  sorts: {
    family: ({ content }) => by.plain(content.name[0]?.family ?? ''),
    birthdate: ({ content }) => content.birthDate,
  },
  standard: '-_lastUpdated',
  includes: {
    'Patient:general-practitioner': {
      kind: 'Practitioner',
      idsOf: ({ generalPractitioner = [] }) => generalPractitioner.map(idIn),
    },
  },
};

export const searchPatients = searches(patients);

/** Refuses a patient whom the rules of the practice do not allow. */
function checkRules(call: Call, content: Patient, ownId?: string): void {
  const { service } = call;
  if (content.birthDate > instant(Date.now()).slice(0, 10))
    fail(service, 'rule', 'The birthDate is in the future.', 'Patient.birthDate');
  for (const reference of content.generalPractitioner ?? [])
    checkActive(call, [reference, 'Patient.generalPractitioner']);
  const isBlind = ownId !== undefined && service.has('identifier-twice-on-update');
  if (!isBlind) checkIdentifiers(call, 'Patient', [content, ownId]);
}

const withActive = (call: Call, sent: Patient): Patient =>
  call.service.has('active-not-defaulted') ? sent : { active: true, ...sent };

export function createPatient(call: Call): Answer {
  const content = withActive(call, sentOf(call, 'Patient'));
  const found = foundBefore(call);
  if (found !== undefined) return found;
  checkRules(call, content);
  return save(call, ['Patient', newId(call, 'Patient')], { method: 'POST', content });
}

/** The answer if If-None-Exist finds a patient. */
function foundBefore(call: Call): Answer | undefined {
  const { service, incoming } = call;
  const { 'if-none-exist': header } = incoming.headers;
  if (header === undefined || service.has('if-none-exist-ignored')) return undefined;
  const query = new URLSearchParams(String(header).replace(/^\?/, ''));
  if (query.size === 0) fail(service, 'value', 'If-None-Exist has no parameters.');
  const [first, ...more] = matchesOf(call, patients, query);
  if (more.length > 0 && !service.has('if-none-exist-takes-first'))
    fail(service, 'several', 'If-None-Exist finds several patients.');
  return first === undefined ? undefined : answerOf(call, 'Patient', first);
}

export function updatePatient(call: Call): Answer {
  const { has } = call.service;
  const before = currentAt(call, 'Patient');
  const sent = sentOf(call, 'Patient', true);
  const content = has('put-merges') ? { ...before.content, ...sent } : withActive(call, sent);
  checkVersion(call, before.number, has('stale-if-match-accepted'));
  checkRules(call, content, before.id);
  return save(call, ['Patient', before.id], { method: 'PUT', content, before });
}

export function patchPatient(call: Call): Answer {
  const before = currentAt(call, 'Patient');
  const apply = patched(call, before);
  checkVersion(call, before.number);
  const content = withActive(call, apply());
  checkRules(call, content, before.id);
  return save(call, ['Patient', before.id], { method: 'PATCH', content, before });
}

const open: readonly Appointment['status'][] = ['proposed', 'booked', 'arrived'];

export function deletePatient(call: Call): Answer {
  const { practice, service } = call;
  return deletes(call, 'Patient', ({ id }) => {
    const appointments = allOf(practice, 'Appointment').filter(
      ({ content }) => participantOf(content, 'Patient') === id,
    );
    const isOpen = appointments.some(
      ({ content: { status } }) =>
        open.includes(status) &&
        !(status === 'booked' && service.has('patient-with-booking-deleted')),
    );
    if (isOpen) fail(service, 'conflict', 'The patient has open appointments.');
    for (const { id: one } of appointments) store(call, ['Appointment', one], gone);
    if (!service.has('observations-left-behind')) clear(call, 'Observation', id);
    clear(call, 'MedicationRequest', id);
  });
}

const gone = ['DELETE', undefined] as const;

/** Deletes what is about a patient. */
function clear(call: Call, kind: 'Observation' | 'MedicationRequest', patient: string): void {
  for (const { id, content } of allOf(call.practice, kind))
    if (idIn(content.subject) === patient) store(call, [kind, id], gone);
}

const statuses = { POST: '201', PUT: '200', PATCH: '200', DELETE: '204' } as const;

export function historyOfPatient(call: Call): Answer {
  const { incoming, service } = call;
  const { id, versions } = entryOf(call, 'Patient');
  const since = incoming.query.get('_since');
  const isOdd = [...incoming.query.keys()].some((name) => name !== '_since');
  if (isOdd || (since !== null && !isDateTime(since)))
    fail(service, 'value', 'A parameter is not valid.');
  const shown = versions.filter(
    ({ at, content }) =>
      (since === null || at >= Date.parse(since)) &&
      (content !== undefined || !service.has('history-misses-deletion')),
  );
  const url = `${baseOf(call)}/Patient/${id}`;
  const entry = shown.map((version) => ({
    fullUrl: url,
    ...(version.content === undefined ? {} : { resource: resourceOf(call, id, version) }),
    request: {
      method: version.method,
      url: version.method === 'POST' ? 'Patient' : `Patient/${id}`,
    },
    response: {
      status: statuses[version.method],
      etag: etagOf(version.number),
      lastModified: instant(version.at),
    },
  }));
  if (!service.has('history-oldest-first')) entry.reverse();
  const link = [
    {
      relation: 'self',
      url: `${url}/_history${since === null ? '' : `?_since=${encodeURIComponent(since)}`}`,
    },
  ];
  return bundle({ type: 'history', total: entry.length, link, entry });
}

const resourceOf = (call: Call, id: string, { number, at, content }: Version<Patient>) =>
  show(call, 'Patient', { id, number, at, content: content ?? {} });

export function vreadPatient(call: Call): Answer {
  const { service } = call;
  const entry = entryOf(call, 'Patient');
  const { id, versions } = entry;
  const version = versions.find(({ number }) => String(number) === placed(call, 'vid'));
  if (version === undefined) return fail(service, 'missing', 'There is no such version.');
  const { number, at, content } = version;
  if (content === undefined) return fail(service, 'gone', 'The version is a deletion.');
  const current = currentOf(entry)?.content;
  const isCurrent = service.has('vread-shows-current') && current !== undefined;
  return answerOf(call, 'Patient', { id, number, at, content: isCurrent ? current : content });
}
