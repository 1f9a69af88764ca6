import { describe, expect, test } from 'vitest';
import { atelier, type AtelierQuirk } from './fixture/atelier.ts';
import { alarms, findingsOf } from './fixture/inline-service.ts';

async function alarmsOf(quirk?: AtelierQuirk): Promise<string[]> {
  const { contract, service } = atelier(quirk);
  return alarms(await findingsOf(contract, service));
}

describe('a service with $expand in the style of OData', () => {
  test('raises no alarm if it is sound', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<readonly [AtelierQuirk, RegExp]>([
    ['expands nothing', /error expansion-holds .*without Maker/],
    ['expands the first name only', /error expansion-holds .*without Parts/],
    ['leaves out null', /error expansion-holds .*without Maker/],
    ['shows the parts of all', /error expansion-holds .*does not list for it/],
    ['ignores options', /error expansion-holds .*\$top=1/],
    ['drops what is expanded beside $select', /error expansion-holds .*without/],
    ['accepts unknown names', /error expansion-holds .*accepted/],
    ['accepts unknown names', /error projection-holds .*accepted/],
  ])('is reported if it %s (%s)', async (quirk, expected) => {
    expect((await alarmsOf(quirk)).join('\n')).toMatch(expected);
  });
});
