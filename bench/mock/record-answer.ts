import { mkdtempSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadRequest } from '../measure/load.ts';

/** Header fields that Node writes by itself. */
const ownOfNode: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive']);

/**
 * Asks a server once for each request, and writes a file from which the bare server sends the same
 * headers and bytes.
 */
export async function recordAnswers(
  url: string,
  requests: readonly LoadRequest[],
): Promise<string> {
  const entries = await Promise.all(
    requests.map(async (request) => [request.path, await record(url, request)] as const),
  );
  const file = join(mkdtempSync(join(tmpdir(), 'vouch-bare-')), 'answers.json');
  writeFileSync(file, JSON.stringify(Object.fromEntries(entries)));
  return file;
}

function record(
  url: string,
  { method = 'GET', path, headers = {}, body }: LoadRequest,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = send(url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const fields = Array.from({ length: response.rawHeaders.length / 2 }, (_, index) =>
          response.rawHeaders.slice(index * 2, index * 2 + 2),
        );
        const kept = fields.filter(([name = '']) => !ownOfNode.has(name.toLowerCase())).flat();
        resolve({
          method,
          status: response.statusCode,
          headers: kept,
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
