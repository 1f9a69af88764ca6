import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const github = `${root}bench/.cache/api.github.com.json`;

/** Plans in a process of its own, in a world of its own, and digests every byte of each plan. */
function plansIn(
  world: Readonly<Record<string, string>>,
  contracts: readonly string[],
  args: readonly string[],
): string[] {
  const fixtures = `${root}test/check/fixture/`;
  const program = `
    import { planCheck } from ${JSON.stringify(`${root}src/check/engine/check-target.ts`)};
    import { loadContract } from ${JSON.stringify(`${root}src/contract/load.ts`)};
    import { libraryContract } from ${JSON.stringify(`${fixtures}library-contract.ts`)};
    import { shopContract } from ${JSON.stringify(`${fixtures}shop.ts`)};
    const url = 'http://127.0.0.1:4010/v1';
    const clock = () => new Date('2026-01-02T03:04:05Z');
    for (const name of ${JSON.stringify(contracts)}) {
      const own = { library: libraryContract, shop: shopContract }[name];
      const contract = own === undefined ? await loadContract(name) : own();
      const plan = planCheck({ url, contract, token: 'demo-key', seed: 'plan', clock });
      process.stdout.write(JSON.stringify(plan) + '\\n');
    }
  `;
  const written = execFileSync(
    process.execPath,
    [...args, '--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', program],
    {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ...world,
      },
      maxBuffer: 512 * 1024 * 1024,
    },
  );
  const plans = written.toString('latin1').trimEnd().split('\n');
  return plans.map(
    (plan) => `${String(plan.length > 1000)} ${createHash('sha256').update(plan).digest('hex')}`,
  );
}

const worlds: readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
  [{ TZ: 'UTC', LANG: 'C' }, ['--hash-seed=1']],
  [{ TZ: 'Pacific/Kiritimati', LANG: 'sv_SE.UTF-8', LC_ALL: 'sv_SE.UTF-8' }, ['--hash-seed=77']],
  [
    { TZ: 'America/St_Johns', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', NO_COLOR: '1' },
    ['--hash-seed=4242'],
  ],
];

describe('the same seed gives the same plan in any time zone, language and hash seed', () => {
  const contracts = ['library', 'shop', 'openapi/petstore.v1.yaml'];
  let plans: readonly (readonly string[])[] = [];
  beforeAll(() => {
    plans = worlds.map(([world, args]) => plansIn(world, contracts, args));
  }, 120_000);

  test.each(contracts.map((name, index) => ({ name, index })))('$name', ({ index }) => {
    const own = plans.map((all) => all[index]);
    expect(own[0]).toMatch(/^true /);
    expect(new Set(own).size).toBe(1);
  });

  // The document is fetched by `node bench/contracts/fetch.ts`, and is not part of the repository.
  test.runIf(existsSync(github))("GitHub's 1,223 operations", { timeout: 400_000 }, () => {
    const own = worlds.slice(0, 2).flatMap(([world, args]) => plansIn(world, [github], args));
    expect(own[0]).toMatch(/^true /);
    expect(new Set(own).size).toBe(1);
  });
});
