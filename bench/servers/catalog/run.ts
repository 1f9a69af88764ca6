import { runService } from '../serving/run-service.ts';
import { startCatalog } from './server.ts';
import { key } from './store.ts';

/** `node bench/servers/catalog/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startCatalog,
  `Authorization: Bearer ${key}, contract bench/servers/catalog/catalog.yaml`,
);
