import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfigIdentities } from '../../../src/cli/check/credentials.ts';
import type { GivenIdentities } from '../../../src/check/secrets/identities.ts';
import { readConfig } from '../../../src/config/config.ts';
import { tenantContract } from '../../check/fixture/tenant-server.ts';
import { makeFakeIo } from '../fake-io.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-identities-'));
});
afterAll(() => rm(folder, { recursive: true }));

const env = { TOKEN: 'token-of-writer', READ: 'token-of-reader', ADMIN: '' };

async function read(yaml: string, target?: string): Promise<GivenIdentities> {
  await writeFile(join(folder, 'vouch.config.yaml'), yaml);
  const config = await readConfig(folder);
  return readConfigIdentities(makeFakeIo(env), { config, contract: tenantContract() }, target);
}

const sound = `identities:
  writer: { auth: { bearer: env:TOKEN } }
  reader: { auth: env:READ, may: [read, createNote] }
  admin: { auth: env:ADMIN, may: [write], sees: { nothing-of: writer, except: [GET /notes] } }
`;

describe('identities of the configuration', () => {
  test('have the tokens of their variables, or the name of one that is not set', async () => {
    expect(await read(sound)).toEqual({
      writer: { tokens: { bearer: 'token-of-writer' }, headers: {} },
      reader: {
        token: 'token-of-reader',
        tokenSource: { variable: 'READ', named: true },
        headers: {},
        may: ['read', 'createNote'],
      },
      admin: {
        lacks: 'ADMIN',
        headers: {},
        may: ['write'],
        sees: { 'nothing-of': 'writer', except: ['GET /notes'] },
      },
    });
  });

  test('of a target replace those at the top level', async () => {
    const target = 'targets: { t: { url: http://127.0.0.1, identities: { one: {} } } }';
    expect(Object.keys(await read(`${sound}${target}`, 't'))).toEqual(['one']);
    expect(Object.keys(await read(`${sound}${target}`))).toEqual(['writer', 'reader', 'admin']);
  });

  test.each([
    ['an unknown word', '{ auth: env:READ, may: [raed] }', /raed/, 3],
    ['an unknown scheme', '{ auth: { baerer: env:READ } , may: [] }', /baerer/, 3],
    ['an unknown identity', '{ auth: env:READ, sees: { nothing-of: x } }', /identity x/, 3],
    ['no auth', '{ may: [read] }', /needs auth/, 3],
    ['an unknown setting', '{ auth: env:READ, maay: [read] }', /no setting maay/, 3],
    ['a header that is secret', '{ auth: env:READ, may: [], headers: { X-Key: a } }', /X-Key/, 3],
  ])('with %s are refused with the line', async (_what, other, message, line) => {
    const yaml = `identities:\n  writer: { auth: env:TOKEN }\n  other: ${other}\n`;
    await expect(read(yaml)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message),
      place: { line },
      hint: expect.stringMatching(/./),
    });
  });

  test('that hold a token itself are refused without showing it', async () => {
    const error = await read('identities: { writer: { auth: secret-token } }').catch(String);
    expect(error).toMatch(/env:NAME/);
    expect(error).not.toContain('secret-token');
  });
});
