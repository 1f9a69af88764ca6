import { requestsPerSecond, type LoadRequest } from '../../measure/load.ts';
import type { ServerProcess } from '../../measure/server-process.ts';
import { ratiosOf, spreadOf, type Spread } from '../../measure/statistics.ts';

/** A running server that takes part, and the request as it has to be written for it. */
export interface Contender {
  readonly title: string;
  readonly server: ServerProcess;
  readonly request: LoadRequest;
}

/**
 * What a contender reached: requests per second, and those as shares of the first contender's,
 * round by round; the same with requests per second of processor time, which hardly minds what else
 * the machine does. Or why nothing.
 */
export type Reached =
  | {
      readonly title: string;
      readonly ok: true;
      readonly requestsPerSecond: Spread;
      readonly ratio: Spread;
      readonly ratioByProcessor: Spread;
    }
  | { readonly title: string; readonly ok: false; readonly reason: string };

/** How many rounds, of how many seconds each. */
export interface Rounds {
  readonly count: number;
  readonly seconds: number;
}

/** What one round of one contender came to. */
interface Load {
  readonly rate: number;
  readonly perProcessorSecond: number;
}

/**
 * Loads the contenders in turn, round after round, after one that is not counted. One that fails is
 * out, with its reason. The first is the measure.
 */
export async function compareLoads(
  contenders: readonly Contender[],
  { count, seconds }: Rounds,
  say: (line: string) => void,
): Promise<Reached[]> {
  const loads = contenders.map((): Load[] => []);
  const reasons = new Map<number, string>();
  for (let round = 0; round <= count; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      if (reasons.has(index)) continue;
      const load = await loadOnce(contender, seconds).catch((error: unknown) => reasonOf(error));
      if (typeof load === 'string') reasons.set(index, load);
      else if (round > 0) loads[index]?.push(load);
    }
    if (round > 0)
      say(
        `round ${String(round)} of ${String(count)}: ` +
          contenders
            .map(
              ({ title }, index) => `${title} ${loads[index]?.at(-1)?.rate.toFixed(0) ?? 'failed'}`,
            )
            .join(', '),
      );
  }
  const [measure = []] = loads;
  return contenders.map(({ title }, index) => {
    const reason = reasons.get(index);
    return reason === undefined
      ? { title, ok: true, ...summarise(loads[index] ?? [], measure) }
      : { title, ok: false, reason };
  });
}

async function loadOnce({ server, request }: Contender, seconds: number): Promise<Load> {
  const before = server.cpuSeconds();
  const rate = await requestsPerSecond(server.url, request, { seconds, connections: 32 });
  return { rate, perProcessorSecond: (rate * seconds) / (server.cpuSeconds() - before) };
}

function summarise(
  own: readonly Load[],
  measure: readonly Load[],
): { requestsPerSecond: Spread; ratio: Spread; ratioByProcessor: Spread } {
  const rates = (loads: readonly Load[]): number[] => loads.map(({ rate }) => rate);
  const byProcessor = (loads: readonly Load[]): number[] =>
    loads.map(({ perProcessorSecond }) => perProcessorSecond);
  return {
    requestsPerSecond: spreadOf(rates(own)),
    ratio: ratiosOf(rates(own), rates(measure)),
    ratioByProcessor: ratiosOf(byProcessor(own), byProcessor(measure)),
  };
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
