import { runService } from '../serving/run-service.ts';
import { startTracker } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/tracker/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startTracker,
  `PRIVATE-TOKEN: ${tokens.nora} (a Guest: ${tokens.pavel}), ` +
    'contract bench/servers/tracker/tracker.yaml',
);
