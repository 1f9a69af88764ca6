import {
  findSystemAddresses,
  guardLookup,
  refuseMetadata,
} from '../../check/transport/wire/socket/guard-lookup.ts';
import { hostOf } from '../../http/host.ts';

const timeoutMs = 5_000;

/** What came of asking. */
export interface HeadAnswer {
  readonly status: number;
  readonly durationMs: number;
}

/**
 * Asks for the head of a URL once, without a credential, and follows nothing. Throws
 * 'refused-for-safety' for a link-local or metadata address, and what the network says otherwise.
 */
export async function askHead(text: string): Promise<HeadAnswer> {
  const url = new URL(text);
  refuseMetadata(hostOf(url));
  const { request } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      method: 'HEAD',
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      lookup: guardLookup(findSystemAddresses),
    });
    asked.on('response', (response) => {
      response.destroy();
      resolve({ status: response.statusCode ?? 0, durationMs: performance.now() - began });
    });
    asked.on('error', reject);
    asked.end();
  });
}
