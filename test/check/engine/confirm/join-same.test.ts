import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import type { Violation } from '../../../../src/check/model/knowledge.ts';
import type { Check } from '../../../../src/check/topics/check.ts';
import { timesSeen } from '../../../../src/check/engine/judge/group.ts';
import type { Suspicion } from '../../../../src/check/engine/judge/judge.ts';
import { gatherKnowledge } from '../../../../src/check/engine/judge/gather-knowledge.ts';
import { makeFinding } from '../../../../src/check/engine/judge/make-finding.ts';
import type { Exchange } from '../../../../src/check/model/exchange.ts';
import type { Finding } from '../../../../src/check/model/finding.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import { planOf } from '../../../../src/check/engine/plan/plan-run.ts';
import type { ConfirmedGroup } from '../../../../src/check/engine/confirm/confirm.ts';
import { makeRedactor } from '../../../../src/check/secrets/redact.ts';
import { resolveSettings } from '../../../../src/check/engine/settings.ts';
import { joinSame } from '../../../../src/check/engine/confirm/confirm-all.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import { emptyBody } from '../../../../src/http/message.ts';

const contract = parseContract(
  `openapi: 3.1.0
info: { title: Things, version: '1' }
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: colour, in: query, schema: { type: string, enum: [red, blue] } }
        - { name: size, in: query, schema: { type: string, enum: [small, large] } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: {
            $ref: '#/components/schemas/Thing' } } } } }
        '400': { description: wrong }
components:
  schemas:
    Thing: { type: object, required: [id, name], properties: { id: { type: integer }, name: {
        type: string } } }
`,
  'things.yaml',
);

type Answer = (response: ServerResponse, number: number) => unknown;

/** The findings of one check, against a server that answers every request in one way. */
async function findingsOf(only: string, answer: Answer): Promise<readonly Finding[]> {
  let number = 0;
  const server = createServer((_request, response) => answer(response, (number += 1)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { findings } = await checkTarget({
    url: `http://127.0.0.1:${String(port)}`,
    contract,
    seed: 'same',
    only: [only],
  });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return findings;
}

const list =
  (things: unknown): Answer =>
  (response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(things));
/** How often a finding says it was seen, once as a number and once in words. */
const numbersOf = ({ count, evidence }: Finding): unknown[] => [
  count,
  Number(/^Seen (\d+) times in the run/.exec(evidence)?.[1]),
];

test('two violations in one response are two findings', async () => {
  const findings = await findingsOf('body-matches-schema', list([{ id: '1', name: 1 }]));
  expect(findings.map(({ pointer }) => pointer)).toEqual([
    '/components/schemas/Thing/properties/id/type',
    '/components/schemas/Thing/properties/name/type',
  ]);
  expect(new Set(findings.map(({ curl }) => curl.join()))).toHaveProperty('size', 1);
  for (const finding of findings)
    expect(numbersOf(finding)).toEqual([finding.count, finding.count]);
});

describe('findings with the same shrunk request', () => {
  const [tried] = planOf(
    resolveSettings({ url: 'http://127.0.0.1:1', contract, seed: 'same' }),
  ).stages.flatMap(({ sequences }) => sequences);
  if (tried === undefined) throw new Error('The plan is empty.');
  const sequence = tried;
  const planned = sequence.cases[0]!;
  const exchange = (): Exchange => ({
    baseUrl: 'http://127.0.0.1:1',
    request: { method: 'GET', target: '/things', headers: [], body: emptyBody },
    response: { status: 400, headers: [], body: emptyBody },
    durationMs: 1,
  });
  const violationAt = (at: string): Violation => ({
    at,
    message: 'It was refused.',
    expected: '200',
    actual: '400',
  });
  const knowledge = gatherKnowledge(contract, [], 'vouch-run');

  /**
   * A finding that was seen so often, each time at another place, and whose shortest request is the
   * same as that of the others.
   */
  function confirmed(at: string, seen: number, check: Check): ConfirmedGroup {
    const stepOf = (): Step => ({
      case: { ...planned, intent: { kind: 'valid', rigour: 'plain', at } },
      sent: { arguments: new Map() },
      exchange: exchange(),
      answer: { kind: 'empty' },
    });
    const [first, ...rest] = Array.from({ length: seen }, (): Suspicion => ({
      check,
      violation: violationAt(at),
      sequence,
      steps: [stepOf()],
    }));
    if (first === undefined) throw new Error('It was never seen.');
    return {
      group: { suspicions: [first, ...rest], violation: first.violation },
      confirmation: {
        severity: 'error',
        violation: first.violation,
        sequence,
        steps: [stepOf()],
        repeated: true,
        evidence: ' in the run.',
      },
    };
  }

  const join = (
    inspect: Check['inspect'],
    more: Partial<ConfirmedGroup['confirmation']> = {},
  ): ConfirmedGroup[] => {
    const check: Check = {
      id: 'a-check',
      basis: 'contract',
      severity: 'error',
      harm: 'form',
      rule: '',
      reason: '',
      example: [],
      confirm: 'repeat',
      inspect,
    };
    const both = [confirmed('/a', 59, check), confirmed('/b', 64, check)].map((one) => ({
      ...one,
      confirmation: { ...one.confirmation, ...more },
    }));
    return joinSame(both, {
      judgeContext: { contract, checks: [check], knowledge },
      runId: 'vouch-run',
    });
  };

  test('with one cause are one finding, which counts the exchanges of both', () => {
    const joined = join(({ case: { intent } }) => [
      violationAt(intent.kind === 'valid' ? intent.at : ''),
    ]);
    expect(joined.map(({ group }) => timesSeen(group))).toEqual([123]);
    const [one] = joined.map(({ group, confirmation }) =>
      makeFinding(group, confirmation, {
        contract,
        redactor: makeRedactor({ secrets: [], invented: [], headerNames: [] }),
        shellSecrets: [],
      }),
    );
    expect([one?.count, one?.evidence]).toEqual([123, 'Seen 123 times in the run.']);
  });

  test.each<[string, Partial<ConfirmedGroup['confirmation']>]>([
    ['was not shown again', { repeated: false }],
    ['is a note', { severity: 'note' }],
    ['is nothing', { severity: undefined }],
  ])('what %s was not shortened, so that each is reported', (_name, more) => {
    expect(
      join(
        ({ case: { intent } }) => [violationAt(intent.kind === 'valid' ? intent.at : '')],
        more,
      ).map(({ group }) => timesSeen(group)),
    ).toEqual([59, 64]);
  });

  test('with separate violations of one response are separate', () => {
    expect(
      join(() => [violationAt('/a'), violationAt('/b')]).map(({ group }) => timesSeen(group)),
    ).toEqual([59, 64]);
  });
});
