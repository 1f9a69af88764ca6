import { expect, test } from 'vitest';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { headerValue } from '../../src/http/message.ts';
import { makeContract } from '../contract/make-contract.ts';

const contract = makeContract({
  components: { securitySchemes: { login: { type: 'http', scheme: 'basic' } } },
  security: [{ login: [] }],
  paths: {
    '/a': {
      get: {
        operationId: 'a',
        responses: { 200: { description: 'ok' }, 401: { description: 'no' } },
      },
    },
  },
});

test.each([
  ['robin:hunter22', 'robin:hunter22'],
  ['an-api-key', 'an-api-key:'],
])('the token %s is sent by basic as %s, and shown in no event', async (token, pair) => {
  const expected = `Basic ${Buffer.from(pair).toString('base64')}`;
  const sent: (string | undefined)[] = [];
  const { summary, events } = await checkTarget({
    url: 'http://127.0.0.1:9',
    contract,
    token,
    send: async (baseUrl, request) => {
      const given = headerValue(request.headers, 'authorization');
      sent.push(given);
      // An echo of the credential, as careless servers give it.
      return {
        baseUrl,
        request,
        response: {
          status: given === expected ? 200 : 401,
          headers: [['X-Echo', given ?? '']],
          body: new Uint8Array(),
        },
        durationMs: 1,
      };
    },
  });
  expect(summary.verdict).toBe('passed');
  expect(sent).toContain(expected);
  expect(JSON.stringify(events)).not.toContain(Buffer.from(pair).toString('base64'));
});
