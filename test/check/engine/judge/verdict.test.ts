import { describe, expect, test } from 'vitest';
import { type VerdictInput, decideVerdict } from '../../../../src/check/engine/judge/verdict.ts';
import { type Intent, makeCase } from '../../../../src/check/model/case.ts';
import type { Finding, Severity } from '../../../../src/check/model/finding.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import type { Operation } from '../../../../src/contract/model.ts';
import type { HeaderList } from '../../../../src/http/message.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

const contract = libraryContract();
const [listing, creation] = ['listBooks', 'createBook'].map((id) => {
  const operation = contract.operations.find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`The contract has lost ${id}.`);
  return operation;
}) as [Operation, Operation];
const valid: Intent = { kind: 'valid', rigour: 'plain', at: '' };
const credential: Intent = { kind: 'credential', choice: 'none' };

/** A step that was answered with a status, or not at all. */
function step(
  status: number | undefined,
  {
    intent = valid,
    headers = [],
    operation = listing,
  }: {
    readonly intent?: Intent;
    readonly headers?: HeaderList;
    readonly operation?: Operation;
  } = {},
): Step {
  const request = { method: 'GET', target: '/', headers: [], body: new Uint8Array() };
  const exchange = {
    baseUrl: 'http://host',
    request,
    durationMs: 1,
    ...(status === undefined ? {} : { response: { status, headers, body: new Uint8Array() } }),
  };
  return {
    case: makeCase({
      title: 'x',
      phase: 'read',
      operation,
      request: { arguments: [], credential: 'given' },
      intent,
    }),
    sent: { arguments: new Map() },
    exchange,
    answer: { kind: 'empty' },
  };
}

function findings(...severities: Severity[]): Finding[] {
  // The verdict looks at nothing but the severity.
  return severities.map((severity) => ({ severity }) as Finding);
}

function ruling(account: Partial<VerdictInput>): string {
  const { verdict, reason, nothingTested } = decideVerdict({
    contract,
    url: 'http://host',
    hasToken: true,
    crashed: false,
    steps: [step(200)],
    findings: [],
    ...account,
  });
  return `${verdict}${nothingTested ? ', nothing tested' : ''}: ${reason}`;
}

describe('the verdict of a run', () => {
  test.each<[string, Partial<VerdictInput>, string]>([
    ['passed', {}, 'passed: 1 response conforms.'],
    [
      'broken by an error',
      { findings: findings('error', 'warning', 'error') },
      'failed: The deployment violates the contract: 2 findings of severity error.',
    ],
    [
      'kept with a warning',
      { findings: findings('warning', 'note') },
      'passed: 1 response conforms.',
    ],
    [
      'broken by a warning, where that is asked for',
      { findings: findings('warning', 'note'), failOn: 'warning' },
      'failed: The run fails on every warning: 1 finding of severity warning.',
    ],
    [
      'broken by both',
      { findings: findings('error', 'warning'), failOn: 'note' },
      'failed: The deployment violates the contract: 1 finding of severity ' +
        'error and 1 of severity warning.',
    ],
    [
      'crashed, whatever else',
      { crashed: true, stop: { code: 'interrupted' }, findings: findings('error') },
      'crashed: vouch had an internal error; its report may be incomplete.',
    ],
    [
      'interrupted',
      { stop: { code: 'interrupted' }, findings: findings('error') },
      'interrupted: The run was interrupted before it was done.',
    ],
    [
      'an end of the requests',
      { stop: { code: 'requests-spent', limit: 1 } },
      'inconclusive: The budget of 1 request was spent before the plan was done.',
    ],
    [
      'an end of the time',
      { stop: { code: 'time-spent', limitMs: 1500 } },
      'inconclusive: The time of 1.5 s was spent before the plan was done.',
    ],
    [
      'an end of the budget',
      { stop: { code: 'budget-spent', limitMs: 2000 } },
      'inconclusive: The budget of 2 s was spent before the plan was done.',
    ],
    [
      'being shut out',
      { stop: { code: 'shut-out' } },
      'inconclusive: The target let no request in.',
    ],
    [
      'being held up',
      {
        stop: {
          code: 'rate-limited',
          status: 429,
          method: 'GET',
          path: '/books',
          longestWaitMs: 10_000,
          waitMs: 60_000,
        },
      },
      'inconclusive: The server requested a wait of 60 s (429 on GET /books); vouch ' +
        'waits no longer than 10 s at a time.',
    ],
    [
      'a breach that was seen before the end',
      { stop: { code: 'requests-spent', limit: 9 }, findings: findings('error') },
      'failed: The deployment violates the contract: 1 finding of severity error.',
    ],
    [
      'a server that asks to come back',
      { steps: [step(200), step(503, { headers: [['Retry-After', '9']] })] },
      'inconclusive: The server requested a later retry 1 time, longer or ' +
        'more often than vouch waits: those requests were not judged.',
    ],
    [
      'an operation that nobody let in',
      {
        hasToken: false,
        steps: [step(200), step(401, { operation: creation }), step(401, { operation: creation })],
      },
      'passed: All 3 responses conform. 1 operation could not be tested, ' +
        'because no credential was given. Set VOUCH_TOKEN, or name the variable ' +
        'with --auth env:NAME.',
    ],
    [
      'an operation that let nobody as far as its values',
      {
        hasToken: false,
        steps: [
          step(200),
          step(401, { operation: creation, intent: credential }),
          step(405, { operation: creation, intent: credential }),
        ],
      },
      'passed: All 3 responses conform. 1 operation could not be tested, ' +
        'because no credential was given. Set VOUCH_TOKEN, or name the variable ' +
        'with --auth env:NAME.',
    ],
    [
      'known errors',
      {
        findings: [
          { severity: 'note', accepted: 'error' } as Finding,
          { severity: 'note', accepted: 'warning' } as Finding,
          ...findings('note'),
        ],
      },
      'passed: No new errors in 1 response; the baseline accepts 1 error and 1 warning.',
    ],
    [
      'a known warning',
      { findings: [{ severity: 'note', accepted: 'warning' } as Finding] },
      'passed: 1 response conforms.',
    ],
    [
      'nothing that changed',
      { unchangedSince: 'main', steps: [] },
      'passed, nothing tested: No operation of the contract has changed since ' +
        'main: there was nothing to check.',
    ],
  ])('%s', (_name, account, expected) => {
    expect(ruling(account)).toBe(expected);
  });
});

