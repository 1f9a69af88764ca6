import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { toCurl } from '../../../../src/check/engine/judge/make-finding.ts';
import type { Exchange } from '../../../../src/check/model/exchange.ts';
import { emptyBody, type HttpRequest } from '../../../../src/http/message.ts';

const run = promisify(execFile);
const token = { value: 's3cr3t/to ken', shell: '$VOUCH_TOKEN' };

function exchange(request: Partial<HttpRequest>): Exchange {
  return {
    baseUrl: 'http://127.0.0.1:4010/v1',
    request: { method: 'GET', target: '/v1/things', headers: [], body: emptyBody, ...request },
    durationMs: 1,
  };
}

/**
 * What curl would be given: the shell reads the command, and a function in its place prints the
 * arguments and standard input.
 */
async function argumentsOf(
  command: string,
): Promise<{ readonly words: string[]; readonly input: string }> {
  const script =
    `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; case "$*" ` +
    `in *@-*) printf '\\1'; od -An -tx1 -v;; esac; }\n${command}`;
  const { stdout } = await run('sh', ['-c', script], {
    env: { PATH: process.env['PATH'] ?? '', VOUCH_TOKEN: token.value },
  });
  const [words = '', input = ''] = stdout.split('\u0001');
  return { words: words.split('\0').slice(0, -1), input: input.replaceAll(/\s/g, '') };
}

test('a basic credential under another scheme is encoded by the shell', async () => {
  const pair = Buffer.from(`robin:${token.value} ${'x'.repeat(80)}`).toString('base64');
  const secret = {
    value: `robin:${token.value} ${'x'.repeat(80)}`,
    shell: `robin:$VOUCH_TOKEN ${'x'.repeat(80)}`,
  };
  const command = toCurl(exchange({ headers: [['Authorization', `Bearer ${pair}`]] }), [secret]);
  expect(command).not.toContain(pair);
  expect((await argumentsOf(command)).words).toContain(`Authorization: Bearer ${pair}`);
});

describe('a shell sends the same request as the exchange', () => {
  const bodies = [
    '{"a":"it\'s"}',
    '$HOME `id` $(id) \\ "quoted" !bang',
    'line\nbreak\ttab',
    '@/etc/passwd',
    '; rm -rf / #',
    'Zoë 漢字 😀',
  ];
  test.each(bodies)('body %j', async (text) => {
    const command = toCurl(
      exchange({
        method: 'POST',
        headers: [['Content-Type', 'application/json']],
        body: new TextEncoder().encode(text),
      }),
      [token],
    );
    const { words } = await argumentsOf(command);
    expect(words.slice(words.indexOf('--data-raw'))).toEqual(['--data-raw', text]);
  });

  const targets = ["/v1/it's", '/v1/a%2Fb/../c', '/v1/things?q=%24%28id%29&x=$(id)', '/v1/%zz'];
  test.each(targets)('target %s', async (target) => {
    const { words } = await argumentsOf(toCurl(exchange({ target }), [token]));
    expect(words).toContain(`http://127.0.0.1:4010${target}`);
    expect(words).toContain('--path-as-is');
  });

  test('binary bodies are piped', async () => {
    const { input, words } = await argumentsOf(
      toCurl(
        exchange({
          method: 'POST',
          headers: [['Content-Type', 'x/y']],
          body: Uint8Array.from([0x00, 0x7b, 0xff, 0x27, 0x5c, 0x0a]),
        }),
        [],
      ),
    );
    expect(input).toBe('007bff275c0a');
    expect(words.slice(-2)).toEqual(['--data-binary', '@-']);
  });
});

describe('secrets are read from the environment, not written', () => {
  test.each([
    [
      'bearer',
      { headers: [['Authorization', `Bearer ${token.value}`]] },
      ['-H', `Authorization: Bearer ${token.value}`],
    ],
    [
      'basic',
      { headers: [['Authorization', `Basic ${Buffer.from(token.value).toString('base64')}`]] },
      ['-u', token.value],
    ],
    [
      'key in a header',
      { headers: [['X-Api-Key', token.value]] },
      ['-H', `X-Api-Key: ${token.value}`],
    ],
    [
      'beside letters',
      { headers: [['X-Api-Key', `a${token.value}b`]] },
      ['-H', `X-Api-Key: a${token.value}b`],
    ],
    [
      'beside a dollar',
      { headers: [['X-Api-Key', `$${token.value}"\``]] },
      ['-H', `X-Api-Key: $${token.value}"\``],
    ],
  ] as const)('%s', async (_name, request, expected) => {
    const command = toCurl(exchange(request), [token]);
    expect(command).not.toContain(token.value);
    expect(command).toContain('VOUCH_TOKEN');
    const { words } = await argumentsOf(command);
    expect(words.slice(-2)).toEqual(expected);
  });

  test('in a URL with a percent-encoded secret', () => {
    expect(
      toCurl(exchange({ target: `/v1/things?key=${encodeURIComponent(token.value)}` }), [token]),
    ).toBe(`curl -sS -i --path-as-is "http://127.0.0.1:4010/v1/things?key=$VOUCH_TOKEN"`);
  });
});

test('the printed commands', () => {
  const commands = [
    exchange({
      headers: [
        ['Accept', 'application/json'],
        ['User-Agent', 'vouch/1'],
      ],
    }),
    exchange({ method: 'HEAD' }),
    exchange({ method: 'DELETE', headers: [['Authorization', `Bearer ${token.value}`]] }),
    exchange({ method: 'POST', body: new TextEncoder().encode('{}') }),
    exchange({ headers: [['X-Empty', '']] }),
    {
      ...exchange({}),
      response: { status: 200, headers: [['Content-Encoding', 'gzip']], body: emptyBody },
    } as const,
  ].map((given) => toCurl(given, [token]));
  expect(commands.join('\n')).toMatchInlineSnapshot(`
    "curl -sS -i --path-as-is 'http://127.0.0.1:4010/v1/things' -H 'Accept:
      ↳ application/json'
    curl -sS -i --path-as-is -I 'http://127.0.0.1:4010/v1/things'
    curl -sS -i --path-as-is -X DELETE 'http://127.0.0.1:4010/v1/things' -H
      ↳ "Authorization: Bearer $VOUCH_TOKEN"
    curl -sS -i --path-as-is -X POST 'http://127.0.0.1:4010/v1/things' -H
      ↳ 'Content-Type:' --data-raw '{}'
    curl -sS -i --path-as-is 'http://127.0.0.1:4010/v1/things' -H 'X-Empty;'
    curl -sS -i --path-as-is --compressed 'http://127.0.0.1:4010/v1/things'"
  `);
});
