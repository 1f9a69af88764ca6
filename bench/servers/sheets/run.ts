import { runService } from '../serving/run-service.ts';
import { startSheets } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/sheets/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startSheets,
  `Bearer ${tokens.hanna} (a second user, who reads one base: ${tokens.milo}), ` +
    'contract bench/servers/sheets/sheets.yaml',
);
