import { expect, test } from 'vitest';
import { readAnswer } from '../../../src/check/reading/read-answer.ts';
import { type Intent, makeCase } from '../../../src/check/model/case.ts';
import type { ReplayForm } from '../../../src/check/model/finding.ts';
import type { Step } from '../../../src/check/model/step.ts';
import { whyUndecided } from '../../../src/check/replay/replay-findings.ts';
import type { HeaderList } from '../../../src/http/message.ts';
import { libraryContract } from '../fixture/library-contract.ts';

const contract = libraryContract();
const listBooks = contract.operations.find(({ id }) => id === 'listBooks');
if (listBooks === undefined) throw new Error('the contract has no list');
const operation = listBooks;
const valid: Intent = { kind: 'valid', rigour: 'plain', at: '' };
const invalid: Intent = {
  kind: 'invalid',
  at: '',
  rule: 'limit is 0',
  part: 'query',
  subject: 'limit',
  accepted: 'error',
};

interface Told {
  readonly headers?: HeaderList;
  readonly intent?: Intent;
  readonly credential?: 'given' | 'none';
  readonly body?: string;
}

/** A list that was asked for, and what it got; undefined for no answer. */
function step(
  status: number | undefined,
  { headers = [], intent = valid, credential = 'given', body = '[]' }: Told = {},
): Step {
  const response =
    status === undefined
      ? undefined
      : {
          status,
          headers: [['Content-Type', 'application/json'] as const, ...headers],
          body: new TextEncoder().encode(body),
        };
  return {
    case: makeCase({
      title: 't',
      phase: 'read',
      operation,
      request: { arguments: [], credential },
      intent,
    }),
    sent: { arguments: new Map() },
    exchange: {
      baseUrl: 'http://a.example',
      request: { method: 'GET', target: '/books', headers: [], body: new Uint8Array() },
      durationMs: 1,
      ...(response === undefined
        ? { fault: { kind: 'timeout', message: 'nothing came within a second' } }
        : { response }),
    },
    answer: response === undefined ? { kind: 'empty' } : readAnswer(response),
  };
}

/** The reason, where the check looked at the answer. */
function why(check: string, found: number, steps: readonly Step[], looked = 1): string | undefined {
  // Nothing else of a form is asked for.
  const form = { check, status: found } as ReplayForm;
  return whyUndecided(form, steps, {
    contract,
    inspected: new Map([['listBooks', new Map([[check, looked]])]]),
  });
}

test.each<[string, string, number, Step[], string | undefined]>([
  ['nothing was sent', 'status-documented', 200, [], 'No request was sent.'],
  [
    'no answer came',
    'status-documented',
    200,
    [step(undefined)],
    'No response: nothing came within a second',
  ],
  [
    'the server asks to wait',
    'status-documented',
    200,
    [step(503, { headers: [['Retry-After', '1']] })],
    'The server asks to retry later (503).',
  ],
  [
    'the credential is refused',
    'status-documented',
    200,
    [step(401)],
    'The credential is refused (401).',
  ],
  [
    'the credential is forbidden',
    'status-documented',
    200,
    [step(403)],
    'The credential is refused (403).',
  ],
  ['it is refused as it was', 'valid-accepted', 401, [step(401)], undefined],
  [
    'the check is of credentials',
    'credential-required',
    200,
    [step(401, { intent: { kind: 'credential', choice: 'none' } })],
    undefined,
  ],
  [
    'none was shown',
    'invalid-refused',
    200,
    [step(401, { intent: invalid, credential: 'none' })],
    undefined,
  ],
  [
    'what was valid is refused now',
    'body-matches-schema',
    200,
    [step(404)],
    'The status was 200 in the report, and is 404 now.',
  ],
  ['what was valid fails as it did', 'status-documented', 404, [step(404)], undefined],
  [
    'what was invalid is refused now',
    'invalid-refused',
    200,
    [step(400, { intent: invalid })],
    undefined,
  ],
  [
    'the server fails',
    'invalid-refused',
    200,
    [step(500, { intent: invalid })],
    'The status is 500 now, so invalid-refused cannot decide.',
  ],
  [
    'the server fails, and failing is looked for',
    'no-server-error',
    501,
    [step(500, { intent: invalid })],
    undefined,
  ],
  [
    'the list is empty',
    'limit-holds',
    200,
    [step(200)],
    'The list is empty now, so limit-holds cannot decide.',
  ],
  [
    'the list is empty, and records are not looked for',
    'body-matches-schema',
    200,
    [step(200)],
    undefined,
  ],
])('where %s', (_name, check, found, steps, expected) => {
  expect(why(check, found, steps)).toBe(expected);
});

test('a replay is undecided if the check has nothing to inspect', () => {
  expect(why('body-matches-schema', 200, [step(200)], 0)).toBe(
    'The response (200) contains nothing that body-matches-schema checks.',
  );
});
