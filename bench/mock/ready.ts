import { firstAnswer } from '../measure/first-answer.ts';
import type { Benchmark } from '../measure/figures.ts';
import {
  programHere,
  startServer,
  startVouch,
  type ServerProcess,
} from '../measure/server-process.ts';
import { ratiosOf, spreadOf, writeSpread } from '../measure/statistics.ts';

const rounds = 9;

/**
 * From the start of the process to the first 200 of the bundled contract, against the smallest
 * Express application.
 */
export const ready: Benchmark = {
  name: 'mock-ready',
  description: 'process start to the first 200, against a bare Express application',
  async measure(say) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    await startMilliseconds(() => startVouch(['--demo']), '/pets/1');
    for (let round = 1; round <= rounds; round += 1) {
      theirs.push(
        await startMilliseconds(() => startServer(programHere('mock/express-server.ts')), '/'),
      );
      ours.push(await startMilliseconds(() => startVouch(['--demo']), '/pets/1'));
      say(
        `round ${String(round)} of ${String(rounds)}: ` +
          `${ours.at(-1)?.toFixed(0) ?? ''} ms, Express ` +
          `${theirs.at(-1)?.toFixed(0) ?? ''} ms`,
      );
    }
    const ratio = ratiosOf(ours, theirs);
    const { median } = spreadOf(ours);
    return [
      {
        measure: 'bundled contract: first 200',
        measured: `${writeSpread(ratio)} times bare Express, ${median.toFixed(0)} ms`,
        promised: 'at most 2.2 times',
        kept: ratio.median <= 2.2,
        data: { ratio, milliseconds: spreadOf(ours), express: spreadOf(theirs) },
      },
    ];
  },
};

async function startMilliseconds(
  start: () => Promise<ServerProcess>,
  path: string,
): Promise<number> {
  const server = await start();
  await firstAnswer(server.url + path, { Authorization: 'Bearer demo-key' });
  const taken = performance.now() - server.spawnedAt;
  await server.stop();
  return taken;
}
