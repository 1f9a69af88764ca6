import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { HttpRequest } from '../../src/http/message.ts';
import { openService } from '../../src/prove/run-mutation.ts';
import { knownKey } from '../../src/check/topics/credentials/authentication-mutants.ts';
import { mutators } from '../../src/prove/mutators.ts';

function ask(method: string, target: string, body?: object): HttpRequest {
  return {
    method,
    target,
    headers: [
      ['Authorization', `Bearer ${knownKey}`],
      ['Content-Type', 'application/json'],
    ],
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
  };
}

test('records created during a lost deletion stay', async () => {
  const contract = await loadContract(fileURLToPath(new URL('./notes.yaml', import.meta.url)));
  const [losing] = (await mutators.find(({ id }) => id === 'loses-delete')?.find(contract)) ?? [];
  const service = await openService(
    { contract, fixtures: new Map(), assumptions: [] },
    { seed: 'test' },
  );
  let lost = 0;
  const respond = losing?.plant?.(service, () => (lost += 1));
  if (respond === undefined) throw new Error('There is no deletion to lose.');
  const statusOf = async (request: HttpRequest): Promise<number | undefined> =>
    (await respond(request)).response?.status;
  const create = (text: string): Promise<number | undefined> =>
    statusOf(ask('POST', '/v1/notes', { text, kind: 'memo' }));
  expect(
    await Promise.all([
      create('before'),
      statusOf(ask('DELETE', '/v1/notes/1')),
      create('beside'),
      create('behind'),
    ]),
  ).toEqual([201, 204, 201, 201]);
  const { response } = await respond(ask('GET', '/v1/notes?limit=50'));
  const notes = JSON.parse(new TextDecoder().decode(response?.body)) as {
    readonly id: number;
    readonly text: string;
  }[];
  expect(notes.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['before', 'beside', 'behind']),
  );
  expect(notes.map(({ id }) => id)).toContain(1);
  expect(lost).toBe(1);
});
