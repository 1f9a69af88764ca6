import { describe, expect, test } from 'vitest';
import { controlOf, makeCase, type CaseParts } from '../../../src/check/model/case.ts';
import { makePlan } from '../../../src/check/engine/plan/plan-run.ts';
import { parseContract } from '../../../src/contract/load.ts';

const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /things:
    post:
      operationId: create
      requestBody: { required: true, content: { application/json: { schema: { type: object,
          required: [name], properties: { name: { type: string }, size: { type: integer,
          minimum: 1 } } } } } }
      responses: { '201': { description: ok } }
`;

const contract = parseContract(text, 't.yaml');
const planned = makePlan({
  contract,
  mode: 'read-write',
  seed: 'a',
  runId: 'run-a',
  today: '2026-01-02',
  missingServer: () => undefined,
});
const cases = planned.stages.flatMap(({ sequences }) =>
  sequences.flatMap((sequence) => sequence.cases),
);

describe('the control of a case', () => {
  test('is written only when it is requested', () => {
    const [operation] = contract.operations;
    if (operation === undefined) throw new Error('The contract has no operation.');
    let written = 0;
    const parts: CaseParts = {
      title: 'name is missing',
      phase: 'negative',
      operation,
      request: { arguments: [], credential: 'given' },
      intent: { kind: 'valid', rigour: 'plain', at: '' },
    };
    const tried = makeCase({
      ...parts,
      control: () => ((written += 1), { arguments: [], credential: 'none' }),
    });
    expect(written).toBe(0);
    expect(controlOf(tried)).toEqual({ arguments: [], credential: 'none' });
    expect(written).toBe(1);
    expect(tried.id).toBe(makeCase(parts).id);
  });

  test('is the same each time, has the mark of the run, and differs from other cases', () => {
    const broken = cases.filter(
      ({ phase, title }) => phase === 'negative' && title.startsWith('size is '),
    );
    const marks = broken.map((tried) => JSON.stringify(controlOf(tried)?.body));
    expect(broken.length).toBeGreaterThan(3);
    expect(broken.map((tried) => JSON.stringify(controlOf(tried)?.body))).toEqual(marks);
    expect(marks.filter((body) => !body.includes('run-a-'))).toEqual([]);
    expect(new Set(marks).size).toBe(marks.length);
  });
});
