import { runService } from '../serving/run-service.ts';
import { startFlags } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/flags/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startFlags,
  `Authorization: ${tokens.harbor} (a reader: ${tokens.reader}, a second account: ` +
    `${tokens.quarry}), contract bench/servers/flags/flags.yaml`,
);
