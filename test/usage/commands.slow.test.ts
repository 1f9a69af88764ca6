import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';

/**
 * The README's commands, run as a newcomer would: by a shell, in a clone, against a mock that
 * `vouch start` started.
 */
const bin = join(packageFolder, 'bin/vouch.js');
const readme = readFileSync(join(packageFolder, 'README.md'), 'utf8');

interface Outcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

async function run(command: string, env: Record<string, string> = {}): Promise<Outcome> {
  // `npx vouch` in a clone is bin/vouch.js; npx itself would only add a second to each command.
  const child = spawn(
    'sh',
    [
      '-c',
      command
        .replaceAll('npx vouch', `'${process.execPath}' '${bin}'`)
        .replace(/^node /, `'${process.execPath}' `),
    ],
    { cwd: packageFolder, env: { ...process.env, NO_COLOR: '1', VOUCH_TOKEN: '', ...env } },
  );
  return collect(child);
}

async function collect(child: ChildProcess): Promise<Outcome> {
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** Starts a program and waits until it has said what it says when it is ready. */
async function start(
  words: readonly string[],
  ready: RegExp,
  env: Record<string, string> = {},
): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, words, {
    cwd: packageFolder,
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let said = '';
  await new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer): void => {
      said += chunk.toString();
      if (ready.test(said)) resolve();
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('exit', () => reject(new Error(`it ended: ${said}`)));
  });
  return { child, said };
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode;
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

/**
 * Expects a block that README shows after `<!-- shown: NAME -->` in what was printed. Lines with a
 * `$` are typed, and `…` stands for lines that are left out.
 */
function expectShown(name: string, printed: string): void {
  const [, block = ''] = readme.split(`<!-- shown: ${name} -->\n\`\`\`\n`);
  const lines = (block.split('```')[0] ?? '').split('\n').filter((line) => !line.startsWith('$ '));
  const parts = steady(lines.join('\n'))
    .split(/^ *…$/m)
    .map((part) => part.trim());
  expect(parts.length).toBeGreaterThan(1);
  let rest = steady(printed);
  for (const part of parts) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
}

/** A text without what differs from run to run: ports, tokens, counts and identifiers. */
function steady(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/\/open\/\S+/g, '/open/LINK')
    .replaceAll(/\d+ times/g, 'N times')
    .replaceAll(/"id":\d+/g, '"id":N')
    .replaceAll(/(npx|node) \S*vouch(\.js)? /g, 'npx vouch ');
}

describe('npm start', () => {
  let served: { child: ChildProcess; said: string };
  let origin: string;
  beforeAll(async () => {
    served = await start([bin, 'start'], /Stop with Ctrl-C/, { VOUCH_PORT: '0' });
    origin = / at (http:\/\/[^/]+)/.exec(served.said)?.[1] ?? '';
  });
  afterAll(() => end(served.child));

  test('lints the contract and prints the URLs of mock and Prism, and the key', () => {
    expect(served.said).toMatch(/^lint {2}openapi\/petstore\.v1\.yaml: no errors, no warnings/);
    expect(served.said).toMatch(/^Mocking .* at http:\/\/127\.0\.0\.1:\d+\/v1\n/m);
    expect(served.said).toMatch(/prism +http:\/\/127\.0\.0\.1:\d+\/v1\n/);
    expect(served.said).toMatch(/key +demo-key\n/);
  });

  test('prints what README shows', () => {
    expectShown('start', served.said);
  });

  test.each([...readme.matchAll(/^(curl .*)\n# (.*)$/gm)].map(([, ...pair]) => pair))(
    'README: %s',
    async (command = '', answer = '') => {
      const { out } = await run(`${command.replaceAll('http://127.0.0.1:4010', origin)} -s`);
      expect(steady(out)).toBe(steady(answer));
    },
  );

  test('the README’s check command passes', async () => {
    const { code, out } = await run(`npx vouch check ${origin}/v1 --server messages=${origin}`, {
      VOUCH_TOKEN: 'demo-key',
    });
    expect(out).toMatch(/passed/i);
    expect(code).toBe(0);
  });

  test('Prism behind vouch survives requests that crash or hang Prism', async () => {
    const prism = /prism +(http:\/\/\S+)/.exec(served.said)?.[1] ?? '';
    const [host, port] = new URL(prism).host.split(':');
    const socket = createConnection({ host: host ?? '', port: Number(port) });
    socket.end(
      `GET /v1/pets/%zz HTTP/1.1\r\nHost: ${host ?? ''}:${port ?? ''}\r\nConnection: close\r\n\r\n`,
    );
    let raw = '';
    for await (const chunk of socket) raw += String(chunk);
    expect(raw).toMatch(/^HTTP\/1\.1 4\d\d /);
    const malformed = await fetch(`${prism}/pets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
      body: '{bad',
    });
    expect(malformed.status).toBe(400);
  });

  test('a second one uses the next free port and reports it', async () => {
    const port = new URL(origin).port;
    const second = await start([bin, 'mock'], /Stop with Ctrl-C/, { VOUCH_PORT: port });
    expect(second.said).toContain(`(port ${port} is in use)`);
    expect(await end(second.child)).toBe(0);
  });
});

describe('commands that exit', () => {
  test.each<[string, number]>([
    ['npx vouch lint', 0],
    ['npx vouch gaps', 0],
    ['npx vouch explain filter-holds', 0],
    ['npx vouch mock --explain', 0],
    ['npx vouch check --self', 0],
    ['npx vouch check --self --plan', 0],
    ['npx vouch check http://127.0.0.1:1', 3],
    ['npx vouch chek', 2],
  ])('%s ends with %i', async (command, code) => {
    const outcome = await run(command);
    expect(
      `${String(outcome.code)} ${outcome.code === code ? '' : outcome.out + outcome.err}`,
    ).toBe(`${String(code)} `);
  });
});

describe('the careless server of the tour', () => {
  let careless: { child: ChildProcess; said: string };
  beforeAll(async () => {
    careless = await start(['examples/careless-server.js', '0'], /listening on/);
  });
  afterAll(() => end(careless.child));

  test('fails for each defect, with the line of the contract and a curl command', async () => {
    const url = /http:\S+/.exec(careless.said)?.[0] ?? '';
    const { code, out } = await run(`npx vouch check ${url}`, { VOUCH_TOKEN: 'demo-key' });
    expect(code).toBe(1);
    expectShown('broken', out);
    for (const check of ['filter-holds', 'credential-required', 'The server answered 500'])
      expect(out).toContain(check);
    expect(out).toMatch(/openapi\/petstore\.v1\.yaml:\d+:\d+/);
    const commands = out
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.startsWith('curl '));
    expect(commands.length).toBeGreaterThanOrEqual(2);
    for (const command of commands)
      expect((await run(command, { VOUCH_TOKEN: 'demo-key' })).code, command).toBe(0);
    expect(out).not.toContain('demo-key');
  });
});
