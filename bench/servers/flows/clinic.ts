import { counts, has, isEmpty, isThere, lacks, matches } from './claims.ts';
import type { Flow, Step } from './step.ts';

const system = 'https://fhir.example/sid/kvnr';
const identifier = [{ system, value: 'F771200345', use: 'official' }];

const ferdinand = {
  resourceType: 'Patient',
  identifier,
  name: [{ use: 'official', family: 'Flößer', given: ['Ferdinand', 'José'] }],
  gender: 'male',
  birthDate: '1961-11-30',
};

const doctor = {
  resourceType: 'Practitioner',
  id: 'flow-doctor',
  name: [{ family: 'Flurin', given: ['Annina'] }],
};

const people: Step[] = [
  {
    does: 'is refused without a token',
    send: 'GET /fhir/Patient',
    as: 'anonymous',
    status: 401,
    sees: { resourceType: 'OperationOutcome', 'issue 0 code': 'login' },
  },
  {
    does: 'puts a practitioner with an id of its own',
    send: 'PUT /fhir/Practitioner/flow-doctor',
    json: doctor,
    headers: { 'If-None-Match': '*' },
    status: 201,
    sees: { active: true, 'meta versionId': '1', 'header:etag': 'W/"1"' },
  },
  {
    does: 'is refused to create the practitioner again',
    send: 'PUT /fhir/Practitioner/flow-doctor',
    json: doctor,
    headers: { 'If-None-Match': '*' },
    status: 412,
  },
  {
    does: 'registers a patient unless there is one with the identifier',
    send: 'POST /fhir/Patient',
    json: { ...ferdinand, generalPractitioner: [{ reference: 'Practitioner/flow-doctor' }] },
    headers: { 'If-None-Exist': `identifier=${system}|F771200345` },
    status: 201,
    sees: { active: true, 'header:location': matches(/\/fhir\/Patient\/[^/]+\/_history\/1$/) },
    keeps: { patient: 'id' },
  },
  {
    does: 'gets the same patient the second time',
    send: 'POST /fhir/Patient',
    json: ferdinand,
    headers: { 'If-None-Exist': `identifier=${system}|F771200345` },
    sees: { id: '{patient}', 'meta versionId': '1' },
  },
  {
    does: 'is refused the identifier for another patient',
    send: 'POST /fhir/Patient',
    json: ferdinand,
    status: 409,
    sees: { 'issue 0 code': 'duplicate' },
  },
  {
    does: 'registers the identifier in another practice',
    send: 'POST /fhir/Patient',
    json: ferdinand,
    as: 'second',
    status: 201,
    keeps: { stranger: 'id' },
  },
  { does: 'does not see that one', send: 'GET /fhir/Patient/{stranger}', status: 404 },
  {
    does: 'finds the patient by a given name without its accent, with the practitioner',
    send: 'GET /fhir/Patient?name=jose&birthdate=le1961-11-30',
    query: { _include: 'Patient:general-practitioner' },
    sees: {
      total: 1,
      'entry * resource id': ['{patient}', 'flow-doctor'],
      'entry * search mode': ['match', 'include'],
    },
  },
  {
    does: 'reads a few elements, with those that are required',
    send: 'GET /fhir/Patient?_id={patient}&_elements=gender',
    sees: {
      'entry 0 resource gender': 'male',
      'entry 0 resource birthDate': '1961-11-30',
      'entry 0 resource identifier': isEmpty,
      'entry 0 resource meta tag 0 code': 'SUBSETTED',
    },
  },
  {
    does: 'patches the patient',
    send: 'PATCH /fhir/Patient/{patient}',
    bytes: JSON.stringify([
      { op: 'test', path: '/gender', value: 'male' },
      { op: 'add', path: '/telecom', value: [{ system: 'phone', value: '+49 30 1112' }] },
    ]),
    type: 'application/json-patch+json',
    headers: { 'If-Match': 'W/"1"' },
    sees: { 'meta versionId': '2', 'telecom 0 value': '+49 30 1112' },
  },
  {
    does: 'is refused to put an old version',
    send: 'PUT /fhir/Patient/{patient}',
    json: { ...ferdinand, id: '{patient}' },
    headers: { 'If-Match': 'W/"1"' },
    status: 412,
  },
  {
    does: 'puts the whole patient, which removes the telephone',
    send: 'PUT /fhir/Patient/{patient}',
    json: { ...ferdinand, id: '{patient}' },
    headers: { 'If-Match': 'W/"2"' },
    sees: { 'meta versionId': '3', telecom: isEmpty, generalPractitioner: isEmpty },
  },
  {
    does: 'reads the version before',
    send: 'GET /fhir/Patient/{patient}/_history/2',
    sees: { 'telecom 0 system': 'phone', 'meta versionId': '2' },
  },
  {
    does: 'is told that nothing has changed',
    send: 'GET /fhir/Patient/{patient}',
    headers: { 'If-None-Match': 'W/"3"' },
    status: 304,
  },
];

