import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '../../../src/json/parse-yaml.ts';
import { type JsonObject, stringifyJson } from '../../../src/json/value.ts';
import { generateContract, resourceName } from '../../check/generated-contract.ts';
import { groupBars, type Benchmark, type Figure } from '../../measure/figures.ts';
import { spreadOf, writeSpread } from '../../measure/statistics.ts';
import { roundsOf } from '../../measure/trial.ts';
import { petStore } from './files.ts';
import {
  mockRivals,
  startRival,
  versionOfRival,
  vouchTitle,
  type MockRival,
} from './mock-rival.ts';

interface SizedDocument {
  readonly name: string;
  readonly file: string;
  readonly operations: number;
  /** The base path of its server. */
  readonly basePath: '' | '/v1';
  /** An operation that answers 200 to a GET. */
  readonly path: string;
}

/** What became of one start. */
interface Sample {
  readonly milliseconds: number;
  readonly residentMiB: number;
}

const withinMs = 60_000;
/**
 * A start that takes longer than this is not tried again: the table shows seconds, and the
 * benchmark has to end.
 */
const longMs = 8_000;

/**
 * How soon each mock that reads a contract answers, and what it then holds, over the size of the
 * contract.
 */
export const startAndMemory: Benchmark = {
  name: 'start-and-memory',
  description:
    'first 200 and resident memory of vouch and of other mocks, over the size of the document',
  async measure(say) {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-sizes-'));
    try {
      const figures: Figure[] = [];
      for (const document of writeDocuments(folder))
        figures.push(...(await measureDocument(document, say)));
      return figures;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  picture: (figures) => ({
    title: 'Start and memory over the size of the document',
    description:
      'Milliseconds from the start of the process to its first 200, and ' +
      'resident memory then; shorter is better. Logarithmic; in turns, the ' +
      'line is the spread of the rounds. WireMock and json-server read no ' +
      'OpenAPI document.',
    scale: 'logarithmic',
    ownScales: true,
    groups: groupBars(figures),
  }),
};

function writeDocuments(folder: string): SizedDocument[] {
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return [
    {
      name: 'Pet Store, 3 operations',
      operations: 3,
      file: write('pets.json', petsAlone()),
      basePath: '/v1',
      path: '/pets',
    },
    {
      name: 'generated, 100 operations',
      operations: 100,
      file: write('generated.json', generateContract({ resources: 20 })),
      basePath: '/v1',
      path: `/${resourceName(0)}`,
    },
    {
      name: "GitHub's, 1,223 operations",
      operations: 1_223,
      file: fileURLToPath(new URL('../../.cache/api.github.com.json', import.meta.url)),
      basePath: '',
      path: '/emojis',
    },
  ];
}

/**
 * The animals' three operations alone: the others of the bundled contract stand under a server of
 * their own.
 */
function petsAlone(): string {
  const reading = parseYaml(readFileSync(petStore, 'utf8'));
  if (!reading.ok) throw new Error(reading.problem.message);
  const document = reading.value as JsonObject;
  const paths = Object.entries(document['paths'] as JsonObject).filter(([path]) =>
    path.startsWith('/pets'),
  );
  return stringifyJson({ ...document, paths: Object.fromEntries(paths) });
}

async function measureDocument(
  document: SizedDocument,
  say: (line: string) => void,
): Promise<Figure[]> {
  if (!existsSync(document.file))
    return [
      {
        measure: document.name,
        measured: 'not measured: run node bench/contracts/fetch.ts',
        data: null,
      },
    ];
  const contenders = mockRivals.filter(
    ({ readsContract, title }) => readsContract && title !== 'Prism, dynamic',
  );
  const samples = contenders.map((): Sample[] => []);
  const reasons = new Map<number, string>();
  const rounds = roundsOf(3);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, rival] of contenders.entries()) {
      const taken = samples[index] ?? [];
      if (reasons.has(index) || taken.some(({ milliseconds }) => milliseconds > longMs)) continue;
      const start = await startRival(rival, {
        contract: document.file,
        basePath: document.basePath,
        readyPath: (rival.base === '' ? '' : document.basePath) + document.path,
        withinMs,
      });
      if (start.kind === 'failed') {
        reasons.set(index, start.reason);
        say(`${document.name}, ${rival.title}: ${start.reason}`);
        continue;
      }
      taken.push({ milliseconds: start.server.startedMs, residentMiB: start.server.residentMiB() });
      await start.server.stop();
      say(
        `${document.name}, ${rival.title}, round ${String(round)} of ` +
          `${String(rounds)}: ${String(Math.round(start.server.startedMs))} ms, ` +
          `${String(Math.round(taken.at(-1)?.residentMiB ?? 0))} MiB`,
      );
    }
  }
  const measured = contenders.map((rival, index) => ({
    rival,
    samples: samples[index] ?? [],
    reason: reasons.get(index),
  }));
  return [
    ...measured.map((one) => timeFigure(document, one)),
    ...measured.flatMap((one) => memoryFigure(document, one)),
  ];
}

interface Told {
  readonly rival: MockRival;
  readonly samples: readonly Sample[];
  readonly reason: string | undefined;
}

function timeFigure({ name, operations }: SizedDocument, { rival, samples, reason }: Told): Figure {
  const common = {
    measure: `${name}: first 200, ${[rival.title, versionOfRival(rival)].join(' ').trim()}`,
  };
  const bar = {
    group: `${name}: first 200`,
    label: titleOf(rival),
    own: rival.title === vouchTitle,
  };
  const data = { rival: rival.title, version: versionOfRival(rival), operations };
  if (reason !== undefined) {
    const text = writeReason(reason);
    return {
      ...common,
      measured: `${text}: ${reason}`,
      data: { ...data, reason },
      bar: { ...bar, text },
    };
  }
  const spread = spreadOf(samples.map(({ milliseconds }) => milliseconds));
  return {
    ...common,
    measured: `${writeSpread(spread, 0)} ms`,
    data: { ...data, milliseconds: spread },
    bar: { ...bar, value: spread.median, spread, text: writeTime(spread.median) },
  };
}

function memoryFigure(
  { name, operations }: SizedDocument,
  { rival, samples, reason }: Told,
): Figure[] {
  if (reason !== undefined) return [];
  const spread = spreadOf(samples.map(({ residentMiB }) => residentMiB));
  return [
    {
      measure: `${name}: resident then, ${[rival.title, versionOfRival(rival)].join(' ').trim()}`,
      measured: `${writeSpread(spread, 0)} MiB`,
      data: { rival: rival.title, version: versionOfRival(rival), operations, residentMiB: spread },
      bar: {
        group: `${name}: resident memory then`,
        label: titleOf(rival),
        value: spread.median,
        spread,
        text: `${spread.median.toFixed(0)} MiB`,
        own: rival.title === vouchTitle,
      },
    },
  ];
}

/** One that listens and answers something else is not slow: it does not serve the document. */
function writeReason(reason: string): string {
  const status = /answered (\d{3})/.exec(reason)?.[1];
  if (status !== undefined) return `answers ${status}`;
  return reason.startsWith('not ready') ? '> 60 s' : 'did not start';
}

/** Neither static nor CRUD makes a difference to the start with a document. */
function titleOf({ title }: MockRival): string {
  return title.replace(/,.*/, '');
}

function writeTime(milliseconds: number): string {
  return milliseconds < 10_000
    ? `${milliseconds.toFixed(0)} ms`
    : `${(milliseconds / 1_000).toFixed(0)} s`;
}
