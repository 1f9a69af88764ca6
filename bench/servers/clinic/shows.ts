import type { Client } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  again,
  book,
  cancel,
  found,
  idsIn,
  known,
  newDoctor,
  newObservation,
  newPatient,
  nextOf,
  observationOf,
  patch,
  patientOf,
  post,
  prescribed,
  put,
  putDoctor,
  putMatching,
  read,
  remove,
  slotOf,
  system,
  world,
  type View,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const answers: Of<'answers'> = {
  'deleted-read-404': async (client) => {
    const { id } = await newPatient(client);
    await remove(client, `Patient/${id}`);
    return isOther(read(client, `Patient/${id}`), 410);
  },
  'outcome-without-code': async (client) =>
    (await read(client, 'Patient/no-such')).body.issue[0]?.code !== 'not-found',
  'birth-date-with-time': async (client) => (await newPatient(client)).birthDate.length !== 10,
};

/** Two patients with a family name of their own, and what a search finds of them. */
async function pair(client: Client, fields: readonly [object, object]) {
  const family = unique('Pair');
  const name = [{ family, given: ['Änne'] }];
  const first = await newPatient(client, { name, ...fields[0] });
  const second = await newPatient(client, { name, ...fields[1] });
  const find = (query: string): Promise<string> =>
    idsIn(read(client, `Patient?name=${family}${query}`));
  return { family, first, second, find };
}

const filters: Of<'filters'> = {
  'birthdate-le-excludes-day': async (client) => {
    const { first, find } = await pair(client, [{ birthDate: '1970-05-05' }, {}]);
    return (await find('&birthdate=le1970-05-05')) !== first.id;
  },
  'name-case-sensitive': async (client) => {
    const { id } = await newPatient(client, { name: [{ family: 'Überlinger' }] });
    return (await idsIn(read(client, 'Patient?name=uberLING'))) !== id;
  },
  'name-family-only': async (client) => {
    const name = [{ family: 'Kurz', given: ['Lang', 'Wilhelmine'] }];
    const { id } = await newPatient(client, { name });
    return (await idsIn(read(client, 'Patient?name=Wilhelmi'))) !== id;
  },
  'identifier-ignores-system': async (client) => {
    const identifier = [{ system, value: unique('K') }];
    await newPatient(client, { identifier });
    const path = `Patient?identifier=https://fhir.example/other|${identifier[0]?.value ?? ''}`;
    return (await read(client, path)).body.total !== 0;
  },
  'status-first-of-list': async (client) => {
    const place = await world(client);
    await book(client, place, { status: 'proposed' });
    await book(client, place);
    const path = `Appointment?patient=${place.patient.id}&status=proposed,booked`;
    return (await read(client, path)).body.total !== 2;
  },
  'repeated-date-last-counts': async (client) => {
    const fields = [{ birthDate: '1950-02-02' }, { birthDate: '1960-02-02' }] as const;
    const { second, find } = await pair(client, fields);
    return (await find('&birthdate=ge1955-01-01&birthdate=lt1965-01-01')) !== second.id;
  },
  'last-updated-compares-created': async (client) => {
    const { first, second, find } = await pair(client, [{}, {}]);
    await put(client, first, { gender: 'other' });
    return (await find(`&_lastUpdated=gt${second.meta.lastUpdated}`)) !== first.id;
  },
  'day-ignores-offset': async (client) => {
    const place = await world(client);
    const slot = {
      ...slotOf(place.doctor, '', ''),
      start: '2026-05-12T00:30:00+02:00',
      end: '2026-05-12T01:00:00+02:00',
    };
    const { id } = (await post(client, 'Slot', slot)).body;
    await book(client, place, { slot: [{ reference: `Slot/${id}` }] });
    const path = `Appointment?patient=${place.patient.id}&date=2026-05-11`;
    return (await read(client, path)).body.total !== 1;
  },
  'unknown-parameter-ignored': (client) => isOther(read(client, 'Patient?surname=Weber'), 400),
  'inactive-hidden': async (client) => {
    const { find } = await pair(client, [{ active: false }, {}]);
    return (await find('')).split(' ').length !== 2;
  },
  'deleted-still-found': async (client) => {
    const { first, second, find } = await pair(client, [{}, {}]);
    await remove(client, `Patient/${first.id}`);
    return (await find('')) !== second.id;
  },
};

