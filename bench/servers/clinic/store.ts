import type { Opened } from '../serving/open-service.ts';
import type { DefectName } from './defects.ts';
import type { VariantName } from './variants.ts';

export interface Coding {
  readonly system?: string;
  readonly code: string;
  readonly display?: string;
}

export interface CodeableConcept {
  readonly coding: readonly Coding[];
  readonly text?: string;
}

export interface Reference {
  readonly reference: string;
  readonly display?: string;
}

export interface Identifier {
  readonly system?: string;
  readonly value: string;
  readonly use?: string;
}

export interface HumanName {
  readonly family: string;
  readonly given?: readonly string[];
  readonly prefix?: readonly string[];
  readonly use?: string;
}

interface Reason {
  readonly text: string;
}

interface Quantity {
  readonly value: number;
  readonly unit?: string;
}

/** Of contents, those members that the rules of the service look at. */
interface Person {
  readonly identifier?: readonly Identifier[];
  readonly active?: boolean;
  readonly name: readonly HumanName[];
  readonly telecom?: readonly { readonly system: string; readonly value: string }[];
}

export interface Patient extends Person {
  readonly gender?: string;
  readonly birthDate: string;
  readonly address?: readonly { readonly city?: string }[];
  readonly generalPractitioner?: readonly Reference[];
}

export interface Practitioner extends Person {
  readonly qualification?: readonly { readonly code: CodeableConcept }[];
}

export interface Slot {
  readonly actor: Reference;
  readonly status: 'free' | 'busy' | 'busy-unavailable';
  readonly start: string;
  readonly end: string;
  readonly comment?: string;
}

export interface Participant {
  readonly actor: Reference;
  readonly status: string;
}

export interface Appointment {
  readonly status: 'proposed' | 'booked' | 'arrived' | 'fulfilled' | 'noshow' | 'cancelled';
  readonly cancelationReason?: Reason;
  readonly description?: string;
  readonly slot: readonly Reference[];
  readonly start: string;
  readonly end: string;
  readonly minutesDuration: number;
  readonly participant: readonly Participant[];
}

export interface Observation {
  readonly status: string;
  readonly code: CodeableConcept;
  readonly subject: Reference;
  readonly performer?: readonly Reference[];
  readonly effectiveDateTime: string;
  readonly issued: string;
  readonly valueQuantity?: Quantity;
  readonly valueString?: string;
  readonly dataAbsentReason?: Reason;
  readonly referenceRange?: readonly { readonly low?: Quantity; readonly high?: Quantity }[];
  readonly interpretation?: readonly CodeableConcept[];
}

export interface MedicationRequest {
  readonly status: 'draft' | 'active' | 'on-hold' | 'completed' | 'stopped' | 'cancelled';
  readonly statusReason?: Reason;
  readonly intent: string;
  readonly medicationCodeableConcept: CodeableConcept;
  readonly subject: Reference;
  readonly requester: Reference;
  readonly authoredOn: string;
  readonly dosageInstruction?: readonly { readonly text: string }[];
}

/** The content of a resource by its kind: all but resourceType, id and meta. */
export interface Contents {
  readonly Patient: Patient;
  readonly Practitioner: Practitioner;
  readonly Slot: Slot;
  readonly Appointment: Appointment;
  readonly Observation: Observation;
  readonly MedicationRequest: MedicationRequest;
}

export type Kind = keyof Contents;

export type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Version<T> {
  readonly number: number;
  readonly at: number;
  readonly method: Method;
  /** Undefined for a deletion. */
  readonly content: T | undefined;
}

/** A resource that is there or was, with all of its versions. */
export interface Entry<T> {
  readonly id: string;
  readonly versions: Version<T>[];
}

/** A resource that is there. */
export interface Current<T> {
  readonly id: string;
  readonly number: number;
  readonly at: number;
  readonly created: number;
  readonly content: T;
}

/** The resources of one practice. */
export type Practice = { readonly [K in Kind]: Map<string, Entry<Contents[K]>> };

export interface Service extends Opened<DefectName, VariantName> {
  readonly linden: Practice;
  readonly hafen: Practice;
  requests: number;
}

export const tokens = {
  linden: 'prx-linden-83c0f1d7a62e4b95',
  hafen: 'prx-hafen-1f9a4c6e0b7d2853',
} as const;

export const openPractice = (): Practice => ({
  Patient: new Map(),
  Practitioner: new Map(),
  Slot: new Map(),
  Appointment: new Map(),
  Observation: new Map(),
  MedicationRequest: new Map(),
});

/** The resource of an entry; undefined if it is deleted. */
export function currentOf<T>({ id, versions }: Entry<T>): Current<T> | undefined {
  const last = versions.at(-1);
  if (last?.content === undefined) return undefined;
  const { number, at, content } = last;
  return { id, number, at, created: versions[0]?.at ?? at, content };
}

/** The resources of a kind that are there. */
export function allOf<K extends Kind>(practice: Practice, kind: K): Current<Contents[K]>[] {
  return [...practice[kind].values()].flatMap((entry: Entry<Contents[K]>) => {
    const current = currentOf(entry);
    return current === undefined ? [] : [current];
  });
}

/** The resource of a kind with this id, if it is there. */
export function findOne<K extends Kind>(
  practice: Practice,
  kind: K,
  id: string,
): Current<Contents[K]> | undefined {
  const entry: Entry<Contents[K]> | undefined = practice[kind].get(id);
  return entry === undefined ? undefined : currentOf(entry);
}

/** Makes the next version of a resource, or the first one. */
export function addVersion<K extends Kind>(
  practice: Practice,
  [kind, id]: readonly [K, string],
  { at, method, content }: Omit<Version<Contents[K]>, 'number'>,
): Version<Contents[K]> {
  const table: Map<string, Entry<Contents[K]>> = practice[kind];
  const entry = table.get(id) ?? { id, versions: [] };
  const version = { number: entry.versions.length + 1, at, method, content };
  entry.versions.push(version);
  table.set(id, entry);
  return version;
}

export const idIn = ({ reference }: Reference): string => reference.replace(/^\w+\//, '');

/** The id of the participant of a kind. */
export const participantOf = (
  { participant }: Pick<Appointment, 'participant'>,
  kind: 'Patient' | 'Practitioner',
): string | undefined =>
  participant
    .map(({ actor }) => actor.reference)
    .find((reference) => reference.startsWith(`${kind}/`))
    ?.replace(`${kind}/`, '');
