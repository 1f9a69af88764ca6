import { runService } from '../serving/run-service.ts';
import { startOrders } from './server.ts';
import { key } from './store.ts';

/** `node bench/servers/orders/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(startOrders, `X-Api-Key: ${key}, contract bench/servers/orders/orders.yaml`);
