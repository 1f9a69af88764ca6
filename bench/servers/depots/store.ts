import { createHash, randomUUID } from 'node:crypto';
import { choose, type Start } from '../serving/plant.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A depot or a vehicle: its fields without those that follow from others. */
export interface Resource {
  readonly name: string;
  readonly fields: Fields;
  readonly createTime: number;
  readonly updateTime: number;
  readonly deleteTime?: number | undefined;
}

export interface Operation {
  readonly name: string;
  readonly target: string;
  readonly createTime: number;
  readonly count: number;
}

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly depots: Map<string, Resource>;
  readonly vehicles: Map<string, Resource>;
  readonly operations: Map<string, Operation>;
  /** By request_id: what was asked, and the answer. */
  readonly answered: Map<string, { readonly asked: string; readonly answer: Answer }>;
  /** By depot: what its vehicle_count is below the number of vehicles. */
  readonly missed: Map<string, number>;
  readonly nextId: (prefix: string) => string;
  /** Milliseconds; no two are the same. */
  readonly now: () => number;
}

export const key = 'depot-key-5521';

const codes = {
  INVALID_ARGUMENT: [400, 3],
  FAILED_PRECONDITION: [400, 9],
  UNAUTHENTICATED: [401, 16],
  NOT_FOUND: [404, 5],
  ALREADY_EXISTS: [409, 6],
  ABORTED: [409, 10],
} as const;

/** Refuses a request as AIP-193 describes it, with the field or parameter that is wrong. */
export function fail(
  { has }: Service,
  status: keyof typeof codes,
  message: string,
  field?: string,
): never {
  const [http, grpc] = codes[status];
  const named = has('violation-elsewhere') ? 'name' : field;
  const details = [{ field_violations: [{ field: named, description: message }] }];
  const code = has('error-code-is-grpc') ? grpc : http;
  const error = {
    code,
    message,
    ...(has('error-without-status') ? {} : { status }),
    ...(field === undefined ? {} : { details }),
  };
  throw new Refused({ status: http, json: { error } });
}

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);

export const depotOf = (name: string): string => name.split('/').slice(0, 2).join('/');

export function etagOf({ has }: Service, resource: Resource): string {
  return has('etag-constant') && resource.name === depotOf(resource.name) ? 'w1' : hash(resource);
}

export const writeTime = (time: number): string => new Date(time).toISOString();

/** A resource as responses have it. */
export function show(service: Service, resource: Resource): Fields {
  const { has, vehicles, missed } = service;
  const { name, fields, createTime, updateTime, deleteTime } = resource;
  const isDepot = name === depotOf(name);
  const below = [...vehicles.keys()].filter((one) => depotOf(one) === name).length;
  const expires = deleteTime === undefined ? {} : { expire_time: writeTime(deleteTime + 2.592e9) };
  return {
    name,
    ...fields,
    ...(isDepot ? { vehicle_count: below - (missed.get(name) ?? 0) } : {}),
    create_time: writeTime(createTime),
    update_time: writeTime(has('update-time-frozen') ? createTime : updateTime),
    ...(deleteTime === undefined || has('delete-time-missing')
      ? {}
      : { delete_time: writeTime(deleteTime) }),
    ...expires,
    ...(typeof fields['create_time'] === 'string' ? { create_time: fields['create_time'] } : {}),
    etag: etagOf(service, resource),
  };
}

/** The records at the start. */
export function openStore({ defect, variant }: Start): Service {
  const varies = choose('variant', variantNames, variant);
  let [last, time] = [100, 0];
  const service: Service = {
    has: choose('defect', defectNames, defect),
    varies,
    depots: new Map(),
    vehicles: new Map(),
    operations: new Map(),
    answered: new Map(),
    missed: new Map(),
    nextId: (prefix) => {
      last += 1;
      return varies('ids-are-uuids') ? randomUUID() : `${prefix}${String(last)}`;
    },
    now: () => (time = Math.max(Date.now(), time + 1)),
  };
  if (!varies('starts-empty')) fill(service);
  return service;
}

const towns = ['north', 'harbour', 'mill', 'station', 'old-town', 'airport'];

function fill({ depots, vehicles, varies }: Service): void {
  const mark = varies('examples-unknown') ? 'x' : '';
  for (const [at, town] of towns.entries()) {
    const name = `depots/${mark}${town}`;
    const createTime = Date.UTC(2025, at, 3, 7, 30);
    const fields = {
      display_name: `${town.charAt(0).toUpperCase()}${town.slice(1)} Yard`,
      region: ['NORTH', 'SOUTH', 'EAST', 'REGION_UNSPECIFIED'][at % 4],
      capacity: [40, 8, 120, 20, 9, 300][at],
      address: { street: `Track ${String(at + 1)}`, city: at % 2 === 0 ? 'Kiel' : 'Lund' },
    };
    const deleteTime = at === 3 ? createTime + 8.64e7 : undefined;
    depots.set(name, { name, fields, createTime, updateTime: createTime, deleteTime });
  }
  for (let at = 0; at < 34; at += 1) {
    const parent = `depots/${mark}${at < 28 ? 'north' : 'mill'}`;
    const name = `${parent}/vehicles/${mark}bus-${String(at + 1)}`;
    const createTime = Date.UTC(2025, 8, 1 + (at % 28), 6, at);
    const fields = {
      license_plate: `KI${String(1000 + at * 37)}`,
      kind: ['BUS', 'TRAM', 'VAN'][at % 3],
      odometer_km: (at * 48_271) % 900_000,
      features: at % 4 === 0 ? ['ramp', 'wifi'] : at % 4 === 1 ? ['wifi'] : [],
      ...(at % 5 === 0
        ? {}
        : { purchase_date: `201${String(at % 10)}-04-0${String(1 + (at % 9))}` }),
      ...(at % 6 === 1 ? { backup_depot: `depots/${mark}harbour` } : {}),
      ...(at % 7 === 3
        ? { state: 'RETIRED', retire_time: writeTime(createTime + 8.64e8) }
        : { state: 'ACTIVE' }),
    };
    vehicles.set(name, { name, fields, createTime, updateTime: createTime });
  }
}
