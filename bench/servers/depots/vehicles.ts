import type { Call } from './call.ts';
import { findDepot, requireEtag } from './depots.ts';
import { fieldsOf, kinds, updated, vehicleKind } from './kinds.ts';
import { pageOf } from './list.ts';
import { depotOf, fail, show, writeTime, type Fields, type Resource } from './store.ts';

function findVehicle(call: Call): Resource {
  const { service, params } = call;
  const { has, vehicles } = service;
  const path = `vehicles/${params['vehicle'] ?? ''}`;
  const elsewhere = [...vehicles.values()].find(({ name }) => name.endsWith(`/${path}`));
  const { name } = findDepot(call);
  const vehicle = vehicles.get(`${name}/${path}`);
  const found = has('vehicle-below-any-depot') ? (vehicle ?? elsewhere) : vehicle;
  return found ?? fail(service, 'NOT_FOUND', 'There is no such vehicle.');
}

export function listVehicles(call: Call): Fields {
  const { service, query, params } = call;
  const { has } = service;
  const isAll = params['depot'] === '-';
  const isUnknown = !service.depots.has(`depots/${params['depot'] ?? ''}`);
  const hidden = isAll ? has('wildcard-empty') : isUnknown && has('unknown-parent-empty');
  const parent = isAll || hidden ? '-' : findDepot(call).name;
  const isListed = ({ name }: Resource): boolean =>
    !hidden && (isAll || has('vehicles-of-all-depots') || depotOf(name) === parent);
  const records = [...service.vehicles.values()]
    .filter(isListed)
    .map((vehicle) => ({ shown: show(service, vehicle), isDeleted: false }));
  const { types } = vehicleKind(service);
  return pageOf(service, records, { query, path: parent, member: 'vehicles', types });
}

/** Refuses a backup_depot that is none. `at` is where the vehicle is in the body. */
function requireBackup({ service }: Call, fields: Fields, at = ''): void {
  const { backup_depot } = fields;
  if (backup_depot === undefined) return;
  const depot = service.depots.get(backup_depot as string);
  if (depot === undefined || depot.deleteTime !== undefined)
    fail(service, 'INVALID_ARGUMENT', 'There is no such depot.', `${at}backup_depot`);
}

interface Asked {
  readonly body: Fields;
  readonly id: string | undefined;
  /** Where the vehicle is in the body. */
  readonly at?: string;
  readonly isTrusted?: boolean;
  /** Vehicles of the same batch. */
  readonly others?: readonly Resource[];
}

/** A new vehicle that is not stored yet; refuses what cannot be. */
function make(call: Call, parent: string, { body, id, at = '', isTrusted, others = [] }: Asked) {
  const { service } = call;
  const { has, vehicles } = service;
  const given = fieldsOf(vehicleKind(service), body);
  if (given['kind'] === kinds[0] && !has('kind-unspecified-accepted'))
    return fail(service, 'INVALID_ARGUMENT', 'kind is required.', `${at}kind`);
  if (!has('unknown-backup-accepted')) requireBackup(call, given, at);
  const name = `${parent}/vehicles/${id ?? service.nextId('v-')}`;
  const all = [...vehicles.values(), ...(has('plate-twice-in-batch') ? [] : others)];
  const isPlateTaken = all.some((one) => one.fields['license_plate'] === given['license_plate']);
  const isTaken = vehicles.has(name) || others.some((one) => one.name === name);
  if (isTaken || (isPlateTaken && !has('plate-twice') && isTrusted !== true))
    return fail(service, has('taken-is-400') ? 'FAILED_PRECONDITION' : 'ALREADY_EXISTS', 'Taken.');
  const { features, ...fields } = given;
  const kept = has('features-sorted') ? (features as string[]).toSorted() : features;
  const state = has('state-from-body') ? (body['state'] ?? 'ACTIVE') : 'ACTIVE';
  const time = service.now();
  return { name, fields: { ...fields, features: kept, state }, createTime: time, updateTime: time };
}

function store({ service }: Call, vehicle: Resource, isMissed: boolean): void {
  service.vehicles.set(vehicle.name, vehicle);
  const parent = depotOf(vehicle.name);
  if (isMissed) service.missed.set(parent, (service.missed.get(parent) ?? 0) + 1);
}

