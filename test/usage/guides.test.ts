import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { VouchError } from '../../src/errors.ts';
import { packageFolder } from '../../src/library/bundled.ts';
import { startMock, type RunningMock } from '../../src/library/start-mock.ts';

const guides = join(packageFolder, 'docs/guides');
const contract = join(packageFolder, 'openapi/petstore.v1.yaml');
let folder = '';
let mocks: readonly RunningMock[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-guides-'));
  copyFileSync(contract, join(folder, 'openapi.yaml'));
  mocks = await Promise.all([0, 1].map(() => startMock({ contract, config: false, keys: ['demo-key'] })));
});
afterAll(async () => {
  await Promise.all(mocks.map((mock) => mock.close()));
  rmSync(folder, { recursive: true });
});

/** Runs one command of a guide as its reader would, and answers its exit code with what it printed. */
function run(command: string): Promise<string> {
  const [ours, theirs] = mocks;
  const env = { ...process.env, NO_COLOR: '1', GITHUB_STEP_SUMMARY: '', URL: ours?.url, OTHER: theirs?.url, VOUCH_TOKEN: 'demo-key', VOUCH_STATE_DIR: join(folder, 'state') };
  const line = command.replace('npx vouch', `'${process.execPath}' '${join(packageFolder, 'bin/vouch.js')}'`);
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', line], { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }, (_error, out, err) => resolve(`${String(child.exitCode)}\n${out}${err}`));
  });
}

/** The mock refuses a limit of 0, and the contract documents no status for that: a note, which a replay finds again. */
const codes: Readonly<Record<string, number>> = { 'npx vouch replay report.json --url $URL': 1 };

describe.each(readdirSync(guides))('docs/guides/%s', (name) => {
  const text = readFileSync(join(guides, name), 'utf8');
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap((match) => (match[1] ?? '').trim().split('\n'));

  test('its commands do what they say, one after the other', async () => {
    expect(commands.length).toBeGreaterThan(4);
    for (const command of commands) {
      const said = await run(command);
      expect(said.split('\n')[0], `${command}\n${said}`).toBe(String(codes[command] ?? 0));
    }
  }, 240_000);

  test('is no longer than two pages', () => {
    expect(text.split('\n').length).toBeLessThan(80);
  });
});

describe('the configuration that README shows', () => {
  const file = join(packageFolder, 'test/usage/targets.yaml');

  test('is right in the eyes of an editor', () => {
    const schema: object = JSON.parse(readFileSync(join(packageFolder, 'schemas/config.schema.json'), 'utf8'));
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    const config: unknown = parse(readFileSync(file, 'utf8'));
    expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ targets: { staging: { url: 'https://a.example', mod: 'fuzz' } } })).toBe(false);
  });

  test('never holds a token, and none is shown', async () => {
    const wrong = join(folder, 'vouch.config.yaml');
    writeFileSync(wrong, 'targets:\n  staging: { url: https://a.example, auth: s3cret-of-mine }\n');
    const said = await readConfig(folder, wrong).catch((error: unknown) => error);
    expect(said).toBeInstanceOf(VouchError);
    expect(JSON.stringify([said, String(said)])).not.toContain('s3cret-of-mine');
    expect(String(said)).toContain('targets.staging.auth names the environment variable that holds the token, as env:NAME');
  });

  test('is read', async () => {
    const { targets, check } = await readConfig(packageFolder, file);
    expect(Object.keys(targets)).toEqual(['staging', 'production']);
    expect(check?.checks).toEqual({ 'answers-in-time': 'off', 'deprecation-announced': 'error' });
  });
});
