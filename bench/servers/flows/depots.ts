import { counts, has, isEmpty, isThere, lacks, matches, more, not, only } from './claims.ts';
import type { Flow, Step } from './step.ts';

const list = 'GET /v1/depots';
const vehicles = 'GET /v1/{north}/vehicles';
const ours =
  'display_name = "Flow North" OR display_name = "Flow South" OR display_name = "Flow East"';
const pages = { at: 'next_page_token', as: 'page_token' };
const uuid = '3f0c1a52-8b1e-4f6e-9a77-2f4f9d6f1c11';

const creation: Step[] = [
  {
    does: 'creates a depot with a chosen identifier',
    send: 'POST /v1/depots',
    query: { depot_id: 'flow-north' },
    json: {
      display_name: 'Flow North',
      region: 'NORTH',
      capacity: 40,
      address: { street: 'Kai 1', city: 'Kiel' },
    },
    sees: {
      name: 'depots/flow-north',
      capacity: 40,
      'address city': 'Kiel',
      vehicle_count: more('0', 0),
    },
    keeps: { north: 'name', made: 'create_time', tag: 'etag' },
  },
  {
    does: 'reads the depot by its name',
    send: 'GET /v1/{north}',
    sees: { display_name: 'Flow North', region: 'NORTH', etag: '{tag}', create_time: '{made}' },
  },
  {
    does: 'is refused the identifier a second time',
    send: 'POST /v1/depots',
    query: { depot_id: 'flow-north' },
    json: { display_name: 'Another' },
    status: 409,
    sees: { 'error status': 'ALREADY_EXISTS', 'error code': 409 },
  },
  {
    does: 'creates a depot with an identifier of the service, and the default capacity',
    send: 'POST /v1/depots',
    json: { display_name: 'Flow South', region: 'SOUTH' },
    sees: { capacity: 20, name: matches(/^depots\/./) },
    keeps: { south: 'name' },
  },
  {
    does: 'creates with validate_only, which creates nothing',
    send: 'POST /v1/depots',
    query: { depot_id: 'flow-trial', validate_only: true },
    json: { display_name: 'Trial' },
    sees: { name: 'depots/flow-trial' },
  },
  { does: 'does not find what was only validated', send: 'GET /v1/depots/flow-trial', status: 404 },
  {
    does: 'creates with a request_id',
    send: 'POST /v1/depots',
    query: { request_id: uuid },
    json: { display_name: 'Flow East', region: 'EAST', capacity: 7 },
    keeps: { east: 'name', eastMade: 'create_time' },
  },
  {
    does: 'repeats the request_id and gets the same depot',
    send: 'POST /v1/depots',
    query: { request_id: uuid },
    json: { display_name: 'Flow East', region: 'EAST', capacity: 7 },
    sees: { name: '{east}', create_time: '{eastMade}' },
  },
  {
    does: 'is refused the request_id with another body',
    send: 'POST /v1/depots',
    query: { request_id: uuid },
    json: { display_name: 'Flow West' },
    status: 400,
    sees: { 'error status': 'INVALID_ARGUMENT' },
  },
  {
    does: 'is refused a capacity above the maximum, with the field',
    send: 'POST /v1/depots',
    json: { display_name: 'Too big', capacity: 501 },
    status: 400,
    sees: { 'error details * field_violations * field': has('capacity') },
  },
];

