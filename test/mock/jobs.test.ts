import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { converse, mockOf } from './workshop.ts';

test('a job that was accepted is at its Location, and done at the next read', async () => {
  const plants = fileURLToPath(new URL('../prove/plants.yaml', import.meta.url));
  const mock = await mockOf({ contract: await loadContract(plants) });
  const request = {
    method: 'POST',
    target: '/reports',
    headers: [['Content-Type', 'application/json']] as const,
    body: new TextEncoder().encode('{"title":"Spring"}'),
  };
  const { status, headers, body } = await mock.answer(request);
  expect([status, new TextDecoder().decode(body)]).toEqual([
    202,
    expect.stringContaining('"state":"running"'),
  ]);
  const [, location = ''] = headers.find(([name]) => name === 'Location') ?? [];
  expect(await converse(mock, [[`GET ${location}`]])).toContain('"state":"done"');
});