export function createVehicle(call: Call): Fields {
  const { service, query, body } = call;
  const { has } = service;
  const parent = findDepot(call).name;
  const isTried = query['validate_only'] === 'true';
  const isTrusted = isTried && has('validate-only-trusts');
  const vehicle = make(call, parent, { body, id: query['vehicle_id'], isTrusted });
  if (!isTried || has('validate-only-creates')) store(call, vehicle, has('count-not-raised'));
  return show(service, vehicle);
}

export function getVehicle(call: Call): Fields {
  return show(call.service, findVehicle(call));
}

export function updateVehicle(call: Call): Fields {
  const { service, query, body } = call;
  const { has } = service;
  const vehicle = findVehicle(call);
  if (!has('stale-etag-updates')) requireEtag(call, vehicle, body['etag']);
  if (vehicle.fields['state'] === 'RETIRED' && !has('retired-updated'))
    return fail(service, 'FAILED_PRECONDITION', 'The vehicle is retired.');
  const change = { current: vehicle.fields, body, mask: query['update_mask'] };
  const fields = updated(service, vehicleKind(service), change);
  if (fields['kind'] === kinds[0] && !has('kind-unspecified-accepted'))
    return fail(service, 'INVALID_ARGUMENT', 'kind is required.', 'kind');
  if (!has('backup-unchecked-on-update')) requireBackup(call, fields);
  const after = { ...vehicle, fields, updateTime: service.now() };
  if (query['validate_only'] !== 'true' || has('validate-only-updates'))
    service.vehicles.set(vehicle.name, after);
  return show(service, after);
}

export function deleteVehicle(call: Call): Fields {
  const { service, query } = call;
  const { has, vehicles, missed } = service;
  const { name } = findVehicle(call);
  const parent = depotOf(name);
  if (!has('stale-etag-deletes')) requireEtag(call, findVehicle(call), query['etag']);
  if (!has('vehicle-not-deleted')) vehicles.delete(name);
  if (has('count-not-lowered')) missed.set(parent, (missed.get(parent) ?? 0) - 1);
  return {};
}

export function retireVehicle(call: Call): Fields {
  const { service, body } = call;
  const { has, vehicles } = service;
  const vehicle = findVehicle(call);
  if (!has('stale-etag-retires')) requireEtag(call, vehicle, body['etag']);
  if (vehicle.fields['state'] === 'RETIRED' && !has('retired-again'))
    return fail(service, 'FAILED_PRECONDITION', 'The vehicle is retired.');
  const time = service.now();
  const moment = has('retire-time-missing') ? {} : { retire_time: writeTime(time) };
  const fields = { ...vehicle.fields, state: 'RETIRED', ...moment };
  const after = { ...vehicle, fields, updateTime: time };
  if (!has('retire-not-stored')) vehicles.set(vehicle.name, after);
  return show(service, after);
}

export function batchGetVehicles(call: Call): Fields {
  const { service, names } = call;
  const { has, vehicles } = service;
  const parent = findDepot(call).name;
  const found: Resource[] = [];
  for (const name of names) {
    const vehicle = vehicles.get(name);
    if (depotOf(name) !== parent && !has('batch-get-of-others'))
      return fail(service, 'INVALID_ARGUMENT', `${name} is of another depot.`, 'names');
    if (vehicle !== undefined) found.push(vehicle);
    else if (!has('batch-get-skips')) return fail(service, 'NOT_FOUND', `There is no ${name}.`);
  }
  if (has('batch-get-unordered')) found.sort((a, b) => a.createTime - b.createTime);
  return { vehicles: found.map((vehicle) => show(service, vehicle)) };
}

interface BatchRequest {
  readonly parent?: string;
  readonly vehicle_id?: string;
  readonly vehicle: Fields;
}

export function batchCreateVehicles(call: Call): Fields {
  const { service, body } = call;
  const { has } = service;
  const depot = findDepot(call).name;
  const made: Resource[] = [];
  for (const [index, request] of (body['requests'] as BatchRequest[]).entries()) {
    const { parent = depot, vehicle_id: id, vehicle } = request;
    const at = `requests[${String(index)}].`;
    if (parent !== depot && !has('batch-parent-ignored'))
      return fail(service, 'INVALID_ARGUMENT', 'parent is another depot.', `${at}parent`);
    const next = make(call, depot, { body: vehicle, id, at: `${at}vehicle.`, others: made });
    made.push(next);
    if (has('batch-half-done')) store(call, next, false);
  }
  for (const vehicle of made) store(call, vehicle, has('count-without-batch'));
  return { vehicles: made.map((vehicle) => show(service, vehicle)) };
}
