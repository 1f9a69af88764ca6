import { describe, expect, test } from 'vitest';
import { planOf } from '../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../src/check/engine/settings.ts';
import type { Sequence } from '../../../src/check/model/case.ts';
import { roleOf } from '../../../src/check/model/step.ts';
import type { Contract } from '../../../src/contract/model.ts';
import { loadContract } from '../../../src/contract/load.ts';
import { stringifyJson } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';
import { calls } from '../fixture/calls.ts';
import { findingsOf } from '../fixture/inline-service.ts';

/** The valid creates of a sequence that write texts of the run, each once. */
function namesIn({ cases }: Sequence, contract: Contract): Set<string> {
  return new Set(
    cases.flatMap(({ operation, request: { body }, intent }) => {
      const isCreate = roleOf(contract, operation)?.action === 'create';
      if (!isCreate || intent.kind !== 'valid' || body === undefined || body.kind === 'bytes')
        return [];
      const text = stringifyJson(body.value);
      const isNamed = text.includes('vouch-') || (body.codes ?? []).length > 0;
      return isNamed ? [`${operation.id} ${text}`] : [];
    }),
  );
}

/** The creates that write the same texts in two sequences: a service may refuse one of them. */
function sharedNames(given: Contract): string[] {
  const settings = resolveSettings({
    url: 'http://127.0.0.1:9',
    contract: given,
    mode: 'read-write',
    seed: 'names',
  });
  const sequences = planOf(settings).stages.flatMap((stage) => stage.sequences);
  const names = sequences.flatMap((sequence) => [...namesIn(sequence, settings.contract)]);
  return names.filter((name, index) => names.indexOf(name) !== index);
}

describe('no two sequences of a plan create a record of one name', () => {
  const styles = ['depots', 'talk', 'newsroom', 'orders', 'catalog', 'invoices', 'rooms'];
  test.each(styles)('%s', async (name) => {
    const contract = await loadContract(`bench/servers/${name}/${name}.yaml`);
    expect(sharedNames(contract)).toEqual([]);
  });

  test('calls', () => {
    expect(sharedNames(calls().contract)).toEqual([]);
  });
});

test('no bulk create names a record that its example names, or that is there', async () => {
  const reading = {
    type: 'object',
    required: ['meter_id'],
    properties: { meter_id: { type: 'string', example: 'meter-7' }, value: { type: 'integer' } },
  };
  const readings = { type: 'array', minItems: 1, items: reading };
  const contract = makeContract({
    paths: {
      '/meters': { get: { responses: { 200: { description: '', ...jsonContent(readings) } } } },
      '/meters/{meter_id}': {
        parameters: [{ name: 'meter_id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { responses: { 200: { description: '', ...jsonContent(reading) } } },
      },
      '/meters/batch': {
        post: {
          requestBody: { required: true, ...jsonContent(readings) },
          responses: { 201: { description: '' } },
        },
      },
    },
  });
  const sent: string[] = [];
  await findingsOf(contract, ({ method, target, body }) => {
    if (target !== '/meters/batch') return { status: 200, json: [{ meter_id: 'hall', value: 3 }] };
    if (method === 'POST') sent.push(body);
    return { status: 201 };
  });
  expect(sent[0]).toContain('"meter_id":"vouch-');
  expect(sent.filter((body) => body.includes('"hall"'))).toEqual([]);
});
