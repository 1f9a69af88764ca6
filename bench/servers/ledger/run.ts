import { runService } from '../serving/run-service.ts';
import { startLedger } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/ledger/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startLedger,
  `Access-Token: ${tokens.north} (a second company: ${tokens.east}), ` +
    'contract bench/servers/ledger/ledger.yaml',
);
