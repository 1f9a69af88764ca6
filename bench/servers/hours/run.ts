import { runService } from '../serving/run-service.ts';
import { startHours } from './server.ts';
import { accountIds, tokens } from './store.ts';

/** `node bench/servers/hours/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startHours,
  `Authorization: Bearer ${tokens.nadia}, X-Account-Id: ${accountIds.harbor} ` +
    `(a second account: ${tokens.lena}, ${accountIds.fell}), ` +
    'contract bench/servers/hours/hours.yaml',
);
