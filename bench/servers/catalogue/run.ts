import { runService } from '../serving/run-service.ts';
import { startCatalogue } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/catalogue/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startCatalogue,
  `Authorization: Bearer ${tokens.nordtel} (a second client: ${tokens.fjordnet}), ` +
    'contract bench/servers/catalogue/catalogue.yaml',
);