const lists: Step[] = [
  {
    does: 'lists by a filter on a text',
    send: list,
    query: { filter: ours },
    sees: { total_size: 3, 'depots * name': ['{north}', '{south}', '{east}'] },
  },
  {
    does: 'lists by a filter with an enum and a comparison',
    send: list,
    query: { filter: `(${ours}) AND capacity >= 20 AND region != NORTH` },
    sees: { 'depots * name': ['{south}'] },
  },
  {
    does: 'lists by a field within a field',
    send: list,
    query: { filter: `(${ours}) AND NOT address.city = "Kiel"` },
    sees: { 'depots * name': ['{south}', '{east}'] },
  },
  {
    does: 'sorts by capacity, descending',
    send: list,
    query: { filter: ours, order_by: 'capacity desc, name' },
    sees: { 'depots * capacity': [40, 20, 7] },
  },
  {
    does: 'pages to the end, two at a time',
    send: list,
    query: { filter: ours, order_by: 'capacity', page_size: 2 },
    next: pages,
    sees: { pages: counts(2), 'pages * depots * name': ['{east}', '{south}', '{north}'] },
  },
  {
    does: 'keeps the token of a second page',
    send: list,
    query: { filter: ours, page_size: 1 },
    sees: { depots: counts(1), total_size: 3 },
    keeps: { token: 'next_page_token' },
  },
  {
    does: 'is refused the token with another filter',
    send: list,
    query: { filter: 'capacity > 1', page_size: 1, page_token: '{token}' },
    status: 400,
  },
  {
    does: 'is refused a filter with an unknown field',
    send: list,
    query: { filter: 'no_such_field = 3' },
    status: 400,
    sees: { 'error status': 'INVALID_ARGUMENT' },
  },
  {
    does: 'is refused a parameter that the operation does not have',
    send: list,
    query: { no_such_parameter: 1 },
    status: 400,
  },
];

const updates: Step[] = [
  {
    does: 'changes the field of the mask only',
    send: 'PATCH /v1/{north}',
    query: { update_mask: 'capacity' },
    json: { capacity: 44, display_name: 'Not this' },
    sees: { capacity: 44, display_name: 'Flow North', etag: not('{tag}'), create_time: '{made}' },
    keeps: { secondTag: 'etag' },
  },
  {
    does: 'changes a member of a field',
    send: 'PATCH /v1/{north}',
    query: { update_mask: 'address.city' },
    json: { address: { city: 'Husum' } },
    sees: { 'address city': 'Husum', 'address street': 'Kai 1' },
    keeps: { thirdTag: 'etag' },
  },
  {
    does: 'resets a field of the mask that the body lacks',
    send: 'PATCH /v1/{south}',
    query: { update_mask: 'region,capacity' },
    json: { capacity: 33 },
    sees: { region: 'REGION_UNSPECIFIED', capacity: 33 },
  },
  {
    does: 'is refused a stale etag',
    send: 'PATCH /v1/{north}',
    json: { capacity: 1, etag: '{tag}' },
    status: 409,
    sees: { 'error status': 'ABORTED' },
  },
  {
    does: 'finds the depot as it was before the refusal',
    send: 'GET /v1/{north}',
    sees: { capacity: 44, etag: '{thirdTag}' },
  },
  {
    does: 'changes with validate_only, and is shown the change',
    send: 'PATCH /v1/{north}',
    query: { update_mask: 'capacity', validate_only: true },
    json: { capacity: 99 },
    sees: { capacity: 99 },
  },
  {
    does: 'finds that nothing was changed',
    send: 'GET /v1/{north}',
    sees: { capacity: 44, etag: '{thirdTag}' },
  },
  {
    does: 'is refused a field in the mask that is not there',
    send: 'PATCH /v1/{north}',
    query: { update_mask: 'no_such_field' },
    json: { capacity: 3 },
    status: 400,
  },
  {
    does: 'changes the members of the body without a mask',
    send: 'PATCH /v1/{east}',
    json: { capacity: 9 },
    sees: { capacity: 9, display_name: 'Flow East', region: 'EAST' },
  },
];

