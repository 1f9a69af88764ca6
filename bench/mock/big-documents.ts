import { existsSync } from 'node:fs';
import { firstAnswer } from '../measure/first-answer.ts';
import type { Benchmark, Figure } from '../measure/figures.ts';
import { startVouch } from '../measure/server-process.ts';
import { spreadOf, writeSpread } from '../measure/statistics.ts';
import { fileURLToPath } from 'node:url';

interface BigDocument {
  readonly name: string;
  readonly file: string;
  /** An operation without parameters that answers 200. */
  readonly path: string;
  /** MiB, where a limit is promised. */
  readonly residentMiB?: number;
}

const documents: readonly BigDocument[] = [
  {
    name: "GitHub's (13 MB, 1,223 operations)",
    file: 'api.github.com.json',
    path: '/emojis',
    residentMiB: 200,
  },
  { name: "Stripe's (2.5 MB)", file: 'stripe.com.json', path: '/v1/balance' },
  { name: "Kubernetes' (OpenAPI 3.0)", file: 'kubernetes.io.json', path: '/version/' },
  { name: "Kubernetes' (Swagger 2.0)", file: 'kubernetes.swagger2.json', path: '/version/' },
];

const rounds = 5;

/** How soon documents of others are served, and what memory that takes. */
export const bigDocuments: Benchmark = {
  name: 'big-documents',
  description:
    'start and memory of large documents of others (node bench/contracts/fetch.ts gets them)',
  async measure(say) {
    const figures: Figure[] = [];
    for (const document of documents) figures.push(...(await measureDocument(document, say)));
    return figures;
  },
};

async function measureDocument(
  { name, file, path, residentMiB }: BigDocument,
  say: (line: string) => void,
): Promise<Figure[]> {
  const source = fileURLToPath(new URL(`../.cache/${file}`, import.meta.url));
  if (!existsSync(source))
    return [
      { measure: name, measured: 'not measured: run node bench/contracts/fetch.ts', data: null },
    ];
  const [milliseconds, resident]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startVouch([source, '--auth', 'off']);
    await firstAnswer(new URL(server.url).origin + path);
    milliseconds.push(performance.now() - server.spawnedAt);
    resident.push(server.residentMiB());
    await server.stop();
    say(
      `${name}: ${milliseconds.at(-1)?.toFixed(0) ?? ''} ms, ` +
        `${resident.at(-1)?.toFixed(0) ?? ''} MiB`,
    );
  }
  const [time, memory] = [spreadOf(milliseconds), spreadOf(resident)];
  return [
    {
      measure: `${name}: first 200`,
      measured: `${writeSpread(time, 0)} ms`,
      promised: 'at most 1000 ms',
      kept: time.median <= 1_000,
      data: time,
    },
    {
      measure: `${name}: resident then`,
      measured: `${writeSpread(memory, 0)} MiB`,
      ...(residentMiB === undefined
        ? {}
        : { promised: `at most ${String(residentMiB)} MiB`, kept: memory.median <= residentMiB }),
      data: memory,
    },
  ];
}
