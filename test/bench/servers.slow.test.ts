import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { defects, plant } from '../../bench/servers/defects.ts';
import { key } from '../../bench/servers/server-under-test.ts';
import { serverNames, servers, type ServerName } from '../../bench/servers/servers.ts';
import { checkTarget, type CheckReport } from '../../src/check/engine/check-target.ts';
import { loadContract } from '../../src/contract/load.ts';

const folder = fileURLToPath(new URL('../../bench/servers/', import.meta.url));
const contract = await loadContract(join(folder, 'books.yaml'));

async function check(name: ServerName, defect?: string, only?: string): Promise<CheckReport> {
  const server = await servers[name](defect);
  try {
    return await checkTarget({
      url: server.url,
      contract,
      token: key,
      seed: 'servers',
      ...(only === undefined ? {} : { only: [only] }),
    });
  } finally {
    await server.stop();
  }
}

const sourcesOf = (name: string): string[] =>
  readdirSync(join(folder, name), { encoding: 'utf8' }).map((file) =>
    readFileSync(join(folder, name, file), 'utf8'),
  );

describe('servers written apart from vouch', () => {
  test.each(serverNames)('%s conforms, and vouch check finds nothing', async (name) => {
    const { summary, findings } = await check(name);
    expect(
      findings.filter(({ severity }) => severity !== 'note').map(({ message }) => message),
    ).toEqual([]);
    expect(summary.verdict).toBe('passed');
  });

  test.each([
    ['plain', 'any-token-accepted', 'credential-required'],
    ['plain', 'refused-update-kept', 'refusal-is-harmless'],
    ['express', 'unknown-method-is-get', 'method-refused'],
    ['express', 'body-cut-off', 'operation-answers'],
  ] as const)('%s with %s breaks it, and %s says so', async (name, defect, id) => {
    const { summary, findings } = await check(name, defect, id);
    expect(summary.verdict).toBe('failed');
    expect(
      findings.filter(({ severity }) => severity === 'error').map((finding) => finding.check),
    ).toContain(id);
  });

  test.each(serverNames)('%s has every defect of the table', (name) => {
    const text = sourcesOf(name).join('\n');
    expect(Object.keys(defects).filter((defect) => !text.includes(`'${defect}'`))).toEqual([]);
  });

  test('benchmark servers share no code with vouch', () => {
    const sources = ['.', ...serverNames].flatMap((name) =>
      readdirSync(join(folder, name), { encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(folder, name, file), 'utf8')),
    );
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter((text) => /from '[^']*\/src\//.test(text))).toEqual([]);
  });

  test('an unknown defect is refused', () => {
    expect(() => plant('filter-ignred')).toThrow('There is no defect filter-ignred.');
  });
});
