import {
  date,
  dateTime,
  fields as object,
  listOf,
  oneOf,
  text,
  whole,
  type Rule,
} from '../serving/fields.ts';
import { valueAt, type Comparable } from './list.ts';
import { fail, type Fields, type Service } from './store.ts';

/** A kind of resource: what its fields may be. */
export interface Kind {
  readonly rules: Readonly<Record<string, Rule>>;
  readonly required: readonly string[];
  readonly outputOnly: readonly string[];
  readonly immutable: readonly string[];
  readonly defaults: Fields;
  readonly types: Readonly<Record<string, Comparable>>;
}

const regions = ['REGION_UNSPECIFIED', 'NORTH', 'SOUTH', 'EAST', 'WEST'];
export const kinds = ['KIND_UNSPECIFIED', 'BUS', 'TRAM', 'VAN'];
const states = ['STATE_UNSPECIFIED', 'ACTIVE', 'RETIRED'];
const depotName = /^depots\/[^/]+$/;
const any = text(0, Infinity);
const times = { create_time: dateTime, update_time: dateTime };
const timeTypes = { create_time: 'time', update_time: 'time' } as const;

export function depotKind({ has }: Service): Kind {
  const address = { street: text(0, 80), city: text(0, 60) };
  return {
    rules: {
      name: any,
      display_name: text(has('empty-display-name-accepted') ? 0 : 1, 63),
      region: oneOf(regions),
      capacity: whole(0, has('capacity-too-large-accepted') ? 1e9 : 500),
      address: object(address, [], true),
      vehicle_count: whole(0, 2 ** 31 - 1),
      ...times,
      delete_time: dateTime,
      expire_time: dateTime,
      etag: any,
    },
    required: ['display_name'],
    outputOnly: [
      'name',
      'vehicle_count',
      ...Object.keys(times),
      'delete_time',
      'expire_time',
      'etag',
    ],
    immutable: [],
    defaults: {
      region: 'REGION_UNSPECIFIED',
      capacity: has('capacity-default-zero') ? 0 : 20,
      address: { street: '', city: '' },
    },
    types: {
      name: 'text',
      display_name: 'text',
      region: regions,
      capacity: 'number',
      'address.street': 'text',
      'address.city': 'text',
      vehicle_count: 'number',
      ...timeTypes,
      delete_time: 'time',
      expire_time: 'time',
    },
  };
}

export function vehicleKind({ has }: Service): Kind {
  const anyDate: Rule = text(10, 10, /^\d{4}-\d\d-\d\d$/);
  return {
    rules: {
      name: any,
      license_plate: text(4, 10, /^[A-Z0-9]{4,10}$/),
      kind: oneOf(kinds),
      odometer_km: whole(0, 2_000_000),
      purchase_date: has('impossible-date-accepted') ? anyDate : date,
      features: listOf(text(1, 30), { max: has('too-many-features-accepted') ? 1000 : 5 }),
      backup_depot: text(0, Infinity, depotName),
      state: oneOf(states),
      retire_time: dateTime,
      ...times,
      etag: any,
    },
    required: ['license_plate', 'kind'],
    outputOnly: ['name', 'state', 'retire_time', ...Object.keys(times), 'etag'],
    immutable: ['license_plate'],
    defaults: { odometer_km: 0, features: [] },
    types: {
      name: 'text',
      license_plate: 'text',
      kind: kinds,
      odometer_km: 'number',
      purchase_date: 'date',
      features: 'list',
      backup_depot: 'text',
      state: states,
      retire_time: 'time',
      ...timeTypes,
    },
  };
}

/** The rule of a body: a new resource, or the changes of one. */
export function bodyRule({ has }: Service, kind: Kind, isNew: boolean): Rule {
  const needed = has('kind-not-required') ? ['license_plate'] : kind.required;
  const required = kind.required.length > 1 ? needed : kind.required;
  return object(kind.rules, isNew ? required : [], !has('unknown-field-accepted'));
}

