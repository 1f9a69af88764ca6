import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { loadContract } from '../../src/contract/load.ts';
import { startMock } from '../../src/library/start-mock.ts';
import { writeFiles } from '../contract/write-files.ts';
import { type FakeIo, makeFakeIo } from './fake-io.ts';

const secret = 'Bearer a-secret-of-the-document';

/** A document whose references lead beside it, to this machine, and to another host. */
const document = `openapi: 3.1.0
info: { title: Far, version: '1' }
servers: [{ url: 'https://far.test' }]
security: []
paths:
  /things:
    get:
      operationId: listThings
      summary: List
      responses:
        '200': { description: Fine, content: { application/json: { schema: { $ref: SCHEMA } } } }
        '400': { description: Refused }
`;
const schemas: Readonly<Record<string, string>> = {
  '/beside.yaml': 'parts/thing.yaml',
  '/file.yaml': 'file:///etc/hostname',
  '/other.yaml': 'http://localhost:1/thing.yaml',
};

let server: Server;
let origin: string;
let asked: { readonly path: string; readonly token: string | undefined }[] = [];

function answer(request: IncomingMessage, response: ServerResponse): void {
  const token = request.headers.authorization;
  const path = request.url ?? '';
  asked.push({ path, token });
  const { pathname } = new URL(path, origin);
  const local = pathname.replace('/protected', '');
  if (pathname !== local && token !== secret) return void response.writeHead(401).end();
  const schema = schemas[local];
  if (schema !== undefined) return void response.end(document.replace('SCHEMA', `'${schema}'`));
  if (local === '/parts/thing.yaml')
    return void response.end('type: object\nproperties: { name: { type: string } }\n');
  if (local === '/moved') return move(response, '/protected/beside.yaml');
  if (local === '/circle') return move(response, '/circle');
  if (local === '/away')
    return move(response, `${origin.replace('127.0.0.1', 'localhost')}/beside.yaml?key=hidden`);
  if (local === '/metadata') return move(response, 'http://169.254.169.254/latest/');
  if (local === '/page')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
  response.writeHead(404).end();
}

