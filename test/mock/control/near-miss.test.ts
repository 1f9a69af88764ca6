import { expect, test } from 'vitest';
import type { HeaderList, HttpRequest } from '../../../src/http/message.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { makeContract } from '../../contract/make-contract.ts';
import { scenarioOf } from '../scenarios/read-scenario.ts';
import { bytes, mockOf } from '../workshop.ts';

const contract = makeContract({
  paths: {
    '/one': {
      post: {
        operationId: 'addOne',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', required: ['a'] } } },
        },
        responses: { 204: { description: 'done' } },
      },
    },
    '/two': {
      get: { operationId: 'getTwo', responses: { 204: { description: 'done' } } },
      put: { operationId: 'putTwo', responses: { 204: { description: 'done' } } },
    },
  },
});

/** What a request nearly was, in words. */
async function missOf(
  mock: Mock,
  line: string,
  body = '',
  more: HeaderList = [],
): Promise<string | undefined> {
  const [method = '', target = ''] = line.split(' ');
  const request: HttpRequest = {
    method,
    target,
    headers: [...(body === '' ? [] : [['Content-Type', 'application/json'] as const]), ...more],
    body: bytes(body),
  };
  const { refusal, scenario } = await mock.answer(request);
  const miss = mock.nearMiss({ request, isWhole: true, refusal, scenario });
  return miss && `${miss.kind} ${miss.name}: ${miss.message}`;
}

test.each([
  ['GET /one', '', 'operation addOne: All but the method fits: here POST is addOne.'],
  [
    'DELETE /two',
    '',
    'operation /two: All but the method fits: here GET is getTwo, PUT is putTwo.',
  ],
  ['GET /tow', '', 'operation getTwo: All but the path fits: GET /two is getTwo.'],
  ['HEAD /tow', '', 'operation getTwo: All but the path fits: HEAD /two is getTwo.'],
  ['DELETE /tow', '', undefined],
  ['GET /nothing-of-the-kind', '', undefined],
  ['POST /one', '{"b":1}', undefined],
  ['POST /one', '{"a":1}', undefined],
])('%s %s was nearly %s', async (line, body, expected) => {
  expect(await missOf(await mockOf({ contract }), line, body)).toBe(expected);
});

test.each<[string, HeaderList, string | undefined]>([
  [
    'a scenario that is on and asks for one thing more',
    [],
    'scenario picky: The active scenario picky would answer getTwo, except for ' +
      'one condition: the header X-Mood must be "bad".',
  ],
  ['none, where a scenario has answered', [['X-Mood', 'good']], undefined],
  ['none, where the session cannot be one', [['Vouch-Session', '']], undefined],
  ['none, where its wishes cannot be read', [['Prefer', 'code=1']], undefined],
])('GET /two was nearly answered by %s', async (_name, headers, expected) => {
  const answers = [{ status: 204 }];
  const scenarios = [
    scenarioOf(
      'picky',
      { operation: 'getTwo', match: { headers: { 'X-Mood': 'bad' } }, answers },
      { operation: 'getTwo', match: { headers: { 'X-Mood': 'good' } }, answers },
    ),
  ];
  expect(
    await missOf(await mockOf({ contract, scenarios, scenario: 'picky' }), 'GET /two', '', headers),
  ).toBe(expected);
});
