import { runService } from '../serving/run-service.ts';
import { startNewsroom } from './server.ts';
import { key } from './store.ts';

/** `node bench/servers/newsroom/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startNewsroom,
  `Authorization: Bearer ${key}, contract bench/servers/newsroom/newsroom.yaml`,
);
