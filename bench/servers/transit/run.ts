import { runService } from '../serving/run-service.ts';
import { startTransit } from './server.ts';
import { accounts } from './store.ts';

const { nordbahn, hafenlinien } = accounts;

/** `node bench/servers/transit/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startTransit,
  `X-Api-Key: ${nordbahn.key}, bearer ${nordbahn.token} (a second operator: ` +
    `${hafenlinien.key}, ${hafenlinien.token}), contract bench/servers/transit/transit.yaml`,
);
