import { expect, test } from 'vitest';
import { createApp } from '../../src/server/create-app.ts';
import { listen } from '../../src/server/listen.ts';
import { makeContract } from '../contract/make-contract.ts';
import { mockOf } from '../mock/workshop.ts';
import { exchangeRaw } from './raw-client.ts';
import { controlToken } from './serve-fake.ts';

test(
  'a method that the contract adds is answered as any other; what no ' +
    'contract has is not implemented',
  async () => {
    const answer = { responses: { '204': { description: 'done' } } };
    const contract = makeContract({
      openapi: '3.2.0',
      paths: { '/things': { get: answer, additionalOperations: { LINK: answer } } },
    });
    const { port, close } = await listen(createApp(await mockOf({ contract }), { controlToken }), {
      port: 0,
    });
    try {
      const ask = async (method: string): Promise<string> => {
        const { client, response } = await exchangeRaw(
          port,
          `${method} /things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
        );
        await client.closed;
        return response.status;
      };
      expect([await ask('LINK'), await ask('UNLINK'), await ask('DELETE')]).toEqual([
        'HTTP/1.1 204 No Content',
        'HTTP/1.1 501 Not Implemented',
        'HTTP/1.1 405 Method Not Allowed',
      ]);
    } finally {
      await close();
    }
  },
);
