import { fields, listOf, oneOf, orNull, pick, text, whole, type Rule } from '../serving/fields.ts';
import { mediaType, refuse, type Answer } from '../serving/serve.ts';
import { writeMoment } from './moments.ts';
import type { Room, RoomFields } from './office.ts';
import {
  bodyOf,
  etagOf,
  includesDeleted,
  insist,
  pageOf,
  parameter,
  requireMatch,
  respond,
  respondUnlessKnown,
  wholeParameter,
  type Admitted,
} from './request.ts';
import { findSite } from './sites.ts';

const equipment = ['screen', 'phone', 'whiteboard', 'camera'];
const names = ['name', 'capacity', 'equipment', 'notes', 'pricePerHour'];
const defaults = { equipment: [], notes: null, pricePerHour: 0 };

function ruleFor({ service: { has } }: Admitted, required: readonly string[]): Rule {
  const most = has('largest-capacity-refused') ? 499 : 500;
  const least = has('zero-capacity-accepted') ? 0 : 1;
  const number: Rule = (value, name) =>
    typeof value === 'number' && value >= 0 && value <= 10_000
      ? undefined
      : `${name} must be a number from 0 to 10000.`;
  const unique = !has('repeated-equipment-accepted');
  return fields(
    {
      name: text(1, 40),
      capacity: has('fraction-capacity-accepted') ? number : whole(least, most),
      equipment: listOf(has('unknown-equipment-accepted') ? text(1, 40) : oneOf(equipment), {
        max: 4,
        unique,
      }),
      notes: orNull(text(0, 300)),
      pricePerHour: number,
    },
    required,
  );
}

export function showRoom(room: Room, { service, base }: Admitted): object {
  const { has, sites, bookings } = service;
  const { deletedAt, image, titleThen, ...shown } = room;
  const site = sites.get(room.siteName);
  const count = [...bookings.values()].filter(
    (one) =>
      one.roomId === room.id && (one.status === 'confirmed' || has('booking-count-with-cancelled')),
  ).length;
  const href = `${base}/rooms/${room.id}`;
  const imageHref = `${href}/${has('image-href-broken') ? 'picture' : 'image'}`;
  return {
    ...shown,
    capacity: has('capacity-as-text') ? String(room.capacity) : room.capacity,
    equipment: has('equipment-null') && room.equipment.length === 0 ? null : room.equipment,
    site: {
      title: has('site-title-stale') ? titleThen : (site?.title ?? ''),
      timeZone: site?.timeZone ?? 'UTC',
    },
    bookingCount: count,
    href,
    imageHref: image === undefined || has('image-href-always-null') ? null : imageHref,
    ...(deletedAt === undefined || has('deleted-at-missing')
      ? {}
      : { deletedAt: writeMoment(deletedAt, service) }),
  };
}

/** The room of the path, also a deleted one if requested. */
export function findRoom({ incoming, service }: Admitted, withDeleted = false): Room {
  const { has, rooms } = service;
  const room = rooms.get(incoming.params['roomId'] ?? '');
  if (room === undefined && has('missing-room-500'))
    throw new TypeError("Cannot read properties of undefined (reading 'siteName')");
  const isGone = room?.deletedAt !== undefined && (!withDeleted || has('delete-is-hard'));
  if (room === undefined || isGone) return refuse(404, 'There is no such room.');
  return room;
}

export function listRooms(admitted: Admitted): Answer {
  const { incoming, service } = admitted;
  const { has } = service;
  if (has('rooms-of-unknown-site') && !service.sites.has(incoming.params['siteName'] ?? ''))
    return pageOf(admitted, [], () => ({}));
  const site = findSite(admitted, includesDeleted(incoming));
  const least = wholeParameter(incoming, 'minCapacity', { min: 1, max: 500 });
  const listed = parameter(incoming, 'equipment') ?? '';
  const all = listed === '' ? [] : listed.split(',');
  if (all.length > 5 || !all.every((one) => equipment.includes(one)))
    return refuse(400, 'equipment is invalid.');
  const wanted = has('equipment-first-only') ? all.slice(0, 1) : all;
  const withDeleted = includesDeleted(incoming);
  const found = [...service.rooms.values()].filter((room) => {
    if (room.siteName !== site.name && !has('rooms-of-all-sites')) return false;
    const isThere = (one: string): boolean => room.equipment.includes(one);
    const isEquipped =
      has('equipment-any') && wanted.length > 0 ? wanted.some(isThere) : wanted.every(isThere);
    const isLarge =
      least === undefined ||
      (has('min-capacity-excludes-bound') ? room.capacity > least : room.capacity >= least);
    return isEquipped && isLarge;
  });
  const shown = found.filter(
    (room) => room.deletedAt === undefined || (withDeleted && !has('delete-is-hard')),
  );
  const answer = pageOf(admitted, sortRooms(shown, admitted), (room) => showRoom(room, admitted));
  const json = { ...(answer.json as object) } as Record<string, unknown>;
  if (has('list-without-total')) delete json['total'];
  if (has('deleted-counts')) json['total'] = found.length;
  return { ...answer, json };
}

