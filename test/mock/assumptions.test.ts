import { describe, expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import type { Assumption } from '../../src/mock/model/reply.ts';
import { converse, mockOf } from './workshop.ts';

async function complaint(assumption: Omit<Assumption, 'because'>): Promise<string> {
  const error: unknown = await mockOf({ assumptions: [{ ...assumption, because: 'x' }] }).catch(
    (thrown: unknown) => thrown,
  );
  return error instanceof VouchError
    ? `${error.code}: ${error.message} (${error.hint ?? ''})`
    : 'no complaint';
}

describe('an assumption', () => {
  test('fills in omitted fields of a request', async () => {
    const mock = await mockOf({
      assumptions: [
        {
          operation: 'createTool',
          default: { weight: 5, tags: ['assumed'] },
          because: 'most weigh five',
        },
      ],
    });
    expect(
      await converse(mock, [
        ['POST /v2/tools', { body: { name: 'a', kind: 'saw' } }],
        ['POST /v2/tools', { body: { name: 'b', kind: 'saw', weight: null, tags: [] } }],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /v2/tools → 201 {"id":9007199254740994,"name":"a","kind":"saw","weight":5,
        ↳"tags":["assumed"],"serial":"IU-5950","createdAt":"2030-01-02T03:04:05.000Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}
      POST /v2/tools → 201 {"id":9007199254740995,"name":"b","kind":"saw","weight":null,
        ↳"tags":[],"serial":"CN-6929","createdAt":"2030-01-02T03:04:05.000Z",
        ↳"updatedAt":"2030-01-02T03:04:05.000Z"}"
    `);
  });

  test('that contradicts the contract prevents the start of the mock', async () => {
    const wrong: Omit<Assumption, 'because'>[] = [
      { operation: 'createTol', status: 201 },
      { operation: 'createTool', status: 202 },
      { operation: 'createTool', status: 422 },
      { operation: 'orderRepair', status: 302 },
      { operation: 'orderRepair', status: 400 },
      { operation: 'orderRepair', body: { id: 5 } },
      { operation: 'createTool', default: { wieght: 5 } },
      { operation: 'createTool', default: { weight: -1 } },
    ];
    expect((await Promise.all(wrong.map(complaint))).join('\n')).toMatchInlineSnapshot(`
      "config-invalid: What is assumed of createTol cannot be: the contract has no such
        ↳ operation. (Did you mean createTool?)
      config-invalid: What is assumed of createTool cannot be: the status 202 is no
        ↳ success that the contract documents. (It documents 201, 401, 422.)
      config-invalid: What is assumed of createTool cannot be: the status 422 is no
        ↳ success that the contract documents. (It documents 201, 401, 422.)
      config-invalid: What is assumed of orderRepair cannot be: the status 302 is no
        ↳ success that the contract documents. (It documents 400, 2XX.)
      config-invalid: What is assumed of orderRepair cannot be: the status 400 is no
        ↳ success that the contract documents. (It documents 400, 2XX.)
      config-invalid: What is assumed of orderRepair cannot be: The body must have the
        ↳ property state. (Assume a body that the contract allows.)
      config-invalid: What is assumed of createTool cannot be: its request has no field
        ↳ wieght. (Did you mean weight?)
      config-invalid: What is assumed of createTool cannot be: weight must be 0 or more.
        ↳ (Assume a value that the contract allows.)"
    `);
  });

  test.each([
    [{ operation: 'orderRepair', status: 202 }],
    [{ operation: 'listTools', status: 200 }],
    [{ operation: 'lockDoor', status: 302 }],
    [{ operation: 'lockDoor', body: ['anything'] }],
    [{ operation: 'createTool', status: 201, default: { weight: 5 } }],
  ])('that the contract leaves open is taken: %j', async (assumption) => {
    expect(await complaint(assumption)).toBe('no complaint');
  });
});
