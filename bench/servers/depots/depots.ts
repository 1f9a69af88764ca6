import { depotKind, fieldsOf, kinds, updated } from './kinds.ts';
import { pageOf } from './list.ts';
import {
  fail,
  etagOf,
  depotOf,
  show,
  writeTime,
  type Fields,
  type Operation,
  type Resource,
} from './store.ts';
import type { Call } from './call.ts';

/** The depot of the path. */
export function findDepot({ service, params }: Call, withDeleted = false): Resource {
  const depot = service.depots.get(`depots/${params['depot'] ?? ''}`);
  const isThere = depot !== undefined && (withDeleted || depot.deleteTime === undefined);
  return isThere ? depot : fail(service, 'NOT_FOUND', 'There is no such depot.');
}

export function requireEtag({ service }: Call, resource: Resource, etag: unknown): void {
  if (etag !== undefined && etag !== '' && etag !== etagOf(service, resource))
    fail(
      service,
      service.has('stale-etag-is-400') ? 'FAILED_PRECONDITION' : 'ABORTED',
      'The etag is stale.',
    );
}

export function listDepots({ service, query }: Call): Fields {
  const records = [...service.depots.values()].map((depot) => ({
    shown: show(service, depot),
    isDeleted: depot.deleteTime !== undefined,
  }));
  const { types } = depotKind(service);
  return pageOf(service, records, { query, path: 'depots', member: 'depots', types });
}

export function createDepot({ service, query, body }: Call): Fields {
  const { has, depots } = service;
  const given = has('depot-id-ignored') ? undefined : query['depot_id'];
  const name = `depots/${given ?? service.nextId('depot-')}`;
  const known = depots.get(name);
  const isFree = known?.deleteTime !== undefined && has('id-of-deleted-free');
  if (known !== undefined && !isFree && !has('depot-id-replaces'))
    return fail(service, has('taken-is-400') ? 'FAILED_PRECONDITION' : 'ALREADY_EXISTS', 'Taken.');
  const time = service.now();
  const made = fieldsOf(depotKind(service), body);
  const { create_time } = body;
  const fields = {
    ...made,
    ...(has('address-lost') ? { address: { street: '', city: '' } } : {}),
    ...(has('create-time-from-body') && create_time !== undefined ? { create_time } : {}),
  };
  const depot = { name, fields, createTime: time, updateTime: time };
  const isStored = query['validate_only'] !== 'true' || has('validate-only-creates');
  if (isStored && !has('create-not-stored')) depots.set(name, depot);
  return show(service, depot);
}

export function getDepot(call: Call): Fields {
  const { has } = call.service;
  if (!call.service.depots.has(`depots/${call.params['depot'] ?? ''}`)) {
    if (has('missing-depot-500'))
      throw new TypeError("Cannot read properties of undefined ('name')");
    if (has('missing-depot-empty')) return {};
  }
  return show(call.service, findDepot(call, !has('deleted-unreadable')));
}

export function updateDepot(call: Call): Fields {
  const { service, query, body } = call;
  const { has, depots } = service;
  const depot = findDepot(call, has('deleted-updated'));
  if (!has('stale-etag-updates')) requireEtag(call, depot, body['etag']);
  const change = { current: depot.fields, body, mask: query['update_mask'] };
  const fields = updated(service, depotKind(service), change);
  const after = { ...depot, fields, updateTime: service.now() };
  const isStored = query['validate_only'] !== 'true' || has('validate-only-updates');
  if (isStored && !has('update-not-stored')) depots.set(depot.name, after);
  return show(service, after);
}

export function deleteDepot(call: Call): Fields {
  const { service, query } = call;
  const { has, depots, vehicles } = service;
  const depot = findDepot(call, has('deleted-twice'));
  if (!has('stale-etag-deletes')) requireEtag(call, depot, query['etag']);
  const below = [...vehicles.keys()].filter((name) => depotOf(name) === depot.name);
  if (below.length > 0 && query['force'] !== 'true' && !has('full-depot-deleted'))
    return fail(service, 'FAILED_PRECONDITION', 'The depot has vehicles.');
  if (!has('force-leaves-vehicles')) for (const name of below) vehicles.delete(name);
  for (const [name, vehicle] of vehicles) {
    const { backup_depot, ...others } = vehicle.fields;
    if (backup_depot !== depot.name || has('backup-depot-dangles')) continue;
    vehicles.set(name, { ...vehicle, fields: others, updateTime: service.now() });
  }
  const time = service.now();
  const after = { ...depot, updateTime: time, deleteTime: time };
  depots.set(depot.name, after);
  return show(service, after);
}

export function undeleteDepot(call: Call): Fields {
  const { service, body } = call;
  const { has, depots } = service;
  const depot = findDepot(call, true);
  requireEtag(call, depot, body['etag']);
  if (depot.deleteTime === undefined && !has('undelete-of-live'))
    return fail(service, 'ALREADY_EXISTS', 'The depot is not deleted.');
  const fields = has('undelete-resets') ? { ...depot.fields, capacity: 20 } : depot.fields;
  const after = { ...depot, fields, updateTime: service.now(), deleteTime: undefined };
  if (!has('undelete-not-stored')) depots.set(depot.name, after);
  return show(service, after);
}

/** Milliseconds until an operation is done. */
const duration = 120;

export function inspectDepot(call: Call): Fields {
  const { service, body } = call;
  const depot = findDepot(call);
  const kind = body['kind'] === kinds[0] ? undefined : body['kind'];
  const isMeant = (vehicle: Resource): boolean =>
    depotOf(vehicle.name) === depot.name &&
    (kind === undefined ||
      vehicle.fields['kind'] === kind ||
      service.has('inspection-of-all-kinds'));
  const name = `operations/${service.nextId('op-')}`;
  const count = [...service.vehicles.values()].filter(isMeant).length;
  const operation = { name, target: depot.name, createTime: service.now(), count };
  if (!service.has('operation-nowhere')) service.operations.set(name, operation);
  return showOperation(call, name, operation);
}

export function getOperation(call: Call): Fields {
  const name = `operations/${call.params['operation'] ?? ''}`;
  return showOperation(call, name, call.service.operations.get(name));
}

function showOperation({ service }: Call, name: string, of: Operation | undefined): Fields {
  if (of === undefined) return fail(service, 'NOT_FOUND', 'There is no such operation.');
  const { has, varies, now } = service;
  const metadata = { target: of.target, create_time: writeTime(of.createTime) };
  const isDone = varies('operations-done-at-once') || now() - of.createTime >= duration;
  if (!isDone || has('operation-never-done')) return { name, metadata, done: false };
  if (has('operation-without-result')) return { name, metadata, done: true };
  const error = { code: 9, message: 'The depot has no such vehicles.' };
  const inspected_count = Math.max(1, of.count);
  const isError = of.count === 0 && !has('operation-error-as-result');
  return {
    name,
    metadata,
    done: true,
    ...(isError ? { error } : { response: { inspected_count } }),
  };
}