function sortRooms(rooms: readonly Room[], { incoming, service }: Admitted): readonly Room[] {
  const { has } = service;
  const sorts = ['capacity', '-capacity', 'name', '-name'];
  const sort = parameter(incoming, 'sort', (value) => sorts.includes(value));
  if (sort === undefined || has('sort-ignored')) return rooms;
  const sign = sort.startsWith('-') && !has('descending-ignored') ? -1 : 1;
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return rooms.toSorted((a, b) => {
    if (sort.endsWith('name')) return sign * byText(a.name, b.name);
    return has('capacity-sorted-as-text')
      ? sign * byText(String(a.capacity), String(b.capacity))
      : sign * (a.capacity - b.capacity);
  });
}

function isTaken({ service }: Admitted, fieldsOf: { name: string; siteName: string; id?: string }) {
  const { has, rooms } = service;
  const same = (name: string): boolean =>
    has('room-name-in-other-case')
      ? name === fieldsOf.name
      : name.toLowerCase() === fieldsOf.name.toLowerCase();
  return [...rooms.values()].some(
    (one) =>
      one.id !== fieldsOf.id &&
      one.deletedAt === undefined &&
      (one.siteName === fieldsOf.siteName || has('room-name-unique-everywhere')) &&
      same(one.name),
  );
}

/** The fields as the service keeps them. */
function kept(given: RoomFields, { service: { has } }: Admitted): RoomFields {
  return {
    ...given,
    equipment: has('equipment-sorted') ? given.equipment.toSorted() : given.equipment,
    pricePerHour: has('price-rounded') ? Math.round(given.pricePerHour) : given.pricePerHour,
  };
}

export function createRoom(admitted: Admitted): Answer {
  const { service, base } = admitted;
  const site = findSite(admitted);
  const body = bodyOf(admitted);
  insist(ruleFor(admitted, ['name', 'capacity'])(body, 'body'));
  const given = kept({ ...defaults, ...pick(body, names) } as unknown as RoomFields, admitted);
  if (isTaken(admitted, { name: given.name, siteName: site.name }))
    return refuse(409, 'Another room of the site has this name.');
  const id = service.nextId('room');
  const room: Room = { id, siteName: site.name, ...given, titleThen: site.title };
  service.rooms.set(id, room);
  if (service.has('room-count-not-raised')) site.surplus -= 1;
  const view = showRoom(room, admitted);
  const headers = { Location: `${base}/rooms/${id}`, ETag: etagOf(view, service) };
  return { status: 201, headers, json: view };
}

export function searchRooms(admitted: Admitted): Answer {
  const { incoming, service } = admitted;
  const { has, varies } = service;
  const q = parameter(incoming, 'q', (value) => value !== '' && [...value].length <= 60);
  if (q === undefined) return refuse(400, 'q is required.');
  const lower = (value: string): string =>
    has('search-case-sensitive') ? value : value.toLowerCase();
  const found = [...service.rooms.values()].filter(
    (room) => room.deletedAt === undefined && lower(room.name).includes(lower(q)),
  );
  return {
    status: 200,
    headers: {
      ...(has('deprecation-missing') ? {} : { Deprecation: '@1767225600' }),
      Sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
      ...(varies('deprecation-with-link')
        ? { Link: '<https://developers.deskbird-rooms.example/v3>; rel="deprecation"' }
        : {}),
    },
    json: found.slice(0, 50).map((room) => showRoom(room, admitted)),
  };
}

export function getRoom(admitted: Admitted): Answer {
  const { has } = admitted.service;
  const room = findRoom(admitted, includesDeleted(admitted.incoming) || has('deleted-readable'));
  return respondUnlessKnown(admitted, showRoom(room, admitted));
}

export function patchRoom(admitted: Admitted): Answer {
  const { incoming, service } = admitted;
  const { has } = service;
  const room = findRoom(admitted);
  requireMatch(admitted, showRoom(room, admitted));
  const types = ['application/merge-patch+json', 'application/json-patch+json'];
  const isJsonPatch = mediaType(incoming) === types[1];
  const body = bodyOf(admitted, types);
  const before = pick(room, names);
  const changed = isJsonPatch ? applyPatch(room, body, admitted) : merge(before, body, admitted);
  insist(ruleFor(admitted, ['name', 'capacity'])(changed, 'room'));
  const given = kept(changed as unknown as RoomFields, admitted);
  const { siteName, id } = room;
  if (isTaken(admitted, { name: given.name, siteName, id }) && !has('room-name-free-on-change'))
    return refuse(409, 'Another room of the site has this name.');
  Object.assign(room, given);
  const view = showRoom(room, admitted);
  if (isJsonPatch && has('patch-lost')) Object.assign(room, before);
  return respond(admitted, view);
}

