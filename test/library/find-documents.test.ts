import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseContract } from '../../src/library/choose-contract.ts';
import { findOnlyDocument } from '../../src/library/find-documents.ts';

const document = 'openapi: 3.1.0\ninfo: { title: Things, version: 1.0.0 }\npaths: {}\n';
let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'vouch-documents-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

describe('the one OpenAPI document of a folder', () => {
  test.each([
    'openapi.yaml',
    'openapi/shop.yaml',
    'src/api.yml',
    'src/main/resources/swagger.yaml',
    'services/orders/openapi.yaml',
    'packages/orders/api/orders.yaml',
    'apps/orders/src/openapi.yaml',
  ])('is found as %s', async (file) => {
    write({
      [file]: document,
      'package.json': '{ "openapi": { "of": "another tool" } }',
      'docker-compose.yaml': 'services: {}\n',
      'src/models.yaml': 'components: {}\n',
      'node_modules/other/openapi.yaml': document,
    });
    expect(await findOnlyDocument(folder)).toBe(file);
  });

  test('JSON, and a byte order mark', async () => {
    write({ 'api/shop.json': '{ "info": {}, "swagger": "2.0" }' });
    expect(await findOnlyDocument(folder)).toBe('api/shop.json');
    rmSync(join(folder, 'api'), { recursive: true });
    write({ 'shop.yaml': `\ufeff${document}` });
    expect(await findOnlyDocument(folder)).toBe('shop.yaml');
  });

  test('is missing: the error has a hint', async () => {
    write({ 'README.md': 'openapi: 3.1.0\n' });
    await expect(findOnlyDocument(folder)).rejects.toMatchObject({
      code: 'usage',
      message:
        'No OpenAPI document found here or in folders such as openapi/, api/, docs/ and src/.',
      hint: 'Pass the path of one. To try vouch with the bundled example: vouch mock --demo.',
    });
  });

  test('is one of several: the error lists them, common names first', async () => {
    write({
      'services/b/openapi.yaml': document,
      'services/a/orders.yaml': document,
      'docs/openapi.yaml': document,
    });
    await expect(findOnlyDocument(folder)).rejects.toMatchObject({
      code: 'usage',
      message:
        'There are 3 OpenAPI documents here:\n' +
        '  docs/openapi.yaml\n  services/b/openapi.yaml\n  services/a/orders.yaml',
      hint: 'Pass one of them. To make it the default: vouch init docs/openapi.yaml',
    });
  });

  test('is one of more than twenty: the others are counted', async () => {
    write(
      Object.fromEntries(
        Array.from({ length: 23 }, (_, index) => [`services/s${String(index)}/api.yaml`, document]),
      ),
    );
    await expect(findOnlyDocument(folder)).rejects.toThrow(/\n {2}and 3 more$/);
  });
});

test('without a configuration and a contract, no document of the folder is taken', async () => {
  await expect(chooseContract({ config: false })).rejects.toMatchObject({
    code: 'usage',
    message: 'There is no document: `config: false` reads nothing by itself.',
  });
});
