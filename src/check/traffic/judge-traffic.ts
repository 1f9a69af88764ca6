import type { RunEvent } from '../model/event.ts';
import { type CheckOptions, resolveSettings } from '../settings.ts';
import { makeTrafficFinder, placeTraffic } from './place-traffic.ts';
import type { Traffic } from './read-har.ts';
import { TrafficJudge } from './traffic-judge.ts';

/** Options of a run that sends nothing. Without `url`, every host counts. */
export type TrafficOptions = Omit<CheckOptions, 'url' | 'send' | 'wait' | 'mode'> & {
  readonly url?: string;
  readonly traffic: Traffic;
};

/** Judges recorded traffic, with the same events and findings as a run. Sends nothing. */
export async function* judgeTraffic(options: TrafficOptions): AsyncGenerator<RunEvent, void> {
  const { traffic, contract, url } = options;
  const { placed } = placeTraffic(contract, traffic.exchanges, url);
  const bases = [...new Set(placed.map(({ exchange }) => exchange.baseUrl))];
  // The settings require a base URL. The default is never shown: nothing was placed then.
  const settings = resolveSettings({
    ...options,
    url: url ?? bases[0] ?? 'http://127.0.0.1',
    mode: 'read-only',
  });
  const find = makeTrafficFinder(contract, url === undefined ? undefined : [url]);
  const judge = new TrafficJudge({ settings, find, source: traffic.file });
  judge.learn(placed.map(({ exchange }) => exchange));
  const shown = `${bases.slice(0, 3).join(', ')}${bases.length > 3 ? ', …' : ''}`;
  yield judge.begin(`${traffic.file}${bases.length === 0 ? '' : ` (recorded from ${shown})`}`);
  yield { type: 'plan-made', cases: placed.length, requests: placed.length };
  for (const [reason, times] of traffic.unusable) judge.skip(reason, times);
  for (const recorded of traffic.exchanges) yield* judge.add(recorded).events;
  yield* judge.finish();
}
