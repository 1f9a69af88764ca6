import { runService } from '../serving/run-service.ts';
import { startClinic } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/clinic/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startClinic,
  `Authorization: Bearer ${tokens.linden} (a second practice: ${tokens.hafen}), ` +
    'contract bench/servers/clinic/clinic.yaml',
);