type Plain = Record<string, unknown>;

/** JSON Merge Patch (RFC 7396); null resets a field to its default. */
function merge(before: Plain, body: unknown, admitted: Admitted): Plain {
  const { has } = admitted.service;
  insist(ruleFor(admitted, [])(body, 'body'));
  if (Object.keys(body as object).length === 0) insist('body must have a field.');
  const changes = pick(body, names);
  if (has('merge-null-kept') && changes['notes'] === null) delete changes['notes'];
  return { ...before, ...(has('merge-resets-others') ? { equipment: [] } : {}), ...changes };
}

interface Change {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

const changeRule = listOf(
  fields({ op: oneOf(['add', 'remove', 'replace', 'test']), path: text(1, 200, /^\//) }, [
    'op',
    'path',
  ]),
  { min: 1, max: 20 },
);

/** JSON Patch (RFC 6902) of the fields of a room, as a whole or not at all. */
function applyPatch(room: Room, body: unknown, { service: { has } }: Admitted): Plain {
  insist(changeRule(body, 'body'));
  const copy = structuredClone(pick(room, names));
  for (const change of body as Change[]) {
    const fault = applyChange(copy, change, has);
    if (fault === undefined) continue;
    if (has('json-patch-half-done')) Object.assign(room, { ...defaults, ...copy });
    insist(fault);
  }
  return { ...defaults, ...copy };
}

function applyChange(
  copy: Plain,
  { op, path, value }: Change,
  has: Admitted['service']['has'],
): string | undefined {
  const [field = '', index, ...more] = path
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (!names.includes(field) || more.length > 0) {
    if (has('odd-patch-path-500')) throw new TypeError('Cannot set properties of undefined');
    return `${path} cannot be changed.`;
  }
  if (op !== 'remove' && value === undefined) return `${path} needs a value.`;
  if (op === 'remove' && has('json-patch-remove-ignored')) return undefined;
  if (index !== undefined) return applyToList(copy[field], index, { op, path, value });
  if (op === 'test' && !has('json-patch-test-ignored'))
    return JSON.stringify(copy[field]) === JSON.stringify(value)
      ? undefined
      : `${path} is different.`;
  if (op === 'remove') delete copy[field];
  else if (op !== 'test') copy[field] = value;
  return undefined;
}

function applyToList(
  list: unknown,
  index: string,
  { op, path, value }: Change,
): string | undefined {
  const end = Array.isArray(list) ? list.length : 0;
  const at = index === '-' ? end : Number(index);
  const isPlace = /^(0|[1-9]\d*|-)$/.test(index) && at < end + (op === 'add' ? 1 : 0);
  if (!Array.isArray(list) || !isPlace) return `${path} does not exist.`;
  if (op === 'test') return list[at] === value ? undefined : `${path} is different.`;
  if (op === 'add') list.splice(at, 0, value);
  else if (op === 'remove') list.splice(at, 1);
  else list[at] = value;
  return undefined;
}

export function deleteRoom(admitted: Admitted): Answer {
  const { has, bookings } = admitted.service;
  const room = findRoom(admitted);
  room.deletedAt = Date.now();
  for (const booking of bookings.values())
    if (booking.roomId === room.id && !has('bookings-outlive-room')) booking.status = 'cancelled';
  return { status: 204 };
}

export function uploadImage(admitted: Admitted): Answer {
  const { incoming, service } = admitted;
  const { has, rooms } = service;
  const room = findRoom(admitted);
  if (incoming.bytes.length === 0) return refuse(400, 'A body is required.');
  const type = mediaType(incoming);
  if (!['image/png', 'image/jpeg'].includes(type))
    return refuse(415, 'The body must be a PNG or a JPEG.');
  const bytes = has('image-as-text')
    ? Buffer.from(incoming.bytes.toString('utf8'), 'utf8')
    : has('image-with-line-end')
      ? Buffer.concat([incoming.bytes, Buffer.from('\n')])
      : incoming.bytes;
  const image = { type: has('image-always-png') ? 'image/png' : type, bytes };
  for (const one of has('image-of-other-room') ? rooms.values() : [room]) one.image = image;
  return { status: 204 };
}

export function downloadImage(admitted: Admitted): Answer {
  const { image } = findRoom(admitted);
  if (image === undefined) return refuse(404, 'The room has no image.');
  return { status: 200, headers: { 'Content-Type': image.type }, bytes: image.bytes };
}
