import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYaml } from '../../src/json/parse-yaml.ts';
import { type JsonObject, stringifyJson } from '../../src/json/value.ts';
import type { Benchmark } from '../measure/figures.ts';
import { requestsPerSecond } from '../measure/load.ts';
import { startVouch } from '../measure/server-process.ts';
import { ratiosOf, spreadOf, writeSpread } from '../measure/statistics.ts';

const rounds = 5;
const root = new URL('../../', import.meta.url);

/**
 * Whether an operation is slower where it is one of 1,228: the same one, alone with four others and
 * among all of GitHub's.
 */
export const manyOperations: Benchmark = {
  name: 'many-operations',
  description: "the same operation among GitHub's 1,223 others against the bundled contract alone",
  async measure(say) {
    const github = fileURLToPath(new URL('../.cache/api.github.com.json', import.meta.url));
    if (!existsSync(github))
      return [
        {
          measure: 'requests/s among 1,228 operations',
          measured: 'not measured: run node bench/contracts/fetch.ts',
          data: null,
        },
      ];
    const own = fileURLToPath(new URL('openapi/petstore.v1.yaml', root));
    const [alone, among] = [await startVouch([own]), await startVouch([merge(own, github)])];
    const [few, many]: [number[], number[]] = [[], []];
    try {
      for (const { url } of [alone, among]) await rate(url, 1);
      for (let round = 1; round <= rounds; round += 1) {
        few.push(await rate(alone.url, 2));
        many.push(await rate(among.url, 2));
        say(
          `round ${String(round)} of ${String(rounds)}: ` +
            `${many.at(-1)?.toFixed(0) ?? ''}/s among many, ` +
            `${few.at(-1)?.toFixed(0) ?? ''}/s alone`,
        );
      }
    } finally {
      await Promise.all([alone.stop(), among.stop()]);
    }
    const ratio = ratiosOf(many, few);
    return [
      {
        measure: 'requests/s among 1,228 operations',
        measured: `${writeSpread(ratio)} of those alone`,
        promised: 'at least 0.9',
        kept: ratio.median >= 0.9,
        data: { ratio, alone: spreadOf(few), among: spreadOf(many) },
      },
    ];
  },
};

/** An answer of the contract alone, so that no record makes a difference. */
function rate(url: string, seconds: number): Promise<number> {
  return requestsPerSecond(
    new URL(url).origin,
    { path: '/v1/store/orders', headers: { Authorization: 'Bearer demo-key' } },
    { seconds, connections: 32 },
  );
}

/**
 * One document with the operations of both: ours under its own base path, with its components under
 * names of their own.
 */
function merge(ours: string, theirs: string): string {
  const small = read(readFileSync(ours, 'utf8').replaceAll('#/components/', '#/components/x-own/'));
  const big = read(readFileSync(theirs, 'utf8'));
  const paths = Object.entries(members(small, 'paths')).map(
    ([path, item]): [string, JsonObject] => [
      path,
      { servers: [{ url: '/v1' }], ...(item as JsonObject) },
    ],
  );
  const components = {
    ...members(big, 'components'),
    'x-own': members(small, 'components'),
    securitySchemes: {
      ...members(members(big, 'components'), 'securitySchemes'),
      ...members(members(small, 'components'), 'securitySchemes'),
    },
  };
  const secured = paths.map(([path, item]): [string, JsonObject] => [
    path,
    withSecurity(item, small['security']),
  ]);
  const file = join(mkdtempSync(join(tmpdir(), 'vouch-merged-')), 'merged.json');
  writeFileSync(
    file,
    stringifyJson({
      ...big,
      components,
      paths: { ...members(big, 'paths'), ...Object.fromEntries(secured) },
    }),
  );
  return file;
}

function withSecurity(item: JsonObject, security: unknown): JsonObject {
  const entries = Object.entries(item).map(([key, value]) => [
    key,
    isOperation(key) ? { security, ...(value as JsonObject) } : value,
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

function isOperation(key: string): boolean {
  return ['get', 'put', 'post', 'patch', 'delete'].includes(key);
}

function members(owner: JsonObject, key: string): JsonObject {
  return (owner[key] ?? {}) as JsonObject;
}

function read(text: string): JsonObject {
  const reading = parseYaml(text);
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.value as JsonObject;
}
