import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PreparedDocument } from '../../../src/library/build-mock.ts';
import { ScenarioFolders } from '../../../src/library/console-services.ts';
import type { Contract } from '../../../src/contract/model.ts';
import { controlOf, type ControlClient } from '../control/control-client.ts';
import { fakeMock } from '../fake-mock.ts';

const yaml = `# The second time it is gone.
description: It is gone.
rules:
  - operation: getThing
    answers:
      - { status: 404 }
`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-scenarios-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** The control API of a mock whose scenarios are in the folder. */
function saving(): ControlClient {
  const mock = fakeMock();
  const { contract } = mock.options as { readonly contract: Contract };
  const document = { contract, scenarioFolder: folder } as Partial<PreparedDocument>;
  const scenarioFiles = new ScenarioFolders(() => [document as PreparedDocument]);
  return controlOf(mock, { console: { scenarioFiles } });
}

describe('a scenario of the console', () => {
  test('is saved in the folder, read as it was written, and active where it was', async () => {
    const { call, mock } = saving();
    const shown = relative(process.cwd(), folder);
    expect((await call('GET /scenarios')).body).toMatchObject({ folder: shown });
    const file = join(shown, 'gone.yaml');
    expect(await call('PUT /scenarios/gone', { yaml })).toMatchObject({
      status: 200,
      body: { name: 'gone', file, why: null },
    });
    expect(await readFile(join(folder, 'gone.yaml'), 'utf8')).toBe(yaml);
    expect((await call('GET /scenarios/gone')).body).toMatchObject({ yaml, file });
    await call('POST /scenarios/gone', { active: true, session: 'one' });
    await call('PUT /scenarios/gone?replace=true', { yaml: yaml.replace('It is', 'All is') });
    expect(mock.scenarios.active('one')).toEqual(['gone']);
    expect((await call('GET /scenarios')).body).toMatchObject({
      scenarios: expect.arrayContaining([
        { name: 'gone', description: 'All is gone.', active: false },
      ]),
    });
  });

  test('does not replace another one by itself', async () => {
    const { call } = saving();
    await writeFile(join(folder, 'kept.yaml'), 'mine');
    for (const name of ['kept', 'slow-list'])
      expect(await call(`PUT /scenarios/${name}`, { yaml })).toMatchObject({
        status: 409,
        body: { detail: `There is a scenario ${name} already, and it was left as it is.` },
      });
    expect(await readFile(join(folder, 'kept.yaml'), 'utf8')).toBe('mine');
  });

  test('does not replace what was changed since it was read', async () => {
    const { call, mock } = saving();
    const path = join(folder, 'gone.yaml');
    await call('PUT /scenarios/gone', { yaml, before: null });
    const other = `${yaml}# Of another editor.\n`;
    await writeFile(path, other);
    const changed = yaml.replace('It is', 'All is');
    for (const before of [yaml, null])
      expect(
        await call('PUT /scenarios/gone?replace=true', { yaml: changed, before }),
      ).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('meanwhile'), yaml: other },
      });
    expect(await readFile(path, 'utf8')).toBe(other);
    expect(mock.options.scenarios.find(({ name }) => name === 'gone')?.description).toBe(
      'It is gone.',
    );
    expect(
      await call('PUT /scenarios/gone?replace=true', { yaml: changed, before: other }),
    ).toMatchObject({ status: 200, body: { yaml: changed } });
    await rm(path);
    expect(await call('PUT /scenarios/gone?replace=true', { yaml, before: changed })).toMatchObject(
      { status: 409, body: { yaml: null } },
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test.each(['..', '../up', 'a/b', 'a\\b', '.hidden', 'con', 'dot.', 'x'.repeat(65), 'a b'])(
    'has no name such as %s',
    async (name) => {
      const { call } = saving();
      // A URL has no segment of two dots.
      const path = `PUT /scenarios/${encodeURIComponent(name).replace(/^\.\.$/, '%2E%2E%20')}`;
      expect(await call(path, { yaml })).toMatchObject({
        status: 400,
        body: { issues: [{ at: 'name', detail: expect.stringMatching(/^A name has 1 to 64/) }] },
      });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  test.each([
    ['gone.yaml', 'A name has no file extension: gone.'],
    ['gone.v2.YML', 'A name has no file extension: gone.v2.'],
    ['gone.json', 'A name has no file extension: gone.'],
    ['Slow-List', 'There is a scenario slow-list: on macOS and Windows, both would be one file.'],
  ])('has no name such as %s, which would be another file', async (name, detail) => {
    const { call } = saving();
    const issues = [{ at: 'name', detail }];
    const dry = await call(`PUT /scenarios/${name}?dry=true`, { yaml });
    expect(dry).toMatchObject({ status: 200, body: { issues } });
    const saved = await call(`PUT /scenarios/${name}`, { yaml });
    expect(saved).toMatchObject({ status: 400, body: { issues } });
    expect(await readdir(folder)).toEqual([]);
  });

  test('is kept in memory without a folder, or where a file is a link', async () => {
    const { call } = controlOf();
    expect((await call('PUT /scenarios/gone', { yaml })).body).toMatchObject({
      file: null,
      why: 'The mock has no folder for scenarios.',
    });
    expect((await call('GET /scenarios/gone')).body).toMatchObject({ yaml, file: null });
    await symlink(join(folder, 'elsewhere'), join(folder, 'gone.yaml'));
    expect((await saving().call('PUT /scenarios/gone', { yaml })).body).toMatchObject({
      file: null,
      why: expect.stringContaining('is a symbolic link'),
    });
    expect(await readdir(folder)).toEqual(['gone.yaml']);
  });

  test('is shown as it plays where it could not be saved in its file', async () => {
    await writeFile(join(folder, 'elsewhere'), yaml);
    await symlink(join(folder, 'elsewhere'), join(folder, 'gone.yaml'));
    const { call, mock } = saving();
    const changed = yaml.replace('404', '200');
    await call('PUT /scenarios/gone?replace=true', { yaml: changed });
    expect((await call('GET /scenarios/gone')).body).toMatchObject({ yaml: changed, file: null });
    const stale = { yaml, before: yaml };
    expect((await call('PUT /scenarios/gone?replace=true', stale)).status).toBe(409);
    mock.putScenario({ name: 'gone', description: 'As a reload does it.', rules: [] });
    expect((await call('GET /scenarios/gone')).body).toMatchObject({
      yaml,
      file: expect.stringContaining('gone.yaml'),
    });
  });

  test('has a place for every error', async () => {
    const { call, mock } = saving();
    const wrong = [
      'description: Two errors.',
      'rules:',
      '  - { operation: getThin, answers: [{ status: 404 }] }',
      '  - operation: getThing',
      '    answers: [{ status: 299 }]',
    ].join('\n');
    const { body } = await call('PUT /scenarios/two?dry=true', { yaml: wrong });
    expect(body).toMatchObject({
      issues: [
        { at: '/rules/0/operation', line: 3, detail: expect.stringContaining('getThing?') },
        { at: '/rules/1/answers/0/status', line: 5 },
      ],
    });
    expect(await call('PUT /scenarios/two', { yaml: wrong })).toMatchObject({
      status: 400,
      body: { detail: 'The scenario is not valid.', issues: [{}, {}] },
    });
    for (const [text, detail] of [
      ['rules: [', 'This is not YAML'],
      ['description: No.\nrule: []', 'Did you mean rules?'],
    ] as const)
      expect((await call('PUT /scenarios/two?dry=true', { yaml: text })).body).toMatchObject({
        issues: [{ detail: expect.stringContaining(detail) }],
      });
    expect(await call('PUT /scenarios/two?dry=yes', { yaml })).toMatchObject({
      status: 400,
      body: { detail: 'dry must be true.' },
    });
    expect(mock.scenarios.names).not.toContain('two');
  });
});
