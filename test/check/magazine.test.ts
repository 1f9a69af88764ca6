import { describe, expect, test } from 'vitest';
import { alarms, findingsOf } from './fixture/inline-service.ts';
import { magazine, type MagazineQuirk } from './fixture/magazine.ts';

async function alarmsOf(quirk?: MagazineQuirk): Promise<string[]> {
  const { contract, service } = magazine(quirk);
  return alarms(await findingsOf(contract, service));
}

describe('a service with sparse fields and inclusion in the style of JSON:API', () => {
  test('raises no alarm if it is sound', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<readonly [MagazineQuirk, RegExp]>([
    ['ignores sparse fields', /error projection-holds .* shows .* too/],
    ['shows one sparse field', /error projection-holds .*does not show the/],
    ['changes values in sparse fields', /error projection-holds .*another title/],
    ['includes nothing', /error inclusion-holds .*does not include people/],
    ['includes records twice', /error inclusion-holds .*twice/],
    ['includes other values', /error inclusion-holds .*another name/],
    ['drops relationships from sparse fields', /error projection-holds .*not show the reviewers/],
    ['includes the first relationship only', /error inclusion-holds .*which reviewers names/],
    ['includes people whom nobody names', /error inclusion-holds .*no record of the response/],
    ['includes whole records', /error inclusion-holds .*with city, born too/],
    ['accepts unknown relationships', /error inclusion-holds .*accepted/],
  ])('is reported if it %s', async (quirk, expected) => {
    expect((await alarmsOf(quirk)).join('\n')).toMatch(expected);
  });

  test('gets no made-up names of fields or relationships', async () => {
    const { contract, service } = magazine();
    const asked = new Set<string>();
    const findings = await findingsOf(contract, (call) => {
      for (const [name, value] of call.query) {
        // A parameter that stands twice, or is no text, is not said to be valid.
        const isBroken = call.query.getAll(name).length > 1 || /[%\ufffd]/.test(value);
        // What is no relationship must be refused.
        if (!isBroken && !/^zq[0-9a-f]+$/.test(value)) asked.add(value);
      }
      return service(call);
    });
    const known = /^(title|words|summary|author|reviewers|name|city|born)(,\w+)*$/;
    expect([...asked].filter((names) => !known.test(names))).toEqual([]);
    expect(asked.size).toBeGreaterThan(3);
    expect(findings.filter(({ check }) => check === 'valid-accepted')).toEqual([]);
  });
});
