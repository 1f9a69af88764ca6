import { runService } from '../serving/run-service.ts';
import { keys } from './office.ts';
import { startRooms } from './server.ts';

/** `node bench/servers/rooms/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startRooms,
  `X-Api-Key: ${keys.ines} (a second user: ${keys.tomas}), ` +
    'contract bench/servers/rooms/rooms.yaml',
);
