import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { VouchError } from '../../../src/errors.ts';
import { TokenService } from '../../../src/mock/tokens/token-service.ts';
import { createAppOf, createControlApp, createApp } from '../../../src/server/create-app.ts';
import { listen, type Listening } from '../../../src/server/listen.ts';
import { assembleParts } from '../../../src/server/serving-parts.ts';
import { fakeMock, type FakeMock } from '../fake-mock.ts';
import { controlToken } from '../serve-fake.ts';
import { thingsDocument } from '../things-contract.ts';

const open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listening) => listening.close()));
});

async function serveApart(
  mock: FakeMock = fakeMock(),
): Promise<{ readonly mock: FakeMock; readonly url: string; readonly control: string }> {
  const parts = assembleParts(mock, { controlToken, controlApart: true });
  const both = [
    await listen(createAppOf(parts), { port: 0 }),
    await listen(createControlApp(parts), { port: 0 }),
  ] as const;
  open.push(...both);
  return { mock, url: both[0].url, control: both[1].url };
}

const authorized = { Authorization: `Bearer ${controlToken}` };

describe('the control API on a separate port', () => {
  test('leaves its prefix on the other port to the contract', async () => {
    const { mock, url } = await serveApart();
    expect((await fetch(`${url}/__vouch/state`)).status).toBe(200);
    expect(mock.requests.map(({ target }) => target)).toEqual(['/__vouch/state']);
  });

  test('has the journal of the other port', async () => {
    const { url, control } = await serveApart();
    await fetch(`${url}/__vouch/things`);
    const journal = await fetch(`${control}/__vouch/journal`, { headers: authorized });
    expect(await journal.json()).toMatchObject({
      count: 1,
      exchanges: [{ target: '/__vouch/things' }],
    });
  });

  test.each([
    ['GET', '/__vouch/health', {}, 200],
    ['HEAD', '/__vouch/health', {}, 200],
    ['GET', '/__vouch/state', {}, 401],
    ['GET', '/__vouch/state', { ...authorized, Origin: 'http://evil.test' }, 403],
    ['POST', '/__vouch/reset', authorized, 204],
    ['GET', '/v1/things', {}, 404],
    ['GET', '/', {}, 404],
    ['POST', '/__vouch/reset', { ...authorized, 'Content-Encoding': 'zstd' }, 415],
  ])('answers %s %s with %j: %s', async (method, target, headers, status) => {
    const { mock, control } = await serveApart();
    const answer = await fetch(`${control}${target}`, { method, headers });
    expect(answer.status).toBe(status);
    if (status >= 400) expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(mock.requests).toEqual([]);
  });
});

describe('a contract with a path under the prefix of the control API', () => {
  const shadowing = (path: string, base = 'https://things.example'): FakeMock => {
    const mock = fakeMock();
    const contract = parseContract(
      thingsDocument.replace('  /things:', `  ${path}:`).replace('https://things.example/v1', base),
      'things.yaml',
    );
    return { ...mock, options: { ...mock.options, contract } };
  };

  test.each<[string, string]>([
    ['/__vouch', 'https://things.example'],
    ['/__vouch/things', 'https://things.example'],
    ['/things', 'https://things.example/__vouch'],
  ])('%s %s is refused at start, with the way out', (path, base) => {
    let failure: unknown;
    try {
      createApp(shadowing(path, base), { controlToken });
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(VouchError);
    expect(failure).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('where the control API stands'),
      hint: 'Put the control API on a separate port: --control-port 0 uses any free one.',
    });
  });

  test('is served if the control API has a separate port', () => {
    expect(() =>
      assembleParts(shadowing('/__vouch'), { controlToken, controlApart: true }),
    ).not.toThrow();
  });

  test.each(['/__vouch/oauth2', '/__vouch/oauth2/token'])(
    '%s is where clients log in, on the port of the contract: it is refused ' +
      'wherever the control API stands',
    (path) => {
      const mock = shadowing(path);
      const tokens = new TokenService({
        contract: mock.options.contract,
        keys: [],
        clock: () => new Date(),
        random: randomBytes,
        settings: {},
        isOwned: () => false,
      });
      const expected = expect.objectContaining({
        code: 'config-invalid',
        message:
          `The contract has the operation listThings at ${path}, where clients log ` +
          'in for tokens.',
      });
      for (const controlApart of [true, false])
        expect(() => assembleParts({ ...mock, tokens }, { controlToken, controlApart })).toThrow(
          expected,
        );
      expect(() => assembleParts(mock, { controlToken, controlApart: true })).not.toThrow();
    },
  );

  test.each(['/__vouchers', '/things/__vouch', '/{anything}'])(
    '%s is not under the prefix',
    (path) => {
      expect(() => createApp(shadowing(path), { controlToken })).not.toThrow();
    },
  );
});
