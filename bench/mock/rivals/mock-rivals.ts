import { groupBars, type Benchmark, type Figure } from '../../measure/figures.ts';
import type { LoadRequest } from '../../measure/load.ts';
import { programHere, startServer, type ServerProcess } from '../../measure/server-process.ts';
import { writeSpread } from '../../measure/statistics.ts';
import { roundsOf } from '../../measure/trial.ts';
import { recordAnswers } from '../record-answer.ts';
import { behaviours, observe } from './behaviours.ts';
import { compareLoads, type Contender, type Reached } from './compare-loads.ts';
import {
  key,
  mockRivals,
  startRival,
  versionOfRival,
  vouchTitle,
  type MockRival,
} from './mock-rival.ts';

interface Running {
  readonly rival: MockRival;
  readonly server: ServerProcess;
}

/** The requests of the load: a page of twenty records, one record, and a create. */
const loads: readonly { readonly name: string; write(rival: MockRival): LoadRequest }[] = [
  {
    name: 'GET /pets?limit=20',
    write: ({ base, page = 'limit=20' }) => ({ path: `${base}/pets?${page}`, headers: key }),
  },
  { name: 'GET /pets/1', write: ({ base }) => ({ path: `${base}/pets/1`, headers: key }) },
  // Last, because those that remember have more to remember after it.
  {
    name: 'POST /pets',
    write: ({ base }) => ({
      method: 'POST',
      path: `${base}/pets`,
      headers: { ...key, 'Content-Type': 'application/json' },
      body: '{"name":"Biscuit","categoryId":1,"status":"available"}',
    }),
  },
];

const bareTitle = 'bare node:http';
const behaviourGroup = `Of ${String(behaviours.length)} behaviours, tried with requests`;

/** Requests per second and behaviours of vouch and of those that do the same, on the Pet Store. */
export const mockRivalsBenchmark: Benchmark = {
  name: 'mock-rivals',
  description: 'requests per second and behaviours of vouch and of other mocks, with the Pet Store',
  async measure(say) {
    const { observed, absent } = await observeAll(say);
    const { running, bare } = await startAll(say);
    try {
      const rates: Figure[] = [];
      for (const { name, write } of loads)
        rates.push(...(await compare(name, write, { running, bare }, say)));
      return [...rates, ...observed, ...absent];
    } finally {
      await Promise.all(
        [bare, ...running.map(({ server }) => server)].map((server) => server.stop()),
      );
    }
  },
  picture: (figures) => ({
    title: 'Requests per second of mocks, with the Pet Store',
    description:
      'Each as a share of a bare node:http server that sends the bytes that ' +
      'vouch sends; longer is better. 32 kept connections, one process each, ' +
      'in turns; the line is the spread of the rounds. The last group counts ' +
      'what each does with requests that show whether it is a stand-in for the ' +
      `service: ${behaviours.map(({ name, short }) => `${name} (${short})`).join(', ')}.`,
    ownScales: true,
    groups: groupBars(figures),
  }),
};

/** Each on a process of its own, because some of them do not survive it. */
async function observeAll(
  say: (line: string) => void,
): Promise<{ observed: Figure[]; absent: Figure[] }> {
  const [observed, absent]: [Figure[], Figure[]] = [[], []];
  for (const rival of mockRivals) {
    const start = await startRival(rival);
    const version = versionOfRival(rival);
    if (start.kind === 'failed') {
      say(`${rival.title}: ${start.reason}`);
      absent.push({
        measure: `behaviours: ${nameOf(rival)}`,
        measured: `not measured: ${start.reason}`,
        data: { rival: rival.title, version, reason: start.reason },
      });
      continue;
    }
    const seen = await observe(start.server.url, rival);
    await start.server.stop();
    say(`${rival.title}: ${writeSeen(seen)}`);
    observed.push(behaviourFigure(rival, seen));
  }
  return { observed, absent };
}

function nameOf(rival: MockRival): string {
  return [rival.title, versionOfRival(rival)].join(' ').trim();
}

function behaviourFigure(rival: MockRival, seen: Readonly<Record<string, boolean>>): Figure {
  const bar = {
    group: behaviourGroup,
    label: rival.title,
    value: Object.values(seen).filter(Boolean).length,
    text: writeSeen(seen),
    own: rival.title === vouchTitle,
  };
  return {
    measure: `behaviours: ${nameOf(rival)}`,
    measured: writeSeen(seen),
    data: { rival: rival.title, version: versionOfRival(rival), behaviours: seen },
    bar,
  };
}

/** `5 of 7; not: memory, filter`. */
function writeSeen(seen: Readonly<Record<string, boolean>>): string {
  const lacking = behaviours.filter(({ name }) => seen[name] !== true).map(({ short }) => short);
  return (
    `${String(behaviours.length - lacking.length)} of ` +
    `${String(behaviours.length)}${lacking.length === 0 ? '' : `; not: ${lacking.join(', ')}`}`
  );
}

async function startAll(
  say: (line: string) => void,
): Promise<{ running: Running[]; bare: ServerProcess }> {
  const running: Running[] = [];
  for (const rival of mockRivals) {
    const start = await startRival(rival);
    if (start.kind === 'running') running.push({ rival, server: start.server });
    else say(`${rival.title}: ${start.reason}`);
  }
  const vouch = running.find(({ rival }) => rival.title === vouchTitle);
  if (vouch === undefined)
    throw new Error('vouch did not start, so that there is nothing to compare with.');
  const answers = await recordAnswers(
    vouch.server.url,
    loads.map(({ write }) => write(vouch.rival)),
  );
  return { running, bare: await startServer(programHere('mock/bare-server.ts'), [answers]) };
}

async function compare(
  name: string,
  write: (rival: MockRival) => LoadRequest,
  { running, bare }: { running: readonly Running[]; bare: ServerProcess },
  say: (line: string) => void,
): Promise<Figure[]> {
  const vouch = mockRivals.find(({ title }) => title === vouchTitle);
  if (vouch === undefined) throw new Error('vouch is not among the mocks.');
  const contenders: Contender[] = [
    { title: bareTitle, server: bare, request: write(vouch) },
    ...running.map(({ rival, server }) => ({ title: rival.title, server, request: write(rival) })),
  ];
  const reached = await compareLoads(contenders, { count: roundsOf(5), seconds: 1 }, (line) =>
    say(`${name}, ${line}`),
  );
  return reached.map((one) => figureOf(name, one));
}

function figureOf(name: string, one: Reached): Figure {
  const measure = `${name}: ${one.title}`;
  const own = one.title === vouchTitle;
  if (!one.ok)
    return {
      measure,
      measured: `not measured: ${one.reason}`,
      data: { rival: one.title, reason: one.reason },
      bar: { group: name, label: one.title, text: 'not measured', own },
    };
  const { ratio, ratioByProcessor, requestsPerSecond: rate } = one;
  return {
    measure,
    measured:
      `${writeSpread(ratio)} of bare, ${writeSpread(ratioByProcessor)} by ` +
      `processor time, ${rate.median.toFixed(0)} requests/s`,
    data: { rival: one.title, ratio, ratioByProcessor, requestsPerSecond: rate },
    bar: {
      group: name,
      label: one.title,
      value: ratio.median,
      text:
        `${writeShare(ratio.median)} of bare, ` +
        `${Math.round(rate.median).toLocaleString('en')}/s`,
      spread: { lowest: ratio.lowest, highest: ratio.highest },
      own,
    },
  };
}

/** Two digits that mean something: `0.74`, and `0.013` where that would be `0.01`. */
function writeShare(share: number): string {
  return share.toFixed(share < 0.095 ? 3 : 2);
}
