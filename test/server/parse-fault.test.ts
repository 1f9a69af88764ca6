import { describe, expect, test } from 'vitest';
import { answerParseFault, type ParseFault } from '../../src/server/connection/refuse.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const method = (text: string, bytesParsed = 0): ParseFault => ({
  code: 'HPE_INVALID_METHOD',
  bytesParsed,
  rawPacket: bytes(text),
});

describe('the status of a connection without a request', () => {
  test.each<[string, number, ParseFault]>([
    ['nothing known of it', 400, {}],
    [
      'any fault of the parser',
      400,
      { code: 'HPE_INVALID_HEADER_TOKEN', reason: 'Invalid header value char' },
    ],
    ['a code like a member of every object', 400, { code: 'constructor' }],
    ['too slow', 408, { code: 'ERR_HTTP_REQUEST_TIMEOUT' }],
    [
      'a target that is too long',
      414,
      { code: 'HPE_HEADER_OVERFLOW', rawPacket: bytes(`GET /${'a'.repeat(9_000)}`) },
    ],
    [
      'headers that are too long',
      431,
      {
        code: 'HPE_HEADER_OVERFLOW',
        rawPacket: bytes(`GET / HTTP/1.1\r\nA: ${'a'.repeat(9_000)}`),
      },
    ],
    ['an overflow in a later packet', 431, { code: 'HPE_HEADER_OVERFLOW' }],
    ['an unknown method', 501, method('FETCH / HTTP/1.1\r\n', 1)],
    ['an unknown method, cut short by the packet', 501, method('FE', 1)],
    [
      'an unknown method behind a request',
      501,
      method('GET / HTTP/1.1\r\n\r\nFETCH / HTTP/1.1\r\n', 20),
    ],
    ['no method at all', 400, method('what?\r\n')],
    ['TLS', 400, method('\x16\x03\x01')],
    [
      'an unknown transfer coding',
      501,
      { code: 'HPE_INVALID_TRANSFER_ENCODING', reason: 'Request has invalid `Transfer-Encoding`' },
    ],
    [
      'chunked that is not last',
      400,
      { code: 'HPE_INVALID_TRANSFER_ENCODING', reason: 'Invalid `Transfer-Encoding` header value' },
    ],
  ])('%s', (_name, status, fault) => {
    expect(answerParseFault(fault).status).toBe(status);
  });
});
