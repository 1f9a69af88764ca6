import { describe, expect, test } from 'vitest';
import { refuseAddress, refuseUrl } from '../../../src/server/callbacks/outgoing-client.ts';

const judge = (url: string, ...allow: string[]): string | undefined =>
  refuseUrl(new URL(url), { allow })?.reason;

describe('the hosts to which the mock sends requests', () => {
  test.each([
    'http://127.0.0.1:9',
    'http://127.9.9.9/',
    'http://[::1]:80/a',
    'http://localhost:3000/hook',
    'http://LOCALHOST./',
    'http://app.localhost/',
    // The same address in other words, which a URL is read into.
    'http://2130706433/',
    'http://0x7f.1/',
    'http://127.1/',
    'http://[::ffff:127.0.0.1]/',
  ])('%s is this machine', (url) => {
    expect(judge(url)).toBeUndefined();
  });

  test.each([
    'http://example.com/',
    'http://localhost.example.com/',
    'http://notlocalhost/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://8.8.8.8/',
    'http://[2001:db8::1]/',
    'http://128.0.0.1/',
  ])('%s is another machine', (url) => {
    expect(refuseUrl(new URL(url), { allow: [] })?.mayBeAllowed).toBe(true);
    expect(judge(url, '*')).toBeUndefined();
  });

  test.each([
    ['http://example.com/', 'example.com'],
    ['http://EXAMPLE.com./', 'Example.com'],
    ['http://example.com:8080/', 'example.com:8080'],
    ['https://example.com/', 'example.com:443'],
    ['http://10.0.0.1:3000/', '10.0.0.1'],
    ['http://[2001:db8::1]/', '[2001:db8::1]'],
    ['http://[2001:db8::1]:81/', '[2001:db8::1]:81'],
  ])('%s is allowed as %s', (url, allow) => {
    expect(judge(url, allow)).toBeUndefined();
  });

  test.each([
    ['http://sub.example.com/', 'example.com'],
    ['http://example.com:81/', 'example.com:80'],
    ['http://10.0.0.2/', '10.0.0.1'],
  ])('%s is not allowed by %s', (url, allow) => {
    expect(judge(url, allow)).toBeDefined();
  });

  test.each([
    'http://169.254.169.254/latest',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://[::ffff:169.254.169.254]/',
    'http://2852039166/',
  ])('%s is never sent to', (url) => {
    for (const allow of [[], ['*'], [new URL(url).hostname]])
      expect(refuseUrl(new URL(url), { allow })?.mayBeAllowed).toBe(false);
  });

  test('is checked again by the resolved address', () => {
    expect(refuseAddress('93.184.216.34', false)?.reason).toMatchInlineSnapshot(
      `"leads to 93.184.216.34, which is not this machine"`,
    );
    expect(refuseAddress('93.184.216.34', true)).toBeUndefined();
    expect(refuseAddress('169.254.169.254', true)?.reason).toMatchInlineSnapshot(
      `
      "leads to 169.254.169.254, a link-local or metadata address, where nothing is ever
        ↳ sent"
    `,
    );
  });
});
