import { expect, test } from 'vitest';
import { isJsonObject } from '../../../../src/json/value.ts';
import { alarms, findingsOf, type Service } from '../../fixture/inline-service.ts';
import { linkList } from '../../fixture/paged.ts';

/** The alarms of a run on the list by OData, as another service answers for it. */
async function alarmsWith(change: (service: Service) => Service): Promise<string[]> {
  const { contract, service } = linkList();
  return alarms(await findingsOf(contract, change(service)));
}

test('a list that sorts no filtered records is an error in one of two orders', async () => {
  const found = await alarmsWith((service) => (call) => {
    if (!call.query.has('$filter')) return service(call);
    const query = new URLSearchParams(call.query);
    query.delete('$orderby');
    return service({ ...call, query });
  });
  expect(found).toContainEqual(expect.stringMatching(/^error sort-holds listBooks/));
});

test('a total on request that counts the rest on later pages is an error', async () => {
  const found = await alarmsWith((service) => async (call) => {
    const answered = await service(call);
    const skip = Number(call.query.get('$skip') ?? 0);
    const { json } = answered;
    const body = typeof json === 'object' ? { ...json } : {};
    const count: unknown = Object.entries(body).find(([name]) => name === '@odata.count')?.[1];
    if (typeof count !== 'number' || skip === 0) return answered;
    return { ...answered, json: { ...body, '@odata.count': Math.max(0, count - skip) } };
  });
  expect(found).toContainEqual(expect.stringMatching(/^error total-holds listBooks/));
});

test('a token of a link is made up only in the form of a given one', async () => {
  const tokens: string[] = [];
  const { contract, service } = linkList();
  const given = new Set<string>();
  await findingsOf(contract, async (call) => {
    const token = call.query.get('$skiptoken');
    if (token !== null && !given.has(token) && call.query.getAll('$skiptoken').length === 1)
      tokens.push(token);
    const answered = await service(call);
    const next = isJsonObject(answered.json) ? answered.json['@odata.nextLink'] : undefined;
    const own = typeof next === 'string' ? /skiptoken=(.*)$/.exec(next)?.[1] : undefined;
    if (own !== undefined) given.add(own);
    return answered;
  });
  // Two of them are no text in percent-escapes at all.
  const isInForm = (token: string): boolean =>
    [...given].some((own) => own.length === token.length);
  const others = tokens.filter((token) => !/^%|\uFFFD/.test(token));
  expect(others.filter((token) => !isInForm(token))).toEqual([]);
});

test('a token that no list gave may be read as a position', async () => {
  const given = new Set<string>();
  const found = await alarmsWith((service) => async (call) => {
    const token = call.query.get('$skiptoken');
    const query = new URLSearchParams(call.query);
    query.delete('$skiptoken');
    const isPosition = token !== null && !given.has(token) && token.length > 20;
    if (isPosition) query.set('$skip', '3');
    const answered = await service(isPosition ? { ...call, query } : call);
    const next = isJsonObject(answered.json) ? answered.json['@odata.nextLink'] : undefined;
    const own = typeof next === 'string' ? /skiptoken=(.*)$/.exec(next)?.[1] : undefined;
    if (own !== undefined) given.add(own);
    return answered;
  });
  expect(found).toEqual([]);
});
