import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { headerValue } from '../../src/http/message.ts';
import { mockOf, send } from './workshop.ts';

const desks = fileURLToPath(new URL('../prove/desks.yaml', import.meta.url));

test('a download is what was uploaded on its path last, with its media type', async () => {
  const mock = await mockOf({ contract: await loadContract(desks) });
  await send(mock, 'POST /rooms', { body: { name: 'Fjord' } });
  await send(mock, 'POST /rooms', { body: { name: 'Dune' } });
  const file = (first: number): Uint8Array =>
    Uint8Array.from({ length: 300 }, (_byte, index) => (first + index) & 0xff);
  const load = async (room: string): Promise<unknown> => {
    const { headers, body } = await send(mock, `GET /rooms/${room}/plan`);
    return [headerValue(headers, 'content-type'), Uint8Array.from(body)];
  };
  const pdf = 'application/pdf';
  await send(mock, 'PUT /rooms/made-1/plan', { body: file(7), type: 'image/png' });
  await send(mock, 'PUT /rooms/made-2/plan', { body: file(9), type: pdf });
  expect(await load('made-1')).toEqual(['image/png', file(7)]);
  await send(mock, 'PUT /rooms/made-1/plan', { body: file(11), type: pdf });
  expect(await load('made-1')).toEqual([pdf, file(11)]);
  expect(await load('made-2')).toEqual([pdf, file(9)]);
});
