import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { placeCredential, usableRequirement } from '../../src/check/secrets/credential.ts';
import { isSecured } from '../../src/contract/model/operation.ts';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract, Operation } from '../../src/contract/model.ts';
import type { HeaderList } from '../../src/http/message.ts';
import { mockOf } from './workshop.ts';

/** Documents of other people that are about security. */
const documents = [
  '2.0/json/petstore.json',
  '3.0/json/security.json',
  '3.0/json/security-multiple.json',
  '3.0/json/response-http-behavior.json',
  '3.1/json/security.json',
  '3.1/json/train-travel.json',
];

function read(name: string): Contract {
  return parseContract(
    readFileSync(
      new URL(`../../node_modules/@readme/oas-examples/${name}`, import.meta.url),
      'utf8',
    ),
    name,
  );
}

/** A whole request, valid or not: who is not let in is told before what is wrong with it. */
async function statusOf(
  contract: Contract,
  operation: Operation,
  token: string | undefined,
): Promise<number> {
  const { headers, query, cookies } = placeCredential(operation, token);
  const fields: HeaderList =
    cookies.length === 0
      ? headers
      : [...headers, ['Cookie', cookies.map((pair) => pair.join('=')).join('; ')]];
  const search =
    query.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(query)).toString()}`;
  const path = operation.path.replaceAll(/\{[^{}]+\}/g, '1');
  const mock = await mockOf({ contract });
  return (
    await mock.answer({
      method: operation.method,
      target: `${operation.servers[0]?.basePath ?? ''}${path}${search}`,
      headers: fields,
      body: new Uint8Array(),
    })
  ).status;
}

describe.each(documents)('%s', (name) => {
  const contract = read(name);

  test('only a request that meets a requirement is authorized', async () => {
    expect(contract.operations.length).toBeGreaterThan(0);
    for (const operation of contract.operations) {
      const refusals =
        operation.responses.some(({ status }) => status === '401') ||
        !operation.responses.some(({ status }) => status === '403')
          ? [401]
          : [403];
      if (isSecured(operation) && usableRequirement(operation) !== undefined) {
        expect(refusals, `${operation.id} without a credential`).toContain(
          await statusOf(contract, operation, undefined),
        );
        expect(refusals, `${operation.id} with a wrong one`).toContain(
          await statusOf(contract, operation, 'wrong-key'),
        );
      }
      if (!isSecured(operation) || usableRequirement(operation) !== undefined)
        expect(refusals, `${operation.id} with a known one`).not.toContain(
          await statusOf(contract, operation, 'demo-key'),
        );
    }
  });
});

test('an undeclared scheme refuses no request, and one of two alternatives suffices', async () => {
  const undeclared = read('3.0/json/response-http-behavior.json');
  for (const operation of undeclared.operations)
    expect(await statusOf(undeclared, operation, undefined), operation.id).toBeLessThan(400);
  const multiple = read('3.0/json/security-multiple.json');
  const rivals = multiple.operations.filter(
    (operation) => usableRequirement(operation) === undefined,
  );
  expect(rivals.length).toBeGreaterThan(0);
  const mock = await mockOf({ contract: multiple });
  for (const { method, path, servers } of rivals) {
    const send = async (headers: HeaderList): Promise<number> =>
      (
        await mock.answer({
          method,
          target: `${servers[0]?.basePath ?? ''}${path}`,
          headers,
          body: new Uint8Array(),
        })
      ).status;
    const key: HeaderList = [['X-API-KEY', 'demo-key']];
    const statuses = [
      await send(key),
      await send([...key, ['Authorization', 'Bearer wrong']]),
      await send([...key, ['Authorization', 'Bearer demo-key']]),
      await send([...key, ['Authorization', `Basic ${btoa('user:demo-key')}`]]),
    ];
    expect(statuses).toEqual([401, 401, 200, 200]);
  }
});
