import { runService } from '../serving/run-service.ts';
import { startDepots } from './server.ts';
import { key } from './store.ts';

/** `node bench/servers/depots/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startDepots,
  `Authorization: Bearer ${key}, contract bench/servers/depots/depots.yaml`,
);
