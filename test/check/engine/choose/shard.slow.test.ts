import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { readShard } from '../../../../src/check/engine/choose/shard.ts';
import { roleOf } from '../../../../src/check/model/step.ts';
import { planOf } from '../../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../../src/check/engine/settings.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { openLibrary } from '../../fixture/library-server.ts';
import { shopContract } from '../../fixture/shop.ts';

/** Six kinds of record, of which the probe can list but one. */
function zooContract(): ReturnType<typeof libraryContract> {
  const record = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };
  const made = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const ok = { 200: { description: 'ok', ...jsonContent(record) }, 404: { description: 'none' } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return makeContract({
    paths: Object.fromEntries(
      ['apes', 'bears', 'cats', 'dogs', 'emus', 'foxes'].flatMap((kind) => [
        [
          `/${kind}`,
          {
            get: {
              responses: {
                200: { description: 'ok', ...jsonContent({ type: 'array', items: record }) },
              },
            },
            post: {
              requestBody: { required: true, ...jsonContent(made) },
              responses: {
                201: { description: 'made', ...jsonContent(record) },
                400: { description: 'no' },
              },
            },
          },
        ],
        [
          `/${kind}/{id}`,
          {
            parameters: [id],
            get: { responses: ok },
            delete: { responses: { 204: { description: 'gone' }, 404: { description: 'none' } } },
          },
        ],
      ]),
    ),
  });
}

/**
 * The ids of the sequences of a plan, phase by phase: a sequence that is planned twice stands there
 * twice.
 */
function sequencesOf(contract: ReturnType<typeof libraryContract>, shard?: string): string[] {
  const settings = resolveSettings({
    url: 'http://127.0.0.1:1',
    contract,
    token: 'key',
    seed: 'shards',
    ...(shard === undefined ? {} : { shard: readShard(shard) }),
  });
  return planOf(settings).stages.flatMap(({ phase, sequences }) =>
    sequences.map(({ id }) => `${phase} ${id}`),
  );
}

/** The sequences that ask for a record which no valid request before them lists or creates. */
function unprovided(contract: ReturnType<typeof libraryContract>, shard: string): string[] {
  const { stages } = planOf(
    resolveSettings({
      url: 'http://127.0.0.1:1',
      contract,
      token: 'key',
      seed: 'shards',
      shard: readShard(shard),
    }),
  );
  const provided = new Set<string>();
  return stages
    .flatMap(({ sequences }) => sequences)
    .filter(({ cases }) => {
      const missing = cases.flatMap(({ operation, intent, request }) => {
        const role = intent.kind === 'valid' ? roleOf(contract, operation) : undefined;
        const asked = request.arguments
          .flatMap(({ source }) =>
            source.kind === 'known' || source.kind === 'own'
              ? [`${source.kind} ${source.resource}`]
              : [],
          )
          .filter((need) => !provided.has(need));
        if (role !== undefined)
          provided.add(
            `${role.action === 'create' ? 'own' : role.action === 'list' ? 'known' : ''} ` +
              role.resource.name,
          );
        return asked;
      });
      return missing.length > 0;
    })
    .map(({ id }) => id);
}

function requestsOf(contract: ReturnType<typeof libraryContract>, shard: string): number {
  return planOf(
    resolveSettings({
      url: 'http://127.0.0.1:1',
      contract,
      token: 'key',
      seed: 'shards',
      shard: readShard(shard),
    }),
  ).stages.flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases)).length;
}

describe.each([
  ['library', libraryContract()],
  ['shop', shopContract()],
  ['zoo', zooContract()],
])('the shards of the %s’s plan', (_name, contract) => {
  const whole = sequencesOf(contract);
  const isProbe = (id: string): boolean => id.startsWith('probe ');

  test.each([1, 2, 3, 5])('%i shards have every sequence once, and each has the probe', (count) => {
    const parts = Array.from({ length: count }, (_, index) =>
      sequencesOf(contract, `${String(index + 1)}/${String(count)}`),
    );
    for (const part of parts) expect(part.filter(isProbe)).toEqual(whole.filter(isProbe));
    expect(
      parts
        .flat()
        .filter((id) => !isProbe(id))
        .sort(),
    ).toEqual(whole.filter((id) => !isProbe(id)).sort());
  });

  test('create or list each needed record earlier in the same shard', () => {
    expect(unprovided(contract, '1/1')).toEqual([]);
    expect(['1/4', '2/4', '3/4', '4/4'].flatMap((shard) => unprovided(contract, shard))).toEqual(
      [],
    );
  });

  test('keep sequences together that are judged together: invalid values of one input', () => {
    const inputs = ['1/4', '2/4', '3/4', '4/4'].flatMap((shard) => {
      const { stages } = planOf(
        resolveSettings({
          url: 'http://127.0.0.1:1',
          contract,
          token: 'key',
          seed: 'shards',
          shard: readShard(shard),
        }),
      );
      const invalid = stages
        .flatMap(({ sequences }) => sequences.flatMap(({ cases }) => cases.at(-1) ?? []))
        .flatMap(({ operation, intent }) =>
          intent.kind === 'invalid' ? [`${operation.id} ${intent.part} ${intent.subject}`] : [],
        );
      return [...new Set(invalid)];
    });
    expect(inputs.length).toBeGreaterThan(3);
    expect(inputs.filter((input, index) => inputs.indexOf(input) !== index)).toEqual([]);
  });

  test('keep the order of the plan, and have about equal sizes', () => {
    const part = sequencesOf(contract, '2/3');
    const places = part.map((id) => whole.indexOf(id));
    expect(places).toEqual([...places].sort((left, right) => left - right));
    const sizes = ['1/3', '2/3', '3/3'].map((shard) => requestsOf(contract, shard));
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeLessThan(1.5);
  });
});

test('shards together find what one run finds, and each reports its index', async () => {
  const contract = libraryContract();
  const find = async (shard?: string): Promise<{ findings: string[]; told: unknown }> => {
    const library = await openLibrary({ defect: 'any-token' });
    const { findings, events } = await checkTarget({
      ...library.target,
      contract,
      seed: 'shards',
      ...(shard === undefined ? {} : { shard: readShard(shard) }),
    });
    await library.close();
    const [started] = events;
    return {
      findings: findings.filter(({ severity }) => severity === 'error').map(({ id }) => id),
      told: started?.type === 'run-started' ? started.run.shard : undefined,
    };
  };
  const whole = await find();
  const parts = [await find('1/2'), await find('2/2')];
  expect(whole.told).toBeUndefined();
  expect(parts.map(({ told }) => told)).toEqual([
    { index: 1, count: 2 },
    { index: 2, count: 2 },
  ]);
  expect(whole.findings).not.toEqual([]);
  expect([...new Set(parts.flatMap(({ findings }) => findings))].sort()).toEqual(
    [...new Set(whole.findings)].sort(),
  );
});

test.each(['0/4', '5/4', '1', '1/0', 'a/b', '-1/2'])('%s is refused as a shard', (text) => {
  expect(() => readShard(text)).toThrow(
    expect.objectContaining({
      code: 'usage',
      hint: 'Write --shard 1/4 for the first of four jobs, up to 4/4 for the last.',
    }),
  );
});
