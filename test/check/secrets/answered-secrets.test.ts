import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { runCheck } from '../../../src/check/engine/check-target.ts';
import { loadContract } from '../../../src/index.ts';
import type { RunEvent } from '../../../src/check/model/event.ts';
import { reporters } from '../../../src/report/reporters.ts';

const secrets = ['S3cret-access-0001', 'S3cret-refresh-0002', 'S3cret-loc-0003', 'S3cret-key-0004'];
const [access, refresh, location, key] = secrets;

/** Answers every request with secrets that vouch was not given, and not as the contract says. */
const server = createServer((incoming, response) => {
  incoming.resume().on('end', () => {
    response.writeHead(200, {
      'content-type': 'application/json',
      location: `/cb?access_token=${location ?? ''}`,
    });
    response.end(
      JSON.stringify({
        access_token: access,
        refreshToken: refresh,
        users: [{ api_key: key }],
        token_type: 'bearer',
      }),
    );
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => server.close());

const contract = await loadContract({
  openapi: '3.1.0',
  info: { title: 'Login', version: '1' },
  paths: {
    '/login': {
      post: {
        operationId: 'login',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['user', 'password'],
                properties: {
                  user: { type: 'string' },
                  password: { type: 'string', example: 'made-up-password' },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: 'ok',
            content: {
              'application/json': { schema: { type: 'object', required: ['expires_in'] } },
            },
          },
          400: { description: 'no' },
        },
      },
    },
  },
});

test('no report shows the secrets of an answer; commands can be repeated', async () => {
  const { port } = server.address() as AddressInfo;
  const events: RunEvent[] = [];
  const url = `http://127.0.0.1:${String(port)}`;
  for await (const event of runCheck({ url, contract, mode: 'read-write' })) events.push(event);
  const findings = events.flatMap((event) =>
    event.type === 'finding-reported' ? [event.finding] : [],
  );
  expect(findings.length).toBeGreaterThan(0);
  const texts = reporters.map((reporter) => {
    const write = reporter.begin({ color: false, width: 80, verbose: true });
    return events.map((event) => write(event)).join('');
  });
  const shown = [...texts, JSON.stringify(findings)];
  expect(secrets.filter((secret) => shown.some((text) => text.includes(secret)))).toEqual([]);
  expect(texts.join('')).toContain('[redacted]');
  expect(findings.flatMap(({ curl }) => curl).join('\n')).toContain('made-up-password');
});
