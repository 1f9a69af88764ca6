import { runService } from '../serving/run-service.ts';
import { startDrive } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/drive/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startDrive,
  `Authorization: Bearer ${tokens.nadia} (the administrator of a second team: ${tokens.lena}), ` +
    'contract bench/servers/drive/drive.yaml',
);