const order: Of<'order'> = {
  'descending-ignored': async (client) => {
    const fields = [{ birthDate: '1950-02-02' }, { birthDate: '1960-02-02' }] as const;
    const { first, second, find } = await pair(client, fields);
    return (await find('&_sort=-birthdate')) !== `${second.id} ${first.id}`;
  },
  'second-key-ignored': async (client) => {
    const fields = [{ birthDate: '1950-02-02' }, { birthDate: '1960-02-02' }] as const;
    const { first, second, find } = await pair(client, fields);
    return (await find('&_sort=family,birthdate')) !== `${first.id} ${second.id}`;
  },
  'history-oldest-first': async (client) => {
    const patient = await newPatient(client);
    await put(client, patient, { gender: 'other' });
    const [latest] = await found(read(client, `Patient/${patient.id}/_history`));
    return latest?.meta.versionId !== '2';
  },
};

/** Two pages of observations of a patient who has four, three of them after 2020; two a page. */
async function pages(client: Client): Promise<{ first: View; second: View }> {
  const { id } = await newPatient(client);
  await newObservation(client, id, { effectiveDateTime: '2019-01-01T00:00:00Z' });
  for (const day of ['01', '02', '03'])
    await newObservation(client, id, { effectiveDateTime: `2026-02-${day}T09:00:00Z` });
  const path = `Observation?patient=${id}&date=ge2020&_count=2`;
  const { body: first } = await read(client, path);
  const { body: second } = await read(client, nextOf(first) ?? path);
  return { first, second };
}

/** The answer to a search for the two appointments of a patient. */
async function twoAppointments(client: Client, query: string): Promise<View> {
  const place = await world(client);
  await book(client, place);
  await book(client, place, { slot: [{ reference: `Slot/${place.slots[1].id}` }] });
  return (await read(client, `Appointment?patient=${place.patient.id}&${query}`)).body;
}

const paging: Of<'paging'> = {
  'total-of-page': async (client) => (await pages(client)).first.total !== 3,
  'next-drops-filters': async (client) => (await pages(client)).second.total !== 3,
  'next-on-last-page': async (client) => {
    const body = await twoAppointments(client, '_count=2');
    return nextOf(body) !== undefined;
  },
  'page-repeats-last': async (client) => (await pages(client)).second.entry?.length !== 1,
  'includes-in-total': async (client) =>
    (await twoAppointments(client, '_include=Appointment:patient')).total !== 2,
};

const selection: Of<'selection'> = {
  'elements-drop-mandatory': async (client) => {
    const { id } = await newPatient(client);
    const [shown] = await found(read(client, `Patient?_id=${id}&_elements=gender`));
    return shown?.birthDate === undefined;
  },
  'include-repeats': async (client) => {
    const { entry } = await twoAppointments(client, '_include=Appointment:patient');
    return entry?.length !== 3;
  },
};

/** Registers a patient unless there is one with this family name. */
const unlessNamed = (client: Client, family: string) =>
  client.ask<View>('POST', '/fhir/Patient', {
    json: patientOf({ name: [{ family }] }),
    headers: { 'If-None-Exist': `name=${family}` },
  });

