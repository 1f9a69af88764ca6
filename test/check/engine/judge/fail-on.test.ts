import { expect, test } from 'vitest';
import { runCheck } from '../../../../src/check/engine/check-target.ts';
import { decideVerdict } from '../../../../src/check/engine/judge/verdict.ts';
import type { Finding, Severity } from '../../../../src/check/model/finding.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import { planOf } from '../../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../../src/check/engine/settings.ts';
import { emptyBody } from '../../../../src/http/message.ts';
import { libraryContract } from '../../fixture/library-contract.ts';

const contract = libraryContract();
const url = 'http://127.0.0.1:1';
const tried = planOf(resolveSettings({ url, contract, token: 'key', seed: 's' })).stages[0]
  ?.sequences[0]?.cases[0];

function ruleOn(severities: readonly Severity[], failOn?: Severity): string {
  if (tried === undefined) throw new Error('The plan is empty.');
  const step: Step = {
    case: tried,
    sent: { arguments: new Map() },
    exchange: {
      baseUrl: url,
      request: { method: 'GET', target: '/', headers: [], body: emptyBody },
      response: { status: 200, headers: [], body: emptyBody },
      durationMs: 1,
    },
    answer: { kind: 'empty' },
  };
  // The verdict looks at nothing else of a finding.
  const findings = severities.map((severity) => ({ severity }) as Finding);
  const { verdict, reason } = decideVerdict({
    contract,
    url,
    hasToken: true,
    crashed: false,
    steps: [step],
    findings,
    ...(failOn === undefined ? {} : { failOn }),
  });
  return `${verdict}: ${reason}`;
}

test.each<[readonly Severity[], Severity | undefined, string]>([
  [['warning', 'note'], undefined, 'passed: 1 response conforms.'],
  [
    ['error', 'warning'],
    undefined,
    'failed: The deployment violates the contract: 1 finding of severity error.',
  ],
  [['warning', 'note'], 'error', 'passed: 1 response conforms.'],
  [
    ['warning', 'warning', 'note'],
    'warning',
    'failed: The run fails on every warning: 2 findings of severity warning.',
  ],
  [
    ['error', 'warning', 'note'],
    'warning',
    'failed: The deployment violates the contract: 1 finding of severity ' +
      'error and 1 of severity warning.',
  ],
  [['note'], 'note', 'failed: The run fails on every note: 1 finding of severity note.'],
  [[], 'note', 'passed: 1 response conforms.'],
])('%j, to fail on %s: %s', (severities, failOn, said) => {
  expect(ruleOn(severities, failOn)).toBe(said);
});

test.each<[Severity | undefined, Severity | undefined]>([
  [undefined, undefined],
  ['error', undefined],
  ['warning', 'warning'],
])('a run that is to fail on %s says so before anything is sent: %s', async (failOn, said) => {
  const events = runCheck({ url, contract, ...(failOn === undefined ? {} : { failOn }) });
  const { value } = await events.next();
  await events.return();
  expect(value?.type === 'run-started' && [value.run.target, value.run.failOn]).toEqual([
    url,
    said,
  ]);
});
