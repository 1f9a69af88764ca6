import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { chooseContract } from '../../src/library/choose-contract.ts';
import { lintContract } from '../../src/lint/lint-contract.ts';
import { writeFiles } from './write-files.ts';

const api = `openapi: 3.1.0
info: { title: Items, version: 1.0.0 }
paths:
  /items:
    get:
      operationId: listItems
      responses: { '200': { description: OK } }
`;

const limit = `overlay: 1.1.0
info: { title: limit, version: '1' }
extends: ./api.yaml
actions:
  - target: $.paths['/items'].get
    update:
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
`;

const swaps = `overlay: 1.0.0
info: { title: ids, version: '1' }
extends: ./other.yaml
actions:
  - target: $.paths['/items'].get
    update: { operationId: findItems }
  - target: $.paths['/nope']
    remove: true
`;

const files = { 'api.yaml': api, 'limit.yaml': limit, 'swaps.yaml': swaps };

describe('a contract with Overlays', () => {
  test('is the document after all of them, in order', async () => {
    const folder = await writeFiles(files);
    const overlays = [join(folder, 'limit.yaml'), join(folder, 'swaps.yaml')];
    const contract = await loadContract(join(folder, 'api.yaml'), { overlays });
    const [operation] = contract.operations;
    expect(operation?.id).toBe('findItems');
    expect(operation?.parameters.map(({ name }) => name)).toEqual(['limit']);
    expect(contract.overlays).toEqual(overlays);
    expect(contract.files).toEqual([join(folder, 'api.yaml'), ...overlays]);
  });

  test('warns of an action without effect, and of an Overlay for another document', async () => {
    const folder = await writeFiles(files);
    const { faults } = await loadContract(join(folder, 'api.yaml'), {
      overlays: [join(folder, 'limit.yaml'), join(folder, 'swaps.yaml')],
    });
    expect(faults.map(({ message, place }) => [message, place.line])).toEqual([
      ['The Overlay is for ./other.yaml, and is applied to api.yaml.', 3],
      [
        "The target $.paths['/nope'] of the Overlay selects nothing, so the action has no effect.",
        7,
      ],
    ]);
  });

  test('has a problem of an Overlay reported in the file of the Overlay', async () => {
    const folder = await writeFiles({
      ...files,
      'limit.yaml': limit.replace('type: integer', 'type: integr'),
    });
    const overlays = [join(folder, 'limit.yaml')];
    const { problems } = await lintContract(join(folder, 'api.yaml'), { overlays });
    const places = problems
      .filter(({ severity }) => severity === 'error')
      .map(({ place: { file, line } }) => [file.replace(/^.*\//, ''), line]);
    expect(places).toContainEqual(['limit.yaml', 8]);
  });

  test('follows references that an Overlay adds, relative to the document', async () => {
    const folder = await writeFiles({
      'api/api.yaml': api,
      'api/parameters.yaml': 'limit: { name: limit, in: query, schema: { type: integer } }',
      'overlays/limit.yaml': limit.replace(/- \{ name.*$/m, "- $ref: 'parameters.yaml#/limit'"),
    });
    const { operations } = await loadContract(join(folder, 'api/api.yaml'), {
      overlays: [join(folder, 'overlays/limit.yaml')],
    });
    expect(operations[0]?.parameters.map(({ name }) => name)).toEqual(['limit']);
  });

  test('is an error with a hint if the file of an Overlay is missing', async () => {
    const folder = await writeFiles(files);
    const loading = loadContract(join(folder, 'api.yaml'), { overlays: [join(folder, 'no.yaml')] });
    await expect(loading).rejects.toMatchObject({
      code: 'overlay-invalid',
      message: expect.stringMatching(/^There is no file .*no\.yaml\.$/) as string,
      hint: 'Check the path after --overlay, or under overlays in the configuration.',
    });
  });
});

describe('Overlays of the configuration', () => {
  const config = "contract: api.yaml\noverlays: ['limit.yaml']\n";

  test('are applied to its contract, before those of the call, and each once', async () => {
    const folder = await writeFiles({ ...files, 'vouch.config.yaml': config });
    const { contract } = await chooseContract({
      config: join(folder, 'vouch.config.yaml'),
      overlays: [join(folder, 'limit.yaml'), join(folder, 'swaps.yaml')],
    });
    expect(contract.operations[0]?.id).toBe('findItems');
    expect(contract.operations[0]?.parameters).toHaveLength(1);
  });

  test('are applied also if the contract is named, and not to another document', async () => {
    const folder = await writeFiles({ ...files, 'b.yaml': api, 'vouch.config.yaml': config });
    const choose = async (name: string): Promise<number | undefined> => {
      const { contract } = await chooseContract({
        config: join(folder, 'vouch.config.yaml'),
        contract: join(folder, name),
      });
      return contract.operations[0]?.parameters.length;
    };
    expect(await choose('api.yaml')).toBe(1);
    expect(await choose('b.yaml')).toBe(0);
  });

  test('are read again when the file of an Overlay changes', async () => {
    const folder = await writeFiles({ ...files, 'vouch.config.yaml': config });
    const named = { config: join(folder, 'vouch.config.yaml') };
    await chooseContract(named);
    await writeFile(join(folder, 'limit.yaml'), limit.replace('name: limit', 'name: top'));
    const { contract } = await chooseContract(named);
    expect(contract.operations[0]?.parameters[0]?.name).toBe('top');
  });
});