/** The parts of a body that a client sets. */
function written(kind: Kind, body: Fields): Fields {
  const isWritten = (name: string): boolean =>
    Object.hasOwn(kind.rules, name) && !kind.outputOnly.includes(name);
  return Object.fromEntries(Object.entries(body).filter(([name]) => isWritten(name)));
}

/** The fields of a new resource. */
export function fieldsOf(kind: Kind, body: Fields): Fields {
  const given = written(kind, body);
  const address = kind.defaults['address'];
  const located =
    address === undefined
      ? {}
      : { address: { ...address, ...(given['address'] as Fields | undefined) } };
  return { ...kind.defaults, ...given, ...located };
}

function hasMember({ defaults }: Kind, path: string): boolean {
  return ['street', 'city'].some((member) => path === `address.${member}`) && 'address' in defaults;
}

/** The fields after an update by AIP-134. */
export function updated(
  service: Service,
  kind: Kind,
  { current, body, mask }: { current: Fields; body: Fields; mask: string | undefined },
): Fields {
  const { has } = service;
  const settable = Object.keys(kind.rules).filter((name) => !kind.outputOnly.includes(name));
  const present = Object.keys(written(kind, body));
  const listed = (mask ?? '').split(',').map((path) => path.trim());
  let paths = mask === undefined || mask.trim() === '' ? present : listed;
  if (mask?.trim() === '*') paths = has('star-is-partial') ? present : settable;
  else if (has('mask-ignored')) paths = [...new Set([...paths, ...present])];
  if (mask === undefined && has('no-mask-replaces'))
    paths = [...present, ...Object.keys(kind.defaults).filter((name) => !present.includes(name))];
  if (mask !== undefined && has('mask-clears-others'))
    paths = [...paths, ...Object.keys(kind.defaults).filter((name) => !mask.includes(name))];
  let fields = { ...current };
  for (const path of paths) {
    const [name = '', member] = path.split('.');
    const isKnown =
      Object.hasOwn(kind.rules, name) &&
      (member === undefined || (name === 'address' && hasMember(kind, path)));
    if (!isKnown && !has('unknown-mask-accepted'))
      return fail(service, 'INVALID_ARGUMENT', `${path} is no field.`, 'update_mask');
    if (kind.outputOnly.includes(name) && has('output-only-mask-refused'))
      return fail(service, 'INVALID_ARGUMENT', `${path} is output only.`, 'update_mask');
    if (isKnown && !kind.outputOnly.includes(name))
      fields = set(service, kind, { fields, body, path });
  }
  return fields;
}

/** The fields with one of them changed; without a value it gets its default. */
function set(
  service: Service,
  kind: Kind,
  { fields, body, path }: { fields: Fields; body: Fields; path: string },
): Record<string, unknown> {
  const { has } = service;
  const [name = '', member] = path.split('.');
  const given = valueAt(body, path);
  if (given === undefined && has('masked-absent-kept')) return { ...fields };
  if (given === undefined && kind.required.includes(name))
    return fail(service, 'INVALID_ARGUMENT', `${name} is required.`, name);
  const isChanged = kind.immutable.includes(name) && given !== fields[name];
  if (
    (isChanged && !has('plate-changed')) ||
    (name === 'license_plate' && has('same-plate-refused'))
  )
    return fail(service, 'INVALID_ARGUMENT', `${name} is immutable.`, name);
  const value = given ?? valueAt(kind.defaults, path);
  const base = has('nested-mask-replaces') ? kind.defaults[name] : fields[name];
  if (member !== undefined) return { ...fields, [name]: { ...(base as Fields), [member]: value } };
  const { [name]: _old, ...others } = fields;
  if (value === undefined) return others;
  const isObject = name === 'address';
  return { ...others, [name]: isObject ? { ...(kind.defaults[name] as Fields), ...value } : value };
}
