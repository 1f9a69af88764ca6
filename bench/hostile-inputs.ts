import { makeSafePattern } from '../src/contract/pattern/safe-pattern.ts';
import { parseContract } from '../src/contract/load.ts';
import { makeRouter } from '../src/contract/route.ts';
import { makeRedactor } from '../src/check/secrets/redact.ts';
import { parseJson } from '../src/json/parse-json.ts';
import { parseYaml } from '../src/json/parse-yaml.ts';
import { lintContract } from '../src/lint/lint-contract.ts';
import { applyJsonPatch } from '../src/mock/records/patch/json-patch.ts';
import { readPreferences } from '../src/mock/request/request-context.ts';
import type { Benchmark, Figure } from './measure/figures.ts';

/** An input that tempts to much work, and the processor time that it may take. */
interface HostileInput {
  readonly name: string;
  readonly maxMs: number;
  run(): unknown;
}

/** Processor time to read texts that look harmless and tempt to quadratic or exponential work. */
export const hostileInputs: Benchmark = {
  name: 'hostile-inputs',
  description: 'processor time for JSON, YAML, patterns, patches, headers, paths and secrets',
  async measure(say) {
    const figures: Figure[] = [];
    for (const input of inputs) figures.push(await measureInput(input));
    say(`${String(inputs.length)} inputs`);
    return figures;
  },
};

const letters = 'a'.repeat(50_000);
const secret = 'S3ntinel/"tok&en"+ü';
const redactor = makeRedactor({
  secrets: [{ value: secret, shell: '$VOUCH_TOKEN' }],
  invented: [],
  headerNames: [],
});

const { operations } = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Paths', version: '1' },
    paths: { '/{a}-{b}-{c}-{d}-{e}:end': { get: { responses: {} } } },
  }),
  'paths.json',
);
const router = makeRouter(operations.map((operation) => [operation.path, operation] as const));

const inputs: readonly HostileInput[] = [
  ...[
    { name: 'half a million escapes', text: `"${'\\"'.repeat(5e5)}"` },
    { name: 'a million digits', text: '1'.repeat(1e6) },
    { name: 'a million brackets', text: '['.repeat(1e6) },
    { name: 'a million line breaks before an error', text: `${'\n'.repeat(1e6)}x` },
  ].map(({ name, text }) => ({
    name: `JSON: ${name}`,
    maxMs: 2_000,
    run: () => parseJson(text),
  })),
  { name: 'YAML: a billion laughs', maxMs: 1_000, run: () => parseYaml(laughs()) },
  ...[
    { pattern: '^(a+)+$', text: `${letters}!` },
    { pattern: 'a*a*a*b', text: letters },
    { pattern: '\\s+$', text: `${' '.repeat(50_000)}x` },
    { pattern: '^(\\w+\\s?)*$', text: `${'word '.repeat(200)}!` },
  ].map(({ pattern, text }) => ({
    name: `pattern: ${pattern}`,
    maxMs: 500,
    run: () => makeSafePattern(pattern).test(text),
  })),
  ...[' '.repeat(60_000), ' ;'.repeat(30_000), `"${'\\"'.repeat(30_000)}`].map((text) => ({
    name: `header Prefer: ${text.slice(0, 4)}…`,
    maxMs: 1_000,
    run: () => readPreferences([['Prefer', text]]),
  })),
  {
    name: 'path: a long segment with five parameters',
    maxMs: 200,
    run: () => router.route('GET', ['-'.repeat(100_000)]),
  },
  { name: 'JSON patch: doubling copies', maxMs: 1_000, run: () => applyJsonPatch(...doubling()) },
  { name: 'JSON patch: 20,000 steps', maxMs: 4_000, run: () => applyJsonPatch(...manySteps()) },
  ...['some plain words ', `${secret} `, secret.slice(0, -1), '%53', '&#0'].map((text) => ({
    name: `secret: 10 MiB of ${JSON.stringify(text)}`,
    maxMs: 10_000,
    run: () => redactor.text(text.repeat((10 * 1024 * 1024) / text.length)),
  })),
  ...[`^${'[a-z]*'.repeat(58)}$`, `${'('.repeat(20_000)}a${')'.repeat(20_000)}`].map((pattern) => ({
    name: `lint: the pattern ${pattern.slice(0, 12)}…`,
    maxMs: 7_500,
    run: () => lintContract({ file: 'things.json', text: documentWith(pattern) }),
  })),
];

async function measureInput({ name, maxMs, run }: HostileInput): Promise<Figure> {
  const began = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(began);
  const ms = (user + system) / 1_000;
  return {
    measure: name,
    measured: `${ms.toFixed(0)} ms`,
    promised: `at most ${String(maxMs)} ms`,
    kept: ms <= maxMs,
    data: { ms },
  };
}

function laughs(): string {
  const list = (item: string): string => `[${Array<string>(9).fill(item).join(', ')}]`;
  const names = 'abcdefghi'.split('');
  return names
    .map((name, index) => `${name}: &${name} ${list(index === 0 ? 'lol' : `*${names[index - 1]}`)}`)
    .join('\n');
}

function doubling(): Parameters<typeof applyJsonPatch> {
  const steps = Array.from({ length: 24 }, (_, index) => ({
    op: 'copy',
    from: '',
    path: `/c${String(index)}`,
  }));
  return [{ a: { b: 'x'.repeat(1_000) } }, steps];
}

function manySteps(): Parameters<typeof applyJsonPatch> {
  const names = Array.from({ length: 20_000 }, (_, index) => [`k${String(index)}`, 1] as const);
  const steps = names.map((_name, value) => ({ op: 'add', path: '/k0', value }));
  return [Object.fromEntries(names), steps];
}

function documentWith(pattern: string): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: {},
    components: { schemas: { Thing: { type: 'string', pattern } } },
  });
}
