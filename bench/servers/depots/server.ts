import { fields as object, oneOf, text } from '../serving/fields.ts';
import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { listen, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { batchRule, operation, type Call, type Form } from './call.ts';
import * as depots from './depots.ts';
import { bodyRule, depotKind, kinds, vehicleKind } from './kinds.ts';
import { openStore, type Fields, type Service } from './store.ts';
import type { VariantName } from './variants.ts';
import * as vehicles from './vehicles.ts';

/** Starts the service for depots on loopback. */
export function startDepots(how: Start = {}): Promise<ServerUnderTest> {
  const service = openStore(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && service.varies(manner as VariantName);
  return listen(routesOf(service), { port: how.port, isWritten });
}

function routesOf(service: Service): Routes {
  const on = (operate: (call: Call) => Fields, form: Form = {}): Handler =>
    operation(service, operate, form);
  const [depot, vehicle] = [depotKind(service), vehicleKind(service)];
  const newVehicle = bodyRule(service, vehicle, true);
  const etag = { body: object({ etag: text(0, Infinity) }, [], true), isBodyOptional: true };
  const kind = { body: object({ kind: oneOf(kinds) }, [], true), isBodyOptional: true };
  const page = ['page_size', 'page_token', 'filter', 'order_by'] as const;
  const create = ['validate_only', 'request_id'] as const;
  const update = { query: ['update_mask', 'validate_only'] } as const;
  const one = '/v1/depots/{depot}';
  return {
    '/v1/depots': {
      GET: on(depots.listDepots, { query: [...page, 'show_deleted'] }),
      POST: on(depots.createDepot, {
        query: ['depot_id', ...create],
        body: bodyRule(service, depot, true),
      }),
    },
    [one]: {
      GET: on(depots.getDepot),
      PATCH: on(depots.updateDepot, { ...update, body: bodyRule(service, depot, false) }),
      DELETE: on(depots.deleteDepot, { query: ['force', 'etag'] }),
    },
    [`${one}:undelete`]: { POST: on(depots.undeleteDepot, etag) },
    [`${one}:inspect`]: { POST: on(depots.inspectDepot, kind) },
    '/v1/operations/{operation}': { GET: on(depots.getOperation) },
    [`${one}/vehicles`]: {
      GET: on(vehicles.listVehicles, { query: page }),
      POST: on(vehicles.createVehicle, { query: ['vehicle_id', ...create], body: newVehicle }),
    },
    [`${one}/vehicles:batchGet`]: { GET: on(vehicles.batchGetVehicles, { query: ['names'] }) },
    [`${one}/vehicles:batchCreate`]: {
      POST: on(vehicles.batchCreateVehicles, { body: batchRule(service, newVehicle) }),
    },
    [`${one}/vehicles/{vehicle}`]: {
      GET: on(vehicles.getVehicle),
      PATCH: on(vehicles.updateVehicle, { ...update, body: bodyRule(service, vehicle, false) }),
      DELETE: on(vehicles.deleteVehicle, { query: ['etag'] }),
    },
    [`${one}/vehicles/{vehicle}:retire`]: { POST: on(vehicles.retireVehicle, etag) },
  };
}
