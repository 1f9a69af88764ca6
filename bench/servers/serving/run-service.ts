import { parseArgs } from 'node:util';
import type { ServerUnderTest } from '../server-under-test.ts';
import type { Start } from './plant.ts';

/**
 * Starts a service by the arguments `--port N --defect ID --variant ID`, or the environment
 * variables DEFECT and VARIANT, and runs it until SIGINT or SIGTERM.
 */
export async function runService(
  start: (how: Start) => Promise<ServerUnderTest>,
  credentials: string,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      defect: { type: 'string' },
      variant: { type: 'string' },
    },
  });
  const defect = values.defect ?? process.env['DEFECT'];
  const variant = values.variant ?? process.env['VARIANT'];
  const port = values.port === undefined ? undefined : Number(values.port);
  const server = await start({ defect, variant, port });
  console.log(`${defect ?? variant ?? 'sound'}: ${server.url}\n${credentials}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      console.log(`${String(server.requests())} requests`);
      void server.stop();
    });
}
