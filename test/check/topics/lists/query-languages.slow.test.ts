import { describe, expect, test } from 'vitest';
import type { Service } from '../../fixture/inline-service.ts';
import { alarms, findingsOf } from '../../fixture/inline-service.ts';
import {
  type Quirk,
  type Style,
  workshop,
  workshopContract,
} from '../../fixture/workshop-service.ts';

/** Half of a percent-encoding, or of UTF-8: no parameter may have it. */
const broken = /%zz|\ufffd/;

describe.each<Style>(['AIP', 'OData'])('a service that takes expressions of %s', (style) => {
  const alarmsOf = async (service: Service): Promise<string[]> =>
    alarms(await findingsOf(workshopContract(style), service));

  test('and holds them raises no alarm', async () => {
    expect(await alarmsOf(workshop(style))).toEqual([]);
  });

  test('and knows equal alone raises no alarm', async () => {
    expect(await alarmsOf(workshop(style, 'knows equal alone'))).toEqual([]);
  });

  test('and accepts fields that no record has is found', async () => {
    expect(await alarmsOf(workshop(style, 'accepts anything'))).toEqual([
      expect.stringContaining('error filter-holds'),
      expect.stringContaining('error sort-holds'),
    ]);
  });

  test.each<[Quirk, string]>([
    ['ignores the filter', 'error filter-holds'],
    ['reads unequal as equal', 'error filter-holds'],
    ['reads less as at most', 'error filter-holds'],
    ['reads at most as less', 'error filter-holds'],
    ['reads and as or', 'error filter-holds'],
    ['ignores the second comparison', 'error filter-holds'],
    ['drops what is equal', 'error filter-holds'],
    ['binds the other joint', 'error filter-holds'],
    ['ignores not', 'error filter-holds'],
    ['ignores desc', 'error sort-holds'],
    ['ignores the order', 'error sort-holds'],
    ['ignores the second key', 'error sort-holds'],
  ])('and %s is found', async (quirk, check) => {
    const found = await alarmsOf(workshop(style, quirk));
    expect(found).not.toEqual([]);
    expect(found.filter((line) => !line.startsWith(check))).toEqual([]);
  });

  test('gets no made-up word, but what is invalid in every service', async () => {
    const service = workshop(style);
    const refused = new Set<string>();
    await findingsOf(workshopContract(style), async (call) => {
      const answer = await service(call);
      const texts = [...call.query].filter(
        ([name, text]) =>
          /filter|order/.test(name) && call.query.getAll(name).length === 1 && !broken.test(text),
      );
      if (answer.status === 400) for (const [, text] of texts) refused.add(text);
      return answer;
    });
    expect([...refused].map((text) => text.replace(/zq[0-9a-f]+/i, 'nothing')).toSorted()).toEqual(
      style === 'AIP'
        ? ['(((', 'nothing', 'nothing = 1', 'state = "nothing"', 'weight = "nothing"']
        : ['(((', 'nothing', 'nothing eq 1', "weight eq 'nothing'"],
    );
  });
});

test('a finding of an unknown field has a request with that field', async () => {
  const findings = await findingsOf(
    workshopContract('OData'),
    workshop('OData', 'accepts anything'),
  );
  const targets = findings
    .filter(({ check }) => check === 'filter-holds' || check === 'sort-holds')
    .map(({ exchange }) => decodeURIComponent(exchange?.request.target ?? ''));
  expect(targets).toEqual([
    expect.stringMatching(/filter=zq/),
    expect.stringMatching(/orderby=zq/),
  ]);
});

describe('a service that takes expressions of OData', () => {
  test.each<[Quirk, string]>([
    ['finds parts anywhere', 'error filter-holds'],
    ['ignores case of parts', 'error filter-holds'],
    ['finds no null', 'error filter-holds'],
    ['puts null last', 'error sort-holds'],
  ])('and %s is found', async (quirk, check) => {
    const found = alarms(await findingsOf(workshopContract('OData'), workshop('OData', quirk)));
    expect(found).not.toEqual([]);
    expect(found.filter((line) => !line.startsWith(check))).toEqual([]);
  });
});
