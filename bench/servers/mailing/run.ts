import { runService } from '../serving/run-service.ts';
import { startMailing } from './server.ts';
import { keys } from './store.ts';

/** `node bench/servers/mailing/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startMailing,
  `HTTP Basic, any user and the password ${keys.harbour} (a second account: ${keys.tern}), ` +
    'contract bench/servers/mailing/mailing.yaml',
);
