import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget, type CheckReport } from '../../src/check/engine/check-target.ts';
import { parseContract } from '../../src/contract/load.ts';

const text = `openapi: 3.1.0
info: { title: Audit, version: 1.0.0 }
servers: [{ url: / }]
paths:
  /audit:
    get:
      operationId: getAudit
      security: [{ user: [], adminKey: [] }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object } } } }
        '401': { description: who are you }
components:
  securitySchemes:
    user: { type: http, scheme: bearer }
    adminKey: { type: apiKey, in: header, name: X-Admin-Key }
`;
const contract = parseContract(text, 'audit.yaml');
const tokens = { user: 'user-token-18c2', adminKey: 'admin-key-77d1' };

type Admits = (headers: IncomingHttpHeaders) => boolean;
const hasUser: Admits = ({ authorization }) => authorization === `Bearer ${tokens.user}`;
const hasKey: Admits = (headers) => headers['x-admin-key'] === tokens.adminKey;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function check(admits: Admits, status = 401): Promise<CheckReport> {
  const server = createServer(({ headers }, response) => {
    const isIn = admits(headers);
    const isBare = headers.authorization === undefined && headers['x-admin-key'] === undefined;
    response.writeHead(isIn ? 200 : isBare ? 401 : status, {
      'Content-Type': 'application/json',
      ...(isIn ? {} : { 'WWW-Authenticate': 'Bearer' }),
    });
    response.end('{}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return checkTarget({ url, contract, seed: 'two', tokens });
}

function causes({ findings }: CheckReport): (string | undefined)[] {
  return findings.filter(({ severity }) => severity === 'error').map(({ cause }) => cause);
}

describe('two schemes in one requirement', () => {
  test('have no finding if both are checked, by 401 or by 403', async () => {
    const both: Admits = (headers) => hasUser(headers) && hasKey(headers);
    expect(causes(await check(both))).toEqual([]);
    expect(causes(await check(both, 403))).toEqual([]);
  });

  test.each<[string, Admits, string]>([
    ['the key is not checked', hasUser, 'none adminKey'],
    ['the token is not checked', hasKey, 'none user'],
    [
      'any key is enough beside the token',
      (headers) => hasUser(headers) && headers['x-admin-key'] !== undefined,
      'wrong adminKey',
    ],
    [
      'another scheme is let through without a look',
      (headers) =>
        (hasUser(headers) && hasKey(headers)) ||
        headers.authorization?.startsWith('Basic') === true,
      'other-scheme',
    ],
  ])('are accused where %s', async (_title, admits, cause) => {
    expect(causes(await check(admits))).toContain(cause);
  });
});
