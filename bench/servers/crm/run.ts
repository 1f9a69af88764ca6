import { runService } from '../serving/run-service.ts';
import { startCrm } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/crm/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startCrm,
  `Authorization: Bearer ${tokens.growth} (a second portal: ${tokens.northern}), ` +
    'contract bench/servers/crm/crm.yaml',
);
