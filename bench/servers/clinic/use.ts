import type { Client, Got } from '../serving/client.ts';
import { pathOf, unique } from '../serving/showing.ts';

interface Ref {
  readonly reference: string;
}

interface Named {
  readonly family: string;
}

interface HistoryEntry {
  readonly resource?: View;
  readonly request?: { readonly method: string };
}

/** What any resource, Bundle or OperationOutcome may have. */
export interface View {
  readonly resourceType: string;
  readonly id: string;
  readonly meta: { readonly versionId: string; readonly lastUpdated: string };
  readonly active?: boolean;
  readonly name: readonly Named[];
  readonly gender?: string;
  readonly birthDate: string;
  readonly status: string;
  readonly slot: readonly Ref[];
  readonly issued: string;
  readonly interpretation?: readonly {
    readonly coding: readonly { readonly code: string }[];
  }[];
  readonly total: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly HistoryEntry[];
  readonly issue: readonly { readonly code?: string }[];
}

export type Reply = Promise<Got<View>>;

type Headers = Readonly<Record<string, string>>;

export const read = (client: Client, path: string, as = 'first'): Reply =>
  client.ask<View>('GET', `/fhir/${path}`, { as });

export const known = (client: Client, path: string, headers: Headers): Reply =>
  client.ask<View>('GET', `/fhir/${path}`, { headers });

export const post = (client: Client, path: string, json: object, as = 'first'): Reply =>
  client.ask<View>('POST', `/fhir/${path}`, { json, as });

export const remove = (client: Client, path: string): Reply =>
  client.ask<View>('DELETE', `/fhir/${path}`);

/** Sends the whole resource, with a change and perhaps a header. */
export const put = (client: Client, view: object, change: object, headers: Headers = {}): Reply => {
  const json = { ...view, ...change };
  const { resourceType, id } = view as View;
  return client.ask<View>('PUT', `/fhir/${resourceType}/${id}`, { json, headers });
};

/** Sends the resource with the ETag that it was read with. */
export const putMatching = (client: Client, view: View, change: object): Reply =>
  put(client, view, change, { 'If-Match': `W/"${view.meta.versionId}"` });

export const patch = (client: Client, { id }: View, operations: readonly object[]): Reply =>
  client.ask<View>('PATCH', `/fhir/Patient/${id}`, {
    bytes: JSON.stringify(operations),
    type: 'application/json-patch+json',
  });

/** The resource as it is read now. */
export const again = async (client: Client, { resourceType, id }: View): Promise<View> =>
  (await read(client, `${resourceType}/${id}`)).body;

/** The resources of a bundle, without those that are included. */
export async function found(reply: Reply): Promise<readonly View[]> {
  const { entry = [] } = (await reply).body;
  return entry.flatMap(({ resource }) => (resource === undefined ? [] : [resource]));
}

export const idsIn = async (reply: Reply): Promise<string> =>
  (await found(reply)).map(({ id }) => id).join(' ');

export const nextOf = ({ link }: View): string | undefined =>
  link
    .filter(({ relation }) => relation === 'next')
    .map(({ url }) => pathOf(url).replace('/fhir/', ''))[0];

export const system = 'https://fhir.example/sid/kvnr';

const born = '1980-01-19';

export const patientOf = (fields: object = {}): object => ({
  resourceType: 'Patient',
  name: [{ family: unique('Family'), given: ['Änne'] }],
  birthDate: born,
  ...fields,
});

export const newPatient = async (client: Client, fields: object = {}): Promise<View> =>
  (await post(client, 'Patient', patientOf(fields))).body;

export const putDoctor = (client: Client, id: string, headers: Headers = {}): Reply => {
  const doctor = { resourceType: 'Practitioner', id, name: [{ family: 'Show' }] };
  return put(client, doctor, {}, headers);
};

/** A new practitioner's id. */
export async function newDoctor(client: Client): Promise<string> {
  const id = unique('d');
  await putDoctor(client, id);
  return id;
}

export const slotOf = (doctor: string, start: string, end: string): object => ({
  resourceType: 'Slot',
  actor: { reference: `Practitioner/${doctor}` },
  start: `2026-05-${start}:00Z`,
  end: `2026-05-${end}:00Z`,
});

/** A patient, a practitioner and two slots of the practitioner. */
export interface World {
  readonly patient: View;
  readonly doctor: string;
  readonly slots: readonly [View, View];
  /** The fields of an appointment in the first slot. */
  readonly fields: object;
}

export async function world(client: Client): Promise<World> {
  const [patient, doctor] = [await newPatient(client), await newDoctor(client)];
  const open = async (start: string, end: string): Promise<View> =>
    (await post(client, 'Slot', slotOf(doctor, start, end))).body;
  const slots = [await open('04T09:00', '04T09:30'), await open('05T09:00', '05T09:45')] as const;
  const fields = {
    resourceType: 'Appointment',
    status: 'booked',
    slot: [{ reference: `Slot/${slots[0].id}` }],
    participant: [{ actor: { reference: `Patient/${patient.id}` }, status: 'accepted' }],
  };
  return { patient, doctor, slots, fields };
}

export const book = async (client: Client, { fields }: World, more: object = {}): Promise<View> =>
  (await post(client, 'Appointment', { ...fields, ...more })).body;

export const cancel = (client: Client, { id }: View): Reply =>
  post(client, `Appointment/${id}/$cancel`, {
    resourceType: 'Parameters',
    parameter: [{ name: 'reason', valueString: 'Ill' }],
  });

export const observationOf = (patient: string, fields: object = {}): object => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
  subject: { reference: `Patient/${patient}` },
  effectiveDateTime: '2026-02-10T09:00:00Z',
  valueQuantity: { value: 72, unit: '/min' },
  ...fields,
});

export const newObservation = async (
  client: Client,
  patient: string,
  fields: object = {},
): Promise<View> => (await post(client, 'Observation', observationOf(patient, fields))).body;

const requestOf = (patient: string, doctor: string, fields: object = {}): object => ({
  resourceType: 'MedicationRequest',
  status: 'active',
  medicationCodeableConcept: { coding: [{ system: 'http://www.whocc.no/atc', code: 'C07AB02' }] },
  subject: { reference: `Patient/${patient}` },
  requester: { reference: `Practitioner/${doctor}` },
  dosageInstruction: [{ text: '1-0-1' }],
  ...fields,
});

/** An active request of a new patient, and the fields of another one. */
export async function prescribed(client: Client): Promise<{ request: View; fields: object }> {
  const [{ id }, doctor] = [await newPatient(client), await newDoctor(client)];
  const fields = requestOf(id, doctor);
  const { body: request } = await post(client, 'MedicationRequest', fields);
  return { request, fields };
}
