import type { Benchmark } from '../measure/figures.ts';
import { requestsPerSecond, type LoadRequest } from '../measure/load.ts';
import { startVouch, type ServerProcess } from '../measure/server-process.ts';

const token = { Authorization: 'Bearer demo-key' };
const requests: readonly LoadRequest[] = [
  { path: '/pets?limit=20', headers: token },
  { path: '/pets/1', headers: token },
  { path: '/pets/404404', headers: { ...token, Prefer: 'code=200' } },
];

/** Whether memory stays where it is, however many requests come. */
export const flatMemory: Benchmark = {
  name: 'flat-memory',
  description: 'resident memory after 1,000,000 requests against after 10,000',
  async measure(say) {
    const server = await startVouch(['--demo']);
    try {
      const early = await settle(server, 10_000, say);
      const late = await settle(server, 1_000_000, say);
      const later = await settle(server, 2_000_000, say);
      return [
        {
          measure: 'resident after 1,000,000 requests',
          measured: `${late.toFixed(0)} MiB, ${early.toFixed(0)} MiB after 10,000`,
          promised: 'flat: at most 1.3 times',
          kept: late <= early * 1.3,
          data: { early, late },
        },
        {
          measure: 'resident after 3,000,000 requests',
          measured: `${later.toFixed(0)} MiB`,
          promised: 'flat: at most 1.1 times 1,000,000',
          kept: later <= late * 1.1,
          data: { late, later },
        },
      ];
    } finally {
      await server.stop();
    }
  },
};

/** Sends at least so many requests, a mix of them, and answers the resident memory after them. */
async function settle(
  server: ServerProcess,
  count: number,
  say: (line: string) => void,
): Promise<number> {
  const seconds = count > 100_000 ? 5 : 1;
  for (let sent = 0; sent < count;) {
    for (const request of requests)
      sent +=
        (await requestsPerSecond(server.url, request, { seconds, connections: 32 })) * seconds;
    say(`${sent.toFixed(0)} requests: ${server.residentMiB().toFixed(0)} MiB`);
  }
  return server.residentMiB();
}