const slot = {
  resourceType: 'Slot',
  actor: { reference: 'Practitioner/flow-doctor' },
  start: '2026-06-02T00:30:00+02:00',
  end: '2026-06-02T01:10:00+02:00',
};

const later = { ...slot, start: '2026-06-02T01:10:00+02:00', end: '2026-06-02T02:00:00+02:00' };

const booking = {
  resourceType: 'Appointment',
  status: 'booked',
  slot: [{ reference: 'Slot/{slot}' }],
  participant: [{ actor: { reference: 'Patient/{patient}' }, status: 'accepted' }],
};

const appointments: Step[] = [
  {
    does: 'opens a slot',
    send: 'POST /fhir/Slot',
    json: slot,
    status: 201,
    sees: { status: 'free' },
    keeps: { slot: 'id' },
  },
  {
    does: 'opens another one that starts when it ends',
    send: 'POST /fhir/Slot',
    json: later,
    status: 201,
    keeps: { later: 'id' },
  },
  { does: 'is refused one that overlaps', send: 'POST /fhir/Slot', json: slot, status: 409 },
  {
    does: 'books an appointment',
    send: 'POST /fhir/Appointment',
    json: booking,
    status: 201,
    sees: {
      minutesDuration: 40,
      'participant * actor reference': ['Patient/{patient}', 'Practitioner/flow-doctor'],
    },
    keeps: { appointment: 'id' },
  },
  {
    does: 'is refused the slot a second time',
    send: 'POST /fhir/Appointment',
    json: booking,
    status: 409,
  },
  {
    does: 'moves it to the later slot',
    send: 'PUT /fhir/Appointment/{appointment}',
    json: { ...booking, id: '{appointment}', slot: [{ reference: 'Slot/{later}' }] },
    headers: { 'If-Match': 'W/"1"' },
    sees: { minutesDuration: 50, start: later.start },
  },
  {
    does: 'finds the first slot free and the later one busy, by the day in UTC',
    send: 'GET /fhir/Slot?actor=flow-doctor&start=2026-06-01',
    sees: { 'entry * resource status': ['free', 'busy'] },
  },
  {
    does: 'is refused to delete the patient',
    send: 'DELETE /fhir/Patient/{patient}',
    status: 409,
  },
  {
    does: 'cancels the appointment',
    send: 'POST /fhir/Appointment/{appointment}/$cancel',
    json: {
      resourceType: 'Parameters',
      parameter: [{ name: 'reason', valueString: 'On holiday' }],
    },
    sees: { status: 'cancelled', 'cancelationReason text': 'On holiday' },
  },
];

const pulse = {
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
  subject: { reference: 'Patient/{patient}' },
  effectiveDateTime: '2026-03-10T09:12:00+01:00',
  valueQuantity: { value: 100.5, unit: '/min' },
  referenceRange: [{ low: { value: 60 }, high: { value: 100 } }],
};

const request = {
  resourceType: 'MedicationRequest',
  status: 'active',
  medicationCodeableConcept: { coding: [{ code: 'C07AB02' }] },
  subject: { reference: 'Patient/{patient}' },
  requester: { reference: 'Practitioner/flow-doctor' },
};

const records: Step[] = [
  {
    does: 'records a pulse that is high',
    send: 'POST /fhir/Observation',
    json: pulse,
    status: 201,
    sees: { issued: isThere, 'interpretation 0 coding 0 code': 'H' },
    keeps: { pulse: 'id' },
  },
  {
    does: 'finds it by its value, on all pages',
    send: 'GET /fhir/Observation?value-quantity=gt100&code=http://loinc.org%7C8867-4&_count=1',
    next: { at: 'link 1 url' },
    sees: { 'pages 1 entry': counts(1), 'pages * entry * resource id': has('{pulse}') },
  },
  {
    does: 'prescribes a medication',
    send: 'POST /fhir/MedicationRequest',
    json: request,
    status: 201,
    sees: { intent: 'order' },
    keeps: { request: 'id' },
  },
  {
    does: 'is refused to stop it without a reason',
    send: 'PUT /fhir/MedicationRequest/{request}',
    json: { ...request, id: '{request}', status: 'stopped' },
    status: 422,
    sees: { 'issue 0 code': 'business-rule' },
  },
  { does: 'deletes the patient', send: 'DELETE /fhir/Patient/{patient}', status: 204 },
  {
    does: 'finds the observation deleted as well',
    send: 'GET /fhir/Observation/{pulse}',
    status: 410,
    sees: { 'issue 0 code': 'deleted' },
  },
  {
    does: 'reads all versions and the deletion',
    send: 'GET /fhir/Patient/{patient}/_history',
    sees: {
      total: 4,
      entry: counts(4),
      'entry * request method': ['DELETE', 'PUT', 'PATCH', 'POST'],
    },
  },
  {
    does: 'does not find the patient any more',
    send: 'GET /fhir/Patient?name=flo',
    sees: { 'entry * resource id': lacks('{patient}') },
  },
];

/** A clinic: a patient with versions, a booking that moves, an observation and a prescription. */
export const clinic: Flow = {
  name: 'clinic',
  steps: [...people, ...appointments, ...records],
};
