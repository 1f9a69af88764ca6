import { describe, expect, test } from 'vitest';
import { hostOf, isLoopbackHost, isMetadataHost } from '../../src/http/host.ts';

describe('host names of this machine', () => {
  test.each<[string, boolean]>([
    ['http://127.0.0.1', true],
    ['http://127.8.8.8:1', true],
    ['http://localhost', true],
    ['http://LOCALHOST.', true],
    ['http://api.localhost', true],
    ['http://[::1]:1', true],
    ['http://[0:0:0:0:0:0:0:1]', true],
    ['http://[::ffff:127.0.0.1]', true],
    ['http://2130706433', true],
    ['http://localhost.example.com', false],
    ['http://notlocalhost', false],
    ['http://128.0.0.1', false],
    ['http://0.0.0.0', false],
    ['http://[::]', false],
    ['http://[::2]', false],
    ['http://[1::1]', false],
  ])('%s: %s', (url, expected) => {
    expect(isLoopbackHost(hostOf(new URL(url)))).toBe(expected);
  });
});

describe('an address that is link-local, or a metadata service of a cloud', () => {
  test.each<[string, boolean]>([
    ['169.254.169.254', true],
    ['169.254.170.2', true],
    ['100.100.100.200', true],
    ['192.0.0.192', true],
    ['fe80::1', true],
    ['[fe80::1]', true],
    ['fe80::1%eth0', true],
    ['febf::1', true],
    ['fd00:ec2::254', true],
    ['::ffff:169.254.169.254', true],
    ['::ffff:a9fe:a9fe', true],
    ['64:ff9b::169.254.169.254', true],
    ['metadata.google.internal', true],
    ['METADATA.google.internal.', true],
    ['127.0.0.1', false],
    ['169.253.0.1', false],
    ['fec0::1', false],
    ['fd00::1', false],
    ['2001:db8::a9fe:a9fe', false],
    ['metadata.example.com', false],
    ['', false],
  ])('%s: %s', (host, expected) => {
    expect(isMetadataHost(host)).toBe(expected);
  });
});
