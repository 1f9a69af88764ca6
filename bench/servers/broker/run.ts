import { runService } from '../serving/run-service.ts';
import { startBroker } from './server.ts';
import { passwords } from './store.ts';

/** `node bench/servers/broker/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startBroker,
  `Basic ines:${passwords.ines} (a second user: tomas:${passwords.tomas}), ` +
    'contract bench/servers/broker/broker.yaml',
);
