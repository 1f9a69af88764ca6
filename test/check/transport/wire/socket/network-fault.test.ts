import { describe, expect, test } from 'vitest';
import {
  connectFault,
  type ConnectionStage,
} from '../../../../../src/check/transport/wire/socket/open-socket.ts';

const failure = (code: string): Error => Object.assign(new Error('it failed'), { code });

describe('the reason of a failed connection', () => {
  test.each<[ConnectionStage, unknown, string]>([
    ['calling', failure('ECONNREFUSED'), 'connection.refused: connection refused.'],
    [
      'calling',
      failure('EHOSTUNREACH'),
      'connection.refused: no route to the host (EHOSTUNREACH).',
    ],
    ['calling', failure('ETIMEDOUT'), 'timeout: the connection could not be made in time.'],
    ['calling', failure('ENOTFOUND'), 'dns.failed: the name of the host is not known (ENOTFOUND).'],
    ['calling', failure('EAI_AGAIN'), 'dns.failed: the name of the host is not known (EAI_AGAIN).'],
    // A name with several addresses: one error for each.
    [
      'calling',
      Object.assign(new AggregateError([failure('ECONNREFUSED'), failure('ETIMEDOUT')]), {
        code: undefined,
      }),
      'connection.refused: connection refused.',
    ],
    [
      'calling',
      new Error('around', { cause: failure('ENOTFOUND') }),
      'dns.failed: the name of the host is not known (ENOTFOUND).',
    ],
    [
      'securing',
      failure('CERT_HAS_EXPIRED'),
      'tls.failed: the TLS handshake failed (CERT_HAS_EXPIRED).',
    ],
    [
      'securing',
      new Error('nothing is said'),
      'tls.failed: the TLS handshake failed (the server broke it off).',
    ],
    [
      'securing',
      'no error at all',
      'tls.failed: the TLS handshake failed (the server broke it off).',
    ],
  ])('%s, %o', (stage, error, expected) => {
    const { kind, message } = connectFault(error, stage);
    expect(`${kind}: ${message}`).toBe(expected);
  });
});
