import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { readRefusal } from '../../../../src/contract/words/refusal-hints.ts';
import { crud, text } from '../../fixture/crud/crud.ts';
import { targetOf } from '../../fixture/inline-service.ts';

describe('a refusal that names the wanted value', () => {
  test.each<[string, Record<string, unknown>, string, string[]]>([
    ['slots must be 16', { slots: 3 }, '/slots', ['16']],
    ['Invalid slots: expected 16, got 3', { slots: 3 }, '/slots', ['16']],
    ["tier should be 'gold-2'.", { tier: 'delta' }, '/tier', ['gold-2']],
    ['sealed must be set to true', { sealed: false }, '/sealed', ['true']],
    ['region has to equal "eu"', { region: 'delta' }, '/region', ['eu']],
    ['slots must be a number', { slots: 3 }, '/slots', []],
    ['slots must be present', {}, '/slots', []],
  ])('"%s" has its words', (said, body, at, words) => {
    const hints = readRefusal(said, body as never, ['slots']);
    expect(hints.find((hint) => hint.at === at)?.words).toEqual(words);
  });

  test.each<[string, unknown, (value: unknown) => string]>([
    ['slots', 16, (value) => `slots must be 16, not ${String(value)}`],
    ['sealed', true, () => 'sealed must be true'],
    ['region', 'eu-9', () => 'region: expected "eu-9"'],
  ])('is believed for %s', async (name, wanted, says) => {
    const fields = { slots: { type: 'integer' }, sealed: { type: 'boolean' }, region: text };
    const { contract, service, rows } = crud(
      { Crate: { fields, can: 'list create read delete' } },
      () => ({
        on: {
          createCrate: ({ sent }) =>
            (sent as Record<string, unknown> | undefined)?.[name] === wanted
              ? undefined
              : {
                  status: 400,
                  json: { message: says((sent as Record<string, unknown> | undefined)?.[name]) },
                },
        },
      }),
    );
    const { summary } = await checkTarget({
      contract,
      mode: 'read-write',
      seed: 'crates',
      ...targetOf(service),
    });
    expect(summary.reach).toMatchObject({ reached: 4, total: 4 });
    expect(rows('crates')).toEqual([]);
  });
});