const creates: Of<'creates'> = {
  'active-not-defaulted': async (client) =>
    (await again(client, await newPatient(client))).active !== true,
  'client-id-kept': async (client) => {
    const id = unique('mine');
    return (await newPatient(client, { id })).id === id;
  },
  'if-none-exist-ignored': async (client) => {
    const family = unique('Once');
    await unlessNamed(client, family);
    return isOther(unlessNamed(client, family), 200);
  },
  'if-none-exist-takes-first': async (client) => {
    const { family } = await pair(client, [{}, {}]);
    return isOther(unlessNamed(client, family), 412);
  },
  'issued-from-client': async (client) => {
    const issued = '2001-01-01T00:00:00.000Z';
    const { id } = await newPatient(client);
    return (await newObservation(client, id, { issued })).issued === issued;
  },
};

const updates: Of<'updates'> = {
  'put-merges': async (client) => {
    const { gender: _gender, ...rest } = await newPatient(client, { gender: 'other' });
    await put(client, rest, {});
    return (await read(client, `Patient/${rest.id}`)).body.gender !== undefined;
  },
  'other-id-accepted': async (client) => {
    const { id } = await newPatient(client);
    const json = patientOf({ id: 'another' });
    return isOther(client.ask('PUT', `/fhir/Patient/${id}`, { json }), 400);
  },
  'patch-partly-applied': async (client) => {
    const patient = await newPatient(client, { gender: 'male' });
    await patch(client, patient, [
      { op: 'replace', path: '/gender', value: 'other' },
      { op: 'remove', path: '/telecom' },
    ]);
    return (await again(client, patient)).gender !== 'male';
  },
  'identifier-twice-on-update': async (client) => {
    const identifier = [{ system, value: unique('K') }];
    const { second } = await pair(client, [{ identifier }, {}]);
    return isOther(put(client, second, { identifier }), 409);
  },
};

const versions: Of<'versions'> = {
  'stale-if-match-accepted': async (client) => {
    const patient = await newPatient(client);
    await put(client, patient, { gender: 'other' });
    return isOther(putMatching(client, patient, { gender: 'male' }), 412);
  },
  'missing-if-match-accepted': async (client) => {
    const appointment = await book(client, await world(client));
    return isOther(put(client, appointment, { status: 'arrived' }), 400);
  },
  'etag-behind': async (client) => {
    const { headers } = await put(client, await newPatient(client), { gender: 'other' });
    return headers.get('etag') !== 'W/"2"';
  },
  'not-modified-ignored': async (client) => {
    const { id } = await newPatient(client);
    return isOther(known(client, `Patient/${id}`, { 'If-None-Match': 'W/"1"' }), 304);
  },
  'vread-shows-current': async (client) => {
    const patient = await newPatient(client, { gender: 'male' });
    await put(client, patient, { gender: 'other' });
    return (await read(client, `Patient/${patient.id}/_history/1`)).body.gender !== 'male';
  },
  'history-misses-deletion': async (client) => {
    const { id } = await newPatient(client);
    await remove(client, `Patient/${id}`);
    const { entry = [] } = (await read(client, `Patient/${id}/_history`)).body;
    return entry[0]?.request?.method !== 'DELETE';
  },
  'restored-starts-over': async (client) => {
    const id = await newDoctor(client);
    await remove(client, `Practitioner/${id}`);
    return (await putDoctor(client, id)).body.meta.versionId !== '3';
  },
};

/** The status of the first slot after something was done with an appointment in it. */
async function slotAfter(
  client: Client,
  act: (appointment: View, second: View) => Promise<unknown>,
): Promise<string> {
  const place = await world(client);
  await act(await book(client, place), place.slots[1]);
  return (await again(client, place.slots[0])).status;
}

