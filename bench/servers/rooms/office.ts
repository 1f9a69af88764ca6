import { randomUUID } from 'node:crypto';
import { choose, type Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export interface Site {
  readonly name: string;
  title: string;
  country: string;
  timeZone: string;
  floors: number;
  deletedAt?: number | undefined;
  /** What roomCount is above the number of rooms. */
  surplus: number;
}

/** The fields of a room that a client sets. */
export interface RoomFields {
  name: string;
  capacity: number;
  equipment: string[];
  notes: string | null;
  pricePerHour: number;
}

export interface Room extends RoomFields {
  readonly id: string;
  readonly siteName: string;
  deletedAt?: number | undefined;
  image?: { readonly type: string; readonly bytes: Buffer };
  readonly titleThen: string;
}

export interface Recurrence {
  readonly frequency: string;
  readonly interval?: number | null;
  readonly count: number;
}

export interface Attendee {
  readonly email: string;
  readonly name: string | null;
  readonly answer?: string;
}

export interface Booking {
  readonly id: string;
  readonly roomId: string;
  title: string;
  start: number;
  end: number;
  recurrence?: Recurrence | null | undefined;
  status: string;
  organizer: string;
  attendees: Attendee[];
  readonly createdAt: number;
  readonly nameThen: string;
}

export interface Webhook {
  readonly id: string;
  readonly owner: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly sites: Map<string, Site>;
  readonly rooms: Map<string, Room>;
  readonly bookings: Map<string, Booking>;
  readonly webhooks: Map<string, Webhook>;
  readonly nextId: (prefix: string) => string;
  requests: number;
}

export const keys = { ines: 'desk-key-ines-44a1', tomas: 'desk-key-tomas-9b30' } as const;

/** The records at the start. */
export function openOffice({ defect, variant }: Start): Service {
  const has = choose('defect', defectNames, defect);
  const varies = choose('variant', variantNames, variant);
  const last: Record<string, number> = { room: 200, book: 300, hook: 400 };
  const nextId = (prefix: string): string => {
    last[prefix] = (last[prefix] ?? 0) + 1;
    return varies('ids-are-uuids') ? randomUUID() : `${prefix}-${String(last[prefix])}`;
  };
  const service: Service = {
    has,
    varies,
    sites: new Map(),
    rooms: new Map(),
    bookings: new Map(),
    webhooks: new Map(),
    nextId,
    requests: 0,
  };
  if (!varies('starts-empty')) fill(service);
  return service;
}

const zoneOf: Readonly<Record<string, string>> = {
  harbour: 'Europe/Copenhagen',
  garden: 'Europe/Berlin',
  tower: 'America/New_York',
};

function fill(service: Service): void {
  const { sites, rooms, bookings, nextId } = service;
  for (const [name, timeZone] of Object.entries(zoneOf)) {
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)} House`;
    sites.set(name, { name, title, country: 'DE', timeZone, floors: 3, surplus: 0 });
  }
  for (let at = 0; at < 24; at += 1) {
    const siteName = Object.keys(zoneOf)[at < 21 ? 0 : 1] ?? 'harbour';
    const id = nextId('room');
    rooms.set(id, {
      id,
      siteName,
      name: `${['Fjord', 'Dune', 'Skerry', 'Moor'][at % 4] ?? ''} ${String(at + 1)}`,
      capacity: ((at * 7) % 12) + 2,
      equipment: at % 3 === 0 ? [] : at % 2 === 0 ? ['screen', 'phone'] : ['whiteboard'],
      notes: at % 2 === 0 ? null : 'Key at the desk',
      pricePerHour: at * 2.5,
      titleThen: sites.get(siteName)?.title ?? '',
    });
  }
  for (const [at, room] of [...rooms.values()].slice(0, 22).entries()) {
    const id = nextId('book');
    const start = Date.UTC(2026, 4, 4 + ((at * 5) % 20), 9);
    bookings.set(id, {
      id,
      roomId: room.id,
      title: `Meeting ${String(at + 1)}`,
      start,
      end: start + 3_600_000,
      ...(at % 6 === 0 ? { recurrence: { frequency: 'weekly', interval: 1, count: 3 } } : {}),
      status: at % 7 === 3 ? 'cancelled' : 'confirmed',
      organizer: at % 2 === 0 ? 'ines' : 'tomas',
      attendees: [],
      createdAt: Date.UTC(2026, 3, 1, 8, at),
      nameThen: room.name,
    });
  }
}

/** Another user books a room that is far away. */
export function bookElsewhere({ sites, rooms, bookings, nextId }: Service): void {
  const [name, id] = ['elsewhere', 'room-elsewhere'];
  const site = { title: 'Elsewhere', country: 'FR', timeZone: 'UTC', floors: 1, surplus: 0 };
  if (!sites.has(name)) sites.set(name, { name, ...site });
  const fields = { name: 'Far', capacity: 2, equipment: [], notes: null, pricePerHour: 0 };
  if (!rooms.has(id)) rooms.set(id, { id, siteName: name, ...fields, titleThen: 'Elsewhere' });
  const booking = nextId('book');
  const start = Date.UTC(2030, 0, 1) + bookings.size * 3_600_000;
  bookings.set(booking, {
    id: booking,
    roomId: id,
    title: 'Someone else',
    start,
    end: start + 1_800_000,
    status: 'confirmed',
    organizer: 'tomas',
    attendees: [],
    createdAt: Date.now(),
    nameThen: 'Far',
  });
}
