import { openService } from '../serving/open-service.ts';
import type { Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { interpret } from './records.ts';
import {
  addVersion,
  openPractice,
  type Appointment,
  type CodeableConcept,
  type Contents,
  type HumanName,
  type Kind,
  type MedicationRequest,
  type Observation,
  type Practice,
  type Service,
  type Slot,
} from './store.ts';
import { variantNames, type VariantName } from './variants.ts';

const minute = 60_000;
const kvnr = 'https://fhir.example/sid/kvnr';
const lanr = 'https://fhir.example/sid/lanr';
const file = 'https://praxis.example/akte';

/** The practices at the start. */
export function openClinic(start: Start): Service {
  const names = { defects: defectNames, variants: variantNames, uuids: 'ids-are-uuids' as const };
  const opened = openService<DefectName, VariantName>(names, start);
  const service = { ...opened, linden: openPractice(), hafen: openPractice(), requests: 0 };
  seedLinden(service.linden);
  seedHafen(service.hafen);
  return service;
}

/** Puts resources into a practice, each a minute after the one before. */
function seeder(practice: Practice, from: number) {
  let at = from;
  return <K extends Kind>(kind: K, id: string, content: Contents[K] | undefined): void => {
    at += 7 * minute;
    const isNew = !practice[kind].has(id);
    const method = content === undefined ? 'DELETE' : isNew ? 'POST' : 'PUT';
    addVersion(practice, [kind, id], { at, method, content });
  };
}

type Seed = ReturnType<typeof seeder>;

const nameOf = (text: string): HumanName => {
  const [family = '', ...given] = text.split(' ');
  return { use: 'official', family, given };
};

const concept = (system: string, code: string, display: string): CodeableConcept => ({
  coding: [{ system, code, display }],
  text: display,
});

const two = (number: number): string => String(number).padStart(2, '0');

/** An instant on a day of March 2026, in the time of Berlin. */
const berlin = (day: number, hour: number, minutes: number): string =>
  `2026-03-${two(day)}T${two(hour)}:${two(minutes)}:00+01:00`;

const doctors = [
  ['p-weiss', 'Weiß Johanna', 'Allgemeinmedizin'],
  ['p-demir', 'Demir Aylin', 'Innere Medizin'],
  ['p-novak', 'Novák Tomáš', 'Kardiologie'],
  ['p-lang', 'Lang Peter', 'Allgemeinmedizin'],
  ['p-okafor', 'Okafor Chidi', 'Pädiatrie'],
  ['p-sauer', 'Sauer Ingrid', 'Dermatologie'],
] as const;

function seedDoctors(seed: Seed): void {
  for (const [index, [id, name, specialty]] of doctors.entries()) {
    seed('Practitioner', id, {
      identifier: [{ system: lanr, value: String(483_920_100 + index * 17), use: 'official' }],
      active: id !== 'p-sauer',
      name: [{ ...nameOf(name), prefix: ['Dr.'] }],
      telecom: [{ system: 'phone', value: `+49 30 55501${String(index)}` }],
      qualification: [
        { code: concept('https://praxis.example/fachgebiet', `f${String(index)}`, specialty) },
      ],
    });
  }
}

const people = `Müller Änne Sophie;Schneider Karl;Öztürk Mehmet;Fischer Lea;García Inés María
  Bauer Josef;Nguyen Linh;Müller Hans;Ivanova Olga;Kühn Frieda;Adeyemi Tunde;Schröder Ilse
  Petit Zoé;Wagner Max;Lindström Åsa;Rossi Marco;Becker Ute;Haddad Samir;Vogel Emil;Krämer Rosa
  Jansen Piet;Yılmaz Elif;Brandt Otto;Dvořák Jana`
  .split(/[;\n]/)
  .map((name) => name.trim());

const cities = ['Berlin', 'Potsdam', 'Bernau', 'Oranienburg'];
const genders = ['female', 'male', 'male', 'female', 'female', 'unknown', 'other'];

function seedPatients(seed: Seed): void {
  for (const [index, name] of people.entries()) {
    const year = 1938 + ((index * 13) % 84);
    const day = `${two(1 + (index % 12))}-${two(1 + ((index * 5) % 28))}`;
    const insured = { system: kvnr, value: `M${String(310_119_800 + index * 7)}` };
    const number = { system: file, value: `A-${String(700 + index)}` };
    seed('Patient', String(2001 + index), {
      identifier: index % 6 === 5 ? [number] : [{ ...insured, use: 'official' }, number],
      active: index % 8 !== 7,
      name: [nameOf(name)],
      gender: genders[index % 7] ?? 'unknown',
      birthDate: `${String(year)}-${day}`,
      address: [{ city: cities[index % 4] ?? 'Berlin' }],
      ...(index % 4 === 3
        ? {}
        : {
            generalPractitioner: [{ reference: `Practitioner/${doctors[index % 3]?.[0] ?? ''}` }],
          }),
    });
  }
  seed('Patient', '2090', { name: [nameOf('Alt Gerda')], active: true, birthDate: '1931-04-02' });
  seed('Patient', '2090', undefined);
}

const free: Slot['status'] = 'free';

/** Slots of half an hour for four practitioners on several days. */
function seedSlots(seed: Seed): string[] {
  const ids: string[] = [];
  for (let index = 0; index < 36; index += 1) {
    const doctor = doctors[index % 4]?.[0] ?? '';
    const [day, hour] = [9 + Math.floor(index / 12), 8 + (Math.floor(index / 4) % 3)];
    const id = String(3001 + index);
    seed('Slot', id, {
      actor: { reference: `Practitioner/${doctor}` },
      status: index % 12 === 11 ? 'busy-unavailable' : free,
      start: berlin(day, hour, 0),
      end: berlin(day, hour, 30),
      ...(index % 12 === 11 ? { comment: 'Fortbildung' } : {}),
    });
    if (index % 12 !== 11) ids.push(id);
  }
  return ids;
}

const states: readonly Appointment['status'][] = [
  'fulfilled',
  'booked',
  'noshow',
  'cancelled',
  'arrived',
  'booked',
  'proposed',
];

function seedAppointments(seed: Seed, practice: Practice, slots: readonly string[]): void {
  for (let index = 0; index < 22; index += 1) {
    const slotId = slots[index] ?? '';
    const slot = practice.Slot.get(slotId)?.versions.at(-1)?.content;
    const status = states[index % 7] ?? 'booked';
    if (slot === undefined) continue;
    const patient = `Patient/${String(2001 + ((index * 5) % 23))}`;
    seed('Appointment', String(4001 + index), {
      status,
      ...(status === 'cancelled' ? { cancelationReason: { text: 'Patient verhindert' } } : {}),
      description: ['Vorsorge', 'Kontrolle', 'Impfung', 'Erstgespräch'][index % 4] ?? '',
      slot: [{ reference: `Slot/${slotId}` }],
      start: slot.start,
      end: slot.end,
      minutesDuration: 30,
      participant: [
        { actor: { reference: patient }, status: 'accepted' },
        { actor: slot.actor, status: 'accepted' },
      ],
    });
    if (status !== 'cancelled' && status !== 'proposed')
      seed('Slot', slotId, { ...slot, status: 'busy' });
  }
}

const loinc = 'http://loinc.org';
const measures = [
  ['8867-4', 'Heart rate', '/min', 60, 100, 58],
  ['8310-5', 'Body temperature', 'Cel', 36, 37.5, 35.9],
  ['2339-0', 'Glucose', 'mg/dL', 70, 100, 64],
  ['29463-7', 'Body weight', 'kg', undefined, undefined, 52],
] as const;

function seedObservations(seed: Seed): void {
  for (let index = 0; index < 34; index += 1) {
    const [code, display, unit, low, high, base] = measures[index % 4] ?? measures[0];
    const value = Math.round((base + index * (unit === 'Cel' ? 0.07 : 1.9)) * 10) / 10;
    const common: Omit<Observation, 'issued'> = {
      status: index % 5 === 4 ? 'preliminary' : 'final',
      code: concept(loinc, code, display),
      subject: { reference: `Patient/${String(2001 + (index % 17))}` },
      performer: [{ reference: `Practitioner/${doctors[index % 5]?.[0] ?? ''}` }],
      effectiveDateTime: `2026-02-${two(1 + (index % 27))}T${
        index % 2 === 0 ? '09:10:00+01:00' : '23:40:00Z'
      }`,
      ...(index % 11 === 10
        ? { dataAbsentReason: { text: 'Patient hat abgelehnt' } }
        : { valueQuantity: { value, unit } }),
      ...(low === undefined || high === undefined
        ? {}
        : { referenceRange: [{ low: { value: low, unit }, high: { value: high, unit } }] }),
    };
    const interpretation = interpret(common);
    seed('Observation', String(6001 + index), {
      ...common,
      issued: new Date(Date.UTC(2026, 1, 1 + (index % 27), 23, 45)).toISOString(),
      ...(interpretation === undefined ? {} : { interpretation }),
    });
  }
}

const atc = 'http://www.whocc.no/atc';
const drugs = [
  ['C07AB02', 'Metoprolol'],
  ['A10BA02', 'Metformin'],
  ['N02BE01', 'Paracetamol'],
  ['C09AA05', 'Ramipril'],
  ['H03AA01', 'Levothyroxin'],
] as const;
const stages: readonly MedicationRequest['status'][] = [
  'active',
  'draft',
  'completed',
  'on-hold',
  'active',
  'stopped',
  'cancelled',
];

function seedRequests(seed: Seed): void {
  for (let index = 0; index < 24; index += 1) {
    const [code, display] = drugs[index % 5] ?? drugs[0];
    const status = stages[index % 7] ?? 'active';
    const isEnded = ['on-hold', 'stopped', 'cancelled'].includes(status);
    seed('MedicationRequest', String(7001 + index), {
      status,
      ...(isEnded ? { statusReason: { text: 'Unverträglichkeit' } } : {}),
      intent: index % 6 === 1 ? 'plan' : 'order',
      medicationCodeableConcept: concept(atc, code, display),
      subject: { reference: `Patient/${String(2001 + index)}` },
      requester: { reference: `Practitioner/${doctors[index % 4]?.[0] ?? ''}` },
      authoredOn: new Date(Date.UTC(2026, 0, 5 + index, 10, 15)).toISOString(),
      dosageInstruction: [{ text: ['1-0-1', '1-0-0', 'bei Bedarf'][index % 3] ?? '' }],
    });
  }
}

function seedLinden(practice: Practice): void {
  const seed = seeder(practice, Date.UTC(2026, 1, 2, 7));
  seedDoctors(seed);
  seedPatients(seed);
  seedAppointments(seed, practice, seedSlots(seed));
  seedObservations(seed);
  seedRequests(seed);
}

function seedHafen(practice: Practice): void {
  const seed = seeder(practice, Date.UTC(2026, 1, 3, 7));
  const actor = { reference: 'Practitioner/d-petersen' };
  seed('Practitioner', 'd-petersen', {
    identifier: [{ system: lanr, value: '483920100' }],
    active: true,
    name: [nameOf('Petersen Wiebke')],
  });
  for (const [index, name] of ['Hansen Jens', 'Müller Änne', 'Claasen Fenja'].entries()) {
    const id = String(2501 + index);
    seed('Patient', id, {
      identifier: [{ system: kvnr, value: `K${String(210_119_800 + index)}` }],
      active: true,
      name: [nameOf(name)],
      birthDate: `19${String(61 + index)}-05-1${String(index)}`,
      generalPractitioner: [actor],
    });
    seed('Slot', String(3501 + index), {
      actor,
      status: free,
      start: berlin(9, 9 + index, 0),
      end: berlin(9, 9 + index, 20),
    });
    seed('Observation', String(6501 + index), {
      status: 'final',
      code: concept(loinc, '8867-4', 'Heart rate'),
      subject: { reference: `Patient/${id}` },
      effectiveDateTime: berlin(2, 10, index),
      issued: new Date(Date.UTC(2026, 2, 2, 9, 30)).toISOString(),
      valueQuantity: { value: 66 + index, unit: '/min' },
    });
  }
}

/** A colleague of the first practice registers a patient and measures a weight. */
export function workElsewhere({ linden, now, requests }: Service): void {
  const id = `w-${String(requests)}`;
  const add = <K extends Kind>(kind: K, content: Contents[K]): void => {
    addVersion(linden, [kind, id], { at: now(), method: 'POST', content });
  };
  add('Patient', {
    name: [nameOf('Zwischen Uwe')],
    active: true,
    birthDate: '1977-07-07',
  });
  add('Observation', {
    status: 'final',
    code: concept(loinc, '29463-7', 'Body weight'),
    subject: { reference: `Patient/${id}` },
    effectiveDateTime: '2026-02-11T08:00:00Z',
    issued: '2026-02-11T08:01:00.000Z',
    valueQuantity: { value: 71, unit: 'kg' },
  });
}
