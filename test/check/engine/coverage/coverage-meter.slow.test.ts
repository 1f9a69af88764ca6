import { describe, expect, test } from 'vitest';
import { checkTarget, type CheckOptions } from '../../../../src/check/engine/check-target.ts';
import type { Coverage, OperationCoverage } from '../../../../src/check/model/run-summary.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import { clinicContract } from '../../fixture/clinic-contract.ts';
import { openClinic } from '../../fixture/clinic-server.ts';

async function cover(options: Partial<CheckOptions> = {}): Promise<Coverage> {
  const clinic = openClinic();
  const { summary } = await checkTarget({
    ...clinic.target,
    contract: clinicContract(),
    seed: 'cover',
    ...options,
  });
  if (summary.coverage === undefined) throw new Error('the run has no coverage');
  return summary.coverage;
}

function of({ operations }: Coverage, id: string): OperationCoverage | undefined {
  return operations.find(({ operation }) => operation === id);
}

/** What was reached of one input, and what was not. */
function inputOf(
  coverage: Coverage,
  operation: string,
  name: string,
): { reached: string[]; missed: string[] } | undefined {
  const classes =
    of(coverage, operation)?.inputs.find((input) => input.name === name)?.classes ?? [];
  return {
    reached: classes.filter(({ reached }) => reached).map((entry) => entry.class),
    missed: classes.filter(({ reached }) => !reached).map((entry) => entry.class),
  };
}

describe('the coverage of a run', () => {
  test('by input: each class that the contract defines, covered or not', async () => {
    const coverage = await cover();
    expect(inputOf(coverage, 'createAnimal', 'kind')).toEqual({
      reached: ['missing-required', 'enum-value', 'not-in-enum', 'null-given', 'wrong-type'],
      missed: [],
    });
    expect(inputOf(coverage, 'createAnimal', 'weight')).toEqual({
      reached: [
        'optional-missing',
        'minimum',
        'below-minimum',
        'maximum',
        'above-maximum',
        'null-given',
        'wrong-type',
      ],
      missed: [],
    });
    expect(inputOf(coverage, 'listOwners', 'towns')).toEqual({
      reached: ['optional-missing', 'most-items', 'too-many-items', 'duplicate-items', 'malformed'],
      missed: [],
    });
    expect(inputOf(coverage, 'getAnimal', 'animalId')).toEqual({
      reached: ['known-record', 'missing-record'],
      missed: [],
    });
    expect(inputOf(coverage, 'sendScan', '')?.reached).toEqual(
      expect.arrayContaining(['multipart/form-data', 'text/plain', 'image/*', 'missing-required']),
    );
  });

  test('by response: each documented status, with its media type', async () => {
    const coverage = await cover();
    expect(of(coverage, 'getAnimal')?.statuses).toEqual([
      { status: '200', media: 'application/json', reached: true },
      { status: '400', media: 'application/json', reached: true },
      { status: '404', media: 'application/json', reached: true },
    ]);
    expect(of(coverage, 'getReport')?.statuses).toEqual([
      { status: '200', media: 'application/json', reached: true },
      {
        status: '404',
        media: 'application/json',
        reached: false,
        why: 'An identifier that no record has, for which the server returns this status.',
      },
    ]);
  });

  test('an uncovered item names what would cover it: a media type, a mode, a record', async () => {
    const coverage = await cover();
    const why = (operation: string, name: string, expected: string): string | undefined =>
      of(coverage, operation)
        ?.inputs.find((input) => input.name === name)
        ?.classes.find((entry) => entry.class === expected)?.why;
    expect(why('createOwner', 'name', 'wrong-type')).toBe(
      'A media type that distinguishes types, as JSON does.',
    );
    expect(why('putMe', 'theme', 'not-in-enum')).toBe(
      'Mode fuzz, which sends more bodies to operations that change a record.',
    );
  });

  test('an operation without requests only has a reason', async () => {
    const coverage = await cover({ mode: 'read-only', exclude: ['listOwners'] });
    expect(of(coverage, 'createOwner')).toEqual({
      operation: 'createOwner',
      why: 'It got no request: it is a POST, and the run is read-only; --mode read-write sends it.',
      statuses: [],
      inputs: [],
    });
    expect(of(coverage, 'getAnimal')?.why).toBe(
      'It got no request: no value for ownerId is known.',
    );
  });

  test('totals add up the operations, and the result is plain data', async () => {
    const coverage = await cover();
    const classes = coverage.operations.flatMap(({ inputs }) =>
      inputs.flatMap((input) => input.classes),
    );
    expect(coverage.inputs).toEqual({
      reached: classes.filter(({ reached }) => reached).length,
      total: classes.length,
    });
    expect(coverage.inputs.reached).toBeGreaterThan(coverage.inputs.total * 0.7);
    expect(JSON.parse(JSON.stringify(coverage))).toEqual(coverage);
  });
});

test('an XML body is reported as not validated by its schema', async () => {
  const contract = parseContract(
    `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths: { /notes: { get: { operationId: listNotes, responses: { '200': { description: ok,
    content: { application/xml: { schema: { type: object, properties: { a: {
    type: string } } } } } } } } } }
`,
    'xml.yaml',
  );
  const body = new TextEncoder().encode('<notes><strange/></notes>');
  const { summary, findings } = await checkTarget({
    url: 'http://127.0.0.1:1',
    contract,
    seed: 'xml',
    send: async (baseUrl, request) => ({
      baseUrl,
      request,
      response: {
        status: 200,
        headers: [['Content-Type', 'application/xml']],
        body: request.method === 'HEAD' ? new Uint8Array() : body,
      },
      durationMs: 1,
    }),
  });
  expect(findings.filter(({ check }) => check === 'body-matches-schema')).toEqual([]);
  expect(summary.coverage?.operations[0]?.statuses).toEqual([
    {
      status: '200',
      media: 'application/xml',
      reached: true,
      unjudged: 'Its schema is not judged: of XML, vouch looks only at whether it is well-formed.',
    },
  ]);
});
