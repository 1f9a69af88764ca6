import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { writeFiles } from '../contract/write-files.ts';
import { makeFakeIo } from './fake-io.ts';

let server: Server;
let host: string;
let file: string;

beforeAll(async () => {
  server = createServer((_request, response) =>
    response.end('type: object\nproperties: { name: { type: string } }\n'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address with a port.
  host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const folder = await writeFiles({
    'api.yaml':
      `openapi: 3.1.0\ninfo: { title: Far, version: '1' }\nsecurity: ` +
      `[]\nservers: [{ url: 'https://far.test' }]\npaths:\n  /things:\n    ` +
      'post:\n      operationId: make\n      summary: Make\n      requestBody: ' +
      `{ content: { application/json: { schema: { $ref: 'http://${host}/` +
      `thing.yaml' } } } }\n      responses: { '200': { description: Fine }, ` +
      `'400': { description: Refused } }\n`,
  });
  file = join(folder, 'api.yaml');
});
afterAll(() => void server.close());

describe('documents are fetched only from hosts that the command line allows', () => {
  test.each([['gaps'], ['lint'], ['mock', '--explain'], ['check', '--self', '--plan']])(
    '%s',
    async (...words) => {
      const [command = '', ...flags] = words;
      const refused = makeFakeIo();
      expect(await main([command, file, ...flags], refused)).toBe(command === 'lint' ? 1 : 0);
      expect(refused.written.err + refused.written.out).toContain(`--allow-ref-host ${host}`);
      const allowed = makeFakeIo();
      expect(
        await main(
          [
            command,
            file,
            ...flags,
            '--allow-ref-host',
            'example.com',
            '--allow-ref-host',
            '127.0.0.1',
          ],
          allowed,
        ),
      ).toBe(0);
      expect(allowed.written.err).toBe('');
    },
  );
});