const below: Step[] = [
  {
    does: 'creates a vehicle in a depot',
    send: 'POST /v1/{north}/vehicles',
    query: { vehicle_id: 'bus-7' },
    json: { license_plate: 'FLOW01', kind: 'BUS', features: ['ramp'], odometer_km: 1000 },
    sees: { name: 'depots/flow-north/vehicles/bus-7', state: 'ACTIVE', features: ['ramp'] },
    keeps: { bus: 'name', busTag: 'etag' },
  },
  {
    does: 'is refused the license plate a second time',
    send: 'POST /v1/{south}/vehicles',
    json: { license_plate: 'FLOW01', kind: 'VAN' },
    status: 409,
    sees: { 'error status': 'ALREADY_EXISTS' },
  },
  {
    does: 'is refused a vehicle without a kind',
    send: 'POST /v1/{north}/vehicles',
    json: { license_plate: 'FLOW99', kind: 'KIND_UNSPECIFIED' },
    status: 400,
  },
  {
    does: 'is refused a vehicle of a depot that is not there',
    send: 'POST /v1/depots/no-such/vehicles',
    json: { license_plate: 'FLOW98', kind: 'BUS' },
    status: 404,
  },
  {
    does: 'is refused a backup depot that is not there',
    send: 'POST /v1/{north}/vehicles',
    json: { license_plate: 'FLOW97', kind: 'BUS', backup_depot: 'depots/no-such' },
    status: 400,
  },
  {
    does: 'creates two vehicles at once',
    send: 'POST /v1/{north}/vehicles:batchCreate',
    json: {
      requests: [
        {
          vehicle_id: 'tram-1',
          vehicle: { license_plate: 'FLOW02', kind: 'TRAM', backup_depot: '{east}' },
        },
        { vehicle: { license_plate: 'FLOW03', kind: 'VAN', odometer_km: 5 } },
      ],
    },
    sees: { 'vehicles * license_plate': ['FLOW02', 'FLOW03'] },
    keeps: { tram: 'vehicles 0 name', van: 'vehicles 1 name' },
  },
  {
    does: 'creates none of two when one is refused',
    send: 'POST /v1/{north}/vehicles:batchCreate',
    json: {
      requests: [
        { vehicle: { license_plate: 'FLOW04', kind: 'TRAM' } },
        { vehicle: { license_plate: 'FLOW01', kind: 'VAN' } },
      ],
    },
    status: 409,
  },
  {
    does: 'lists the vehicles of the depot',
    send: vehicles,
    sees: { 'vehicles * name': ['{bus}', '{tram}', '{van}'], total_size: 3 },
  },
  {
    does: 'sees the count of vehicles follow, with the same etag',
    send: 'GET /v1/{north}',
    sees: { vehicle_count: 3, etag: '{thirdTag}' },
  },
  {
    does: 'lists by kind',
    send: vehicles,
    query: { filter: 'kind = BUS' },
    sees: { 'vehicles * name': ['{bus}'] },
  },
  {
    does: 'lists by an entry of a list',
    send: vehicles,
    query: { filter: 'features:"ramp"' },
    sees: { 'vehicles * name': ['{bus}'] },
  },
  {
    does: 'sorts by odometer',
    send: vehicles,
    query: { order_by: 'odometer_km desc' },
    sees: { 'vehicles * name': ['{bus}', '{van}', '{tram}'] },
  },
  {
    does: 'finds vehicles across all depots',
    send: 'GET /v1/depots/-/vehicles',
    query: { filter: 'license_plate = "FLOW02"' },
    sees: { 'vehicles * name': ['{tram}'] },
  },
  {
    does: 'reads several by their names, in this order',
    send: 'GET /v1/{north}/vehicles:batchGet?names={van}&names={bus}',
    sees: { 'vehicles * name': ['{van}', '{bus}'] },
  },
  {
    does: 'is refused a batch with a name that is not there',
    send: 'GET /v1/{north}/vehicles:batchGet?names={van}&names={north}/vehicles/no-such',
    status: 404,
  },
  {
    does: 'is refused a change of the immutable plate',
    send: 'PATCH /v1/{bus}',
    query: { update_mask: 'license_plate' },
    json: { license_plate: 'OTHER1' },
    status: 400,
  },
  {
    does: 'retires a vehicle',
    send: 'POST /v1/{bus}:retire',
    json: { etag: '{busTag}' },
    sees: { state: 'RETIRED', retire_time: isThere, etag: not('{busTag}') },
  },
  {
    does: 'reads the vehicle as retired',
    send: 'GET /v1/{bus}',
    sees: { state: 'RETIRED', retire_time: isThere },
  },
  {
    does: 'is refused to retire it again',
    send: 'POST /v1/{bus}:retire',
    json: {},
    status: 400,
    sees: { 'error status': 'FAILED_PRECONDITION' },
  },
  {
    does: 'is refused to change a retired vehicle',
    send: 'PATCH /v1/{bus}',
    query: { update_mask: 'odometer_km' },
    json: { odometer_km: 2000 },
    status: 400,
  },
  {
    does: 'lists by state',
    send: vehicles,
    query: { filter: 'state = ACTIVE' },
    sees: { 'vehicles * name': ['{tram}', '{van}'] },
  },
  {
    does: 'starts an inspection',
    send: 'POST /v1/{north}:inspect',
    json: { kind: 'TRAM' },
    sees: { name: matches(/^operations\//), 'metadata target': '{north}' },
    keeps: { operation: 'name' },
  },
  {
    does: 'reads the operation until it is done, with its result',
    send: 'GET /v1/{operation}',
    until: { done: true },
    sees: { done: true, 'response inspected_count': 1, error: isEmpty },
  },
];

const deletion: Step[] = [
  {
    does: 'is refused to delete a depot with vehicles',
    send: 'DELETE /v1/{north}',
    status: 400,
    sees: { 'error status': 'FAILED_PRECONDITION' },
  },
  { does: 'deletes a vehicle for good', send: 'DELETE /v1/{van}' },
  { does: 'does not find the deleted vehicle', send: 'GET /v1/{van}', status: 404 },
  { does: 'sees the count of vehicles fall', send: 'GET /v1/{north}', sees: { vehicle_count: 2 } },
  {
    does: 'deletes a depot that a vehicle names',
    send: 'DELETE /v1/{east}',
    sees: { name: '{east}', delete_time: isThere },
  },
  {
    does: 'sees the vehicle lose its backup depot',
    send: 'GET /v1/{tram}',
    sees: { backup_depot: isEmpty },
  },
  { does: 'still reads the deleted depot', send: 'GET /v1/{east}', sees: { delete_time: isThere } },
  {
    does: 'does not list the deleted depot',
    send: list,
    query: { filter: ours },
    sees: { 'depots * name': only('{north}', '{south}') },
  },
  {
    does: 'lists it with show_deleted',
    send: list,
    query: { filter: ours, show_deleted: true },
    sees: { 'depots * name': has('{east}') },
  },
  {
    does: 'is refused to change a deleted depot',
    send: 'PATCH /v1/{east}',
    json: { capacity: 2 },
    status: 404,
  },
  {
    does: 'undeletes the depot',
    send: 'POST /v1/{east}:undelete',
    json: {},
    sees: { delete_time: isEmpty },
  },
  {
    does: 'lists the depot again',
    send: list,
    query: { filter: ours },
    sees: { 'depots * name': has('{east}') },
  },
  {
    does: 'is refused to undelete what is not deleted',
    send: 'POST /v1/{east}:undelete',
    json: {},
    status: 409,
    sees: { 'error status': 'ALREADY_EXISTS' },
  },
  {
    does: 'deletes a depot with its vehicles by force',
    send: 'DELETE /v1/{north}',
    query: { force: true },
    sees: { delete_time: isThere },
  },
  { does: 'finds no vehicle of it', send: 'GET /v1/{bus}', status: 404 },
  {
    does: 'finds none across all depots',
    send: 'GET /v1/depots/-/vehicles',
    sees: { 'vehicles * name': lacks('{bus}', '{tram}') },
  },
  {
    does: 'is refused its identifier, which stays taken',
    send: 'POST /v1/depots',
    query: { depot_id: 'flow-north' },
    json: { display_name: 'Once more' },
    status: 409,
  },
];

/** Depots and their vehicles. */
export const depots: Flow = {
  name: 'depots',
  steps: [...creation, ...lists, ...updates, ...below, ...deletion],
};