describe('nothing was tested if', () => {
  test.each<[string, Partial<VerdictInput>, string]>([
    ['nothing was sent', { steps: [] }, 'no operation got a request.'],
    [
      'everything is redirected',
      { steps: [step(301, { headers: [['Location', 'https://www.host/']] })] },
      'every valid request was redirected (to https://www.host/). Is ' +
        'http://host the right base URL?',
    ],
    [
      'everything is redirected to nowhere',
      { steps: [step(302)] },
      'every valid request was redirected. Is http://host the right base URL?',
    ],
    [
      'the credential is refused',
      { steps: [step(401), step(403)] },
      'the target refused the credential on every request (401).',
    ],
    [
      'there is no credential',
      { hasToken: false, steps: [step(401)] },
      'the target requires a credential, and none was given. Set VOUCH_TOKEN, ' +
        'or name the variable with --auth env:NAME.',
    ],
    [
      'nothing is there',
      { steps: [step(404), step(404)] },
      'every valid request was answered 404. Is http://host the right base ' +
        "URL? The contract's servers end in /v1.",
    ],
    [
      'nothing is there, below the base path',
      { url: 'http://host/v1', steps: [step(404)] },
      'every valid request was answered 404. Is http://host/v1 the right base URL?',
    ],
    [
      'there are too many requests',
      { steps: [step(429)] },
      'the target answered 429 to every request.',
    ],
    [
      'everything is refused in one way or another',
      { steps: [step(404), step(401), step(404)] },
      'every valid request was answered 401 or 404.',
    ],
    [
      'a wrong credential is refused as well',
      { steps: [step(401), step(401, { intent: credential })] },
      'the target refused the credential on every request (401).',
    ],
  ])('%s', (_name, account, expected) => {
    expect(ruling(account)).toBe(`inconclusive, nothing tested: Nothing was tested: ${expected}`);
  });

  test.each<[string, readonly Step[]]>([
    ['one request got through', [step(401), step(200)]],
    ['one answer is a failure of the server', [step(404), step(500)]],
    ['a wrong credential was let in', [step(401), step(200, { intent: credential })]],
  ])('but not where %s', (_name, steps) => {
    expect(
      decideVerdict({
        contract,
        url: 'http://host',
        hasToken: true,
        crashed: false,
        steps,
        findings: [],
      }).nothingTested,
    ).toBe(false);
  });
});