const bookings: Of<'bookings'> = {
  'busy-slot-booked': async (client) => {
    const place = await world(client);
    await book(client, place);
    return isOther(post(client, 'Appointment', place.fields), 409);
  },
  'cancel-keeps-slot-busy': async (client) =>
    (await slotAfter(client, (appointment) => cancel(client, appointment))) !== 'free',
  'reschedule-keeps-old-slot': async (client) => {
    const status = await slotAfter(client, (appointment, { id }) =>
      putMatching(client, appointment, { slot: [{ reference: `Slot/${id}` }] }),
    );
    return status !== 'free';
  },
  'fulfilled-without-arrival': async (client) => {
    const appointment = await book(client, await world(client));
    return isOther(putMatching(client, appointment, { status: 'fulfilled' }), 422);
  },
  'arrived-cancelled': async (client) => {
    const appointment = await book(client, await world(client));
    await putMatching(client, appointment, { status: 'arrived' });
    return isOther(cancel(client, appointment), 422);
  },
  'other-practitioner-accepted': async (client) => {
    const { fields, patient } = await world(client);
    const other = await newDoctor(client);
    const participant = [`Patient/${patient.id}`, `Practitioner/${other}`].map((reference) => ({
      actor: { reference },
      status: 'accepted',
    }));
    return isOther(post(client, 'Appointment', { ...fields, participant }), 422);
  },
  'slots-overlap': async (client) => {
    const { doctor } = await world(client);
    return isOther(post(client, 'Slot', slotOf(doctor, '04T08:45', '04T09:15')), 409);
  },
};

const orders: Of<'orders'> = {
  'interpretation-at-bound': async (client) => {
    const { id } = await newPatient(client);
    const referenceRange = [{ low: { value: 60 }, high: { value: 72 } }];
    const { interpretation } = await newObservation(client, id, { referenceRange });
    return interpretation?.[0]?.coding[0]?.code !== 'N';
  },
  'second-active-accepted': async (client) => {
    const { fields } = await prescribed(client);
    return isOther(post(client, 'MedicationRequest', fields), 409);
  },
  'completed-reactivated': async (client) => {
    const { request } = await prescribed(client);
    await put(client, request, { status: 'completed' });
    return isOther(put(client, request, { status: 'active' }), 422);
  },
  'hold-without-reason': async (client) => {
    const { request } = await prescribed(client);
    return isOther(put(client, request, { status: 'on-hold' }), 422);
  },
  'dosage-changed-when-active': async (client) => {
    const { request } = await prescribed(client);
    return isOther(put(client, request, { dosageInstruction: [{ text: '2-0-2' }] }), 422);
  },
};

const references: Of<'references'> = {
  'unknown-subject-accepted': (client) =>
    isOther(post(client, 'Observation', observationOf('no-such')), 422),
  'patient-with-booking-deleted': async (client) => {
    const place = await world(client);
    await book(client, place);
    return isOther(remove(client, `Patient/${place.patient.id}`), 409);
  },
  'observations-left-behind': async (client) => {
    const { id } = await newPatient(client);
    const observation = await newObservation(client, id);
    await remove(client, `Patient/${id}`);
    return isOther(read(client, `Observation/${observation.id}`), 410);
  },
  'practitioner-in-use-deleted': async (client) => {
    const doctor = await newDoctor(client);
    await newPatient(client, { generalPractitioner: [{ reference: `Practitioner/${doctor}` }] });
    return isOther(remove(client, `Practitioner/${doctor}`), 409);
  },
};

const practices: Of<'practices'> = {
  'observation-of-other-shown': async (client) => {
    const { id } = await newPatient(client);
    const observation = await newObservation(client, id);
    return isOther(read(client, `Observation/${observation.id}`, 'second'), 404);
  },
  'search-across-practices': async (client) => {
    const { slots } = await world(client);
    return (await read(client, `Slot?_id=${slots[0].id}`, 'second')).body.total !== 0;
  },
  'identifier-of-other-taken': async (client) => {
    const fields = patientOf({ identifier: [{ system, value: unique('K') }] });
    await post(client, 'Patient', fields, 'second');
    return isOther(post(client, 'Patient', fields), 201);
  },
  'history-without-token': async (client) => {
    const { id } = await newPatient(client);
    return isOther(read(client, `Patient/${id}/_history`, 'anonymous'), 401);
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...answers,
  ...filters,
  ...order,
  ...paging,
  ...selection,
  ...creates,
  ...updates,
  ...versions,
  ...bookings,
  ...orders,
  ...references,
  ...practices,
};
