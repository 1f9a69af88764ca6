import { runService } from '../serving/run-service.ts';
import { startTalk } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/talk/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startTalk,
  `Authorization: Bearer ${tokens.U0ANA} (a second user: ${tokens.U0BO}), ` +
    'contract bench/servers/talk/talk.yaml',
);
