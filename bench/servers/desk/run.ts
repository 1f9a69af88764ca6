import { runService } from '../serving/run-service.ts';
import { startDesk } from './server.ts';
import { agents, standing } from './store.ts';

/** `node bench/servers/desk/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startDesk,
  `Cookie: DESKSID=${standing.ines} (a second agent: ${standing.tomas}), ` +
    `or log in as ines with ${agents['ines']?.password ?? ''}, ` +
    'contract bench/servers/desk/desk.yaml',
);
