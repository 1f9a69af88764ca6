import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { readTlsFlags } from '../../src/cli/serve/serve-options.ts';
import { makeFakeIo } from './fake-io.ts';

describe('the flags about TLS', () => {
  test.each([
    [{}, {}],
    [{ tls: true }, { tls: {} }],
    [{ tlsCa: 'ca.pem' }, { tls: { caFile: 'ca.pem' } }],
    [
      { tlsCert: 'c.pem', tlsKey: 'k.pem' },
      { tls: { certificate: { cert: 'c.pem', key: 'k.pem' } } },
    ],
    [{ tls: true, tlsClientCa: 'them.pem' }, { tls: { clientCa: 'them.pem' } }],
  ])('%j come to %j', (words, choice) => {
    expect(readTlsFlags(words)).toEqual(choice);
  });

  test.each([
    [{ tlsCert: 'c.pem' }, '--tls-cert needs --tls-key.'],
    [{ tls: true, tlsKey: 'k.pem' }, '--tls-key needs --tls-cert.'],
  ])('%j are not enough', (words, message) => {
    expect(() => readTlsFlags(words)).toThrow(message);
  });
});

describe('invalid combinations are refused before the start', () => {
  test.each<[string[], RegExp]>([
    [
      ['--cors', 'openapi.yaml'],
      /openapi\.yaml is no origin\.[\s\S]*For every origin write --cors alone, behind the document/,
    ],
    [['--cors', '--cors', 'http://localhost:3000/'], /http:\/\/localhost:3000\/ is no origin/],
    [
      ['--tls-cert', 'nowhere.pem', '--tls-key', 'nowhere.pem'],
      /The certificate nowhere\.pem cannot be read: ENOENT\.[\s\S]*Name a file in PEM format/,
    ],
    [['--tls-cert', 'nowhere.pem'], /Add --tls-key FILE/],
    [['--control-port', 'any'], /A port is an integer from 0 to 65535/],
  ])('vouch mock %j', async (words, message) => {
    const io = makeFakeIo();
    expect(await main(['mock', '--port', '0', ...words], io)).toBe(2);
    expect(io.written.err).toMatch(message);
  });
});