function move(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

beforeAll(async () => {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address with a port.
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => void server.close());

/** Runs a command with a token in the environment; nothing that it prints contains the token. */
async function run(...words: string[]): Promise<FakeIo & { readonly code: number }> {
  const io = makeFakeIo({ DOCUMENT_TOKEN: secret });
  const code = await main(words, io);
  expect(io.written.out + io.written.err).not.toContain('a-secret');
  return { ...io, code };
}

describe('a contract that is named by its URL', () => {
  test.each([
    ['lint'],
    ['gaps'],
    ['mock', '--explain'],
    ['check', '--self', '--plan'],
    ['init', '--dry-run'],
  ])('vouch %s reads it with what it references beside it', async (command, ...flags) => {
    const { code, written } = await run(command, `${origin}/beside.yaml`, ...flags);
    expect({ code, err: written.err }).toEqual({ code: 0, err: '' });
    expect(asked.map(({ path }) => path)).toContain('/parts/thing.yaml');
  });

  test('places in messages show the URL without its query', async () => {
    const { written, code } = await run('lint', `${origin}/other.yaml?key=hidden`);
    expect(code).toBe(1);
    expect(written.out).toContain(`${origin}/other.yaml?…:11:`);
    expect(written.out).not.toContain('hidden');
  });

  test('a document of a service is checked against that service', async () => {
    const { written } = await run('check', origin, `${origin}/beside.yaml`, '-r', 'json');
    expect(written.out).toContain('"GET"');
    expect(asked.map(({ path }) => path)).toContain('/things');
  });

  test('a document alone is no target', async () => {
    const { code, written } = await run('check', `${origin}/beside.yaml`);
    expect(code).toBe(2);
    expect(written.err).toContain('no base URL is given');
  });

  test('is not watched, and the message says why', async () => {
    const options = { contract: `${origin}/beside.yaml`, config: false as const };
    await expect(startMock({ ...options, watch: true })).rejects.toThrow(/watches files/);
  });
});

describe('references of a document from the network', () => {
  test('lead to no file of this machine', async () => {
    const { faults } = await loadContract(`${origin}/file.yaml`);
    expect(faults.map(({ message }) => message).join()).toContain('is a file of this machine');
  });

  test('lead to no other host', async () => {
    const { faults } = await loadContract(`${origin}/other.yaml`);
    expect(faults.map(({ message }) => message).join()).toContain('a host that is not allowed');
  });
});

describe('headers for a protected document', () => {
  const header = ['--header', 'Authorization=env:DOCUMENT_TOKEN'];

  test('are sent with the document and with what it references there', async () => {
    const { code } = await run('lint', `${origin}/protected/beside.yaml`, ...header);
    expect(code).toBe(0);
    expect(new Set(asked.map(({ token }) => token))).toEqual(new Set([secret]));
  });

  test('may also be given as they are', async () => {
    const given = ['--header', `Authorization: ${secret}`];
    const { code } = await run('lint', `${origin}/protected/beside.yaml`, ...given);
    expect(code).toBe(0);
  });

  test('are missed with a hint', async () => {
    const { code, written } = await run('lint', `${origin}/protected/beside.yaml`);
    expect(code).toBe(2);
    expect(written.err).toMatch(/responds with 401.\n.*Send a credential with --header/);
  });

  test('of a target go to a document on that target', async () => {
    const named = `${origin}/protected/beside.yaml`;
    const { code } = await run('check', origin, named, ...header, '--plan');
    expect(code).toBe(0);
  });

  test('of a target do not go to a document elsewhere', async () => {
    const elsewhere = origin.replace('127.0.0.1', 'localhost');
    const { code } = await run(
      ...['check', elsewhere, `${origin}/protected/beside.yaml`, ...header, '--plan'],
    );
    expect(code).toBe(2);
    expect(asked.map(({ token }) => token)).toEqual([undefined]);
  });

  test('do not follow a redirect to another host, even where that is allowed', async () => {
    const allowed = ['--allow-ref-host', 'localhost'];
    const { code } = await run('lint', `${origin}/away`, ...header, ...allowed);
    expect(code).toBe(0);
    expect(asked.map(({ path, token }) => [path, token])).toEqual(
      expect.arrayContaining([
        ['/away', secret],
        ['/beside.yaml?key=hidden', undefined],
        ['/parts/thing.yaml', undefined],
      ]),
    );
  });
});

describe('redirects of a document', () => {
  test('on its host are followed, and references start at their end', async () => {
    const { code } = await run(
      ...['lint', `${origin}/moved`, '--header', 'Authorization=env:DOCUMENT_TOKEN'],
    );
    expect(code).toBe(0);
    expect(asked.map(({ path }) => path)).toContain('/protected/parts/thing.yaml');
  });

  test.each([
    ['away', /on another host: name that address, or allow it with --allow-ref-host localhost/],
    ['circle', /redirects too often/],
    ['metadata', /169\.254\.169\.254/],
  ])('%s is refused', async (path, why) => {
    const { code, written } = await run('lint', `${origin}/${path}`);
    expect(code).toBe(2);
    expect(written.err).toMatch(why);
    expect(written.err).not.toContain('hidden');
  });

  test('a metadata address is refused even where its host is allowed', async () => {
    const { written } = await run(
      ...['lint', `${origin}/metadata`, '--allow-ref-host', '169.254.169.254'],
    );
    expect(written.err).toContain('which vouch never contacts');
  });
});

test('a page that shows a document is not taken for it', async () => {
  const { code, written } = await run('lint', `${origin}/page`);
  expect(code).toBe(2);
  expect(written.err).toContain('is a web page, not an OpenAPI document');
});

test('a password in a URL is refused without being shown', async () => {
  const { written } = await run('lint', `${origin.replace('//', '//user:a-secret@')}/beside.yaml`);
  expect(written.err).toContain('contains a password');
});

test('vouch lint - reads the document from the standard input', () => {
  const program = join(import.meta.dirname, '../../bin/vouch.js');
  const input = document.replace('{ $ref: SCHEMA }', '{ type: objekt }');
  const { stdout, status } = spawnSync(process.execPath, [program, 'lint', '-'], {
    input,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout).toContain('<stdin>:11:');
});

test('a protected document of the configuration is read with a header', async () => {
  const named = `${origin}/protected/beside.yaml`;
  const folder = await writeFiles({ 'vouch.config.yaml': `contract: ${named}\n` });
  const config = ['--config', join(folder, 'vouch.config.yaml')];
  const given = 'Authorization=env:DOCUMENT_TOKEN';
  const doctor = await run('doctor', '--header', given, ...config);
  expect(doctor.written.out).toMatch(/ok\s+contract\s.*protected\/beside\.yaml: Far 1/);
  const found = await run('lint', '--header', given, ...config);
  expect(found.code).toBe(0);
});
