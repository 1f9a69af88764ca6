import { join } from 'node:path';
import type { Benchmark } from '../measure/figures.ts';
import { requestsPerSecond } from '../measure/load.ts';
import { publishedPackage } from '../measure/published.ts';
import { programHere, startServer, type ServerProcess } from '../measure/server-process.ts';
import { ratiosOf, spreadOf, writeSpread } from '../measure/statistics.ts';

const rounds = 5;
const request = {
  path: '/v1/pets?status=available&limit=20',
  headers: { Authorization: 'Bearer demo-key' },
};

/** Whether a filtered list costs more where there is more to filter. */
export const millionRecords: Benchmark = {
  name: 'million-records',
  description: 'a list with status and limit over 1,000,000 records against one over 1,000',
  async measure(say) {
    const [many, few] = [await serve(1_000_000), await serve(1_000)];
    const [slow, fast]: [number[], number[]] = [[], []];
    try {
      for (const { url } of [many, few]) await rate(url, 1);
      for (let round = 1; round <= rounds; round += 1) {
        fast.push(await rate(few.url, 2));
        slow.push(await rate(many.url, 2));
        say(
          `round ${String(round)} of ${String(rounds)}: ` +
            `${slow.at(-1)?.toFixed(0) ?? ''}/s over 1,000,000, ` +
            `${fast.at(-1)?.toFixed(0) ?? ''}/s over 1,000`,
        );
      }
      const ratio = ratiosOf(fast, slow);
      return [
        {
          measure: 'time over 1,000,000 against 1,000',
          measured:
            `${writeSpread(ratio)} times, ${spreadOf(slow).median.toFixed(0)} ` +
            `requests/s, ${many.residentMiB().toFixed(0)} MiB`,
          promised: 'at most 1.5 times',
          kept: ratio.median <= 1.5,
          data: {
            ratio,
            overMany: spreadOf(slow),
            overFew: spreadOf(fast),
            residentMiB: many.residentMiB(),
          },
        },
      ];
    } finally {
      await Promise.all([many.stop(), few.stop()]);
    }
  },
};

function serve(records: number): Promise<ServerProcess> {
  const folder = publishedPackage();
  return startServer(programHere('mock/serve-generated.ts'), [
    join(folder, 'dist/index.js'),
    String(records),
    join(folder, 'openapi/petstore.v1.yaml'),
  ]);
}

function rate(url: string, seconds: number): Promise<number> {
  return requestsPerSecond(new URL(url).origin, request, { seconds, connections: 32 });
}
