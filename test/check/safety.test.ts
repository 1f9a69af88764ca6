import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { makeContract } from '../contract/make-contract.ts';

const contract = makeContract({
  paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok' } } } } },
});

describe('metadata addresses of clouds are refused before the first request', () => {
  test.each<[string, boolean]>([
    ['http://169.254.169.254', true],
    ['http://169.254.170.2/v2', true],
    ['http://2852039166', true],
    ['http://0xa9fea9fe', true],
    ['http://[fe80::1]', true],
    ['http://[fd00:ec2::254]', true],
    ['http://[::ffff:169.254.169.254]', true],
    ['http://metadata.google.internal', true],
    ['http://metadata.google.internal.', true],
    ['http://100.100.100.200', true],
    ['http://127.0.0.1:4010', false],
    ['https://api.example.com', false],
    ['https://metadata.example.com', false],
  ])('%s: %s', async (url, refused) => {
    let sent = 0;
    const run = checkTarget({
      url,
      contract,
      send: async () => {
        sent += 1;
        throw new Error('nothing is to be sent here');
      },
    });
    if (refused) await expect(run).rejects.toMatchObject({ code: 'refused-for-safety' });
    else await run;
    expect(sent > 0).toBe(!refused);
  });
});
