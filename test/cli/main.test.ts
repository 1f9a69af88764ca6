import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { main } from '../../src/cli/main.ts';
import { makeFakeIo, type FakeIo } from './fake-io.ts';

async function run(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<FakeIo & { code: number }> {
  const io = makeFakeIo(env);
  const code = await main(words, io);
  return Object.assign(io, { code });
}

describe('usage errors: exit code 2, one message on stderr, nothing on stdout', () => {
  test.each<[string, string[], RegExp]>([
    [
      'a wrong command',
      ['chek', 'http://127.0.0.1:1'],
      /^error Unknown command 'chek'\.\nDid you mean check\?\nAll commands: vouch -h\n$/,
    ],
    [
      'a wrong flag',
      ['lint', '--fromat', 'json'],
      /^error Unknown option '--fromat'\.\nDid you mean --format\?\nUsage: vouch lint -h\n$/,
    ],
    [
      'a flag without its value',
      ['check', 'http://127.0.0.1:1', '--seed'],
      /argument missing\.\nUsage: vouch check -h\n$/,
    ],
    [
      'a missing word',
      ['report', 'show'],
      /^error Missing required argument 'blob'\.\nUsage: vouch report show -h\n$/,
    ],
    [
      'no blob to merge',
      ['report', 'merge'],
      /needs at least one blob\.\nName the blob of each shard/,
    ],
    ['a wrong format', ['lint', '--format', 'xml'], /Allowed choices are pretty, json, github/],
    [
      'a wrong mode',
      ['check', 'http://127.0.0.1:1', '--mode', 'write'],
      /Allowed choices are read-only, read-write/,
    ],
    ['nothing to check', ['check'], /No base URL given/],
    [
      'a word that is no URL',
      ['check', 'locla'],
      /neither a base URL nor a target.*\nDid you mean local\?/,
    ],
    ['another scheme', ['check', 'ftp://x'], /starts with http/],
    [
      'a token on the command line',
      ['check', 'http://127.0.0.1:1', '--auth', 's3cret'],
      /not the token itself/,
    ],
    [
      'a variable that is not set',
      ['check', 'http://127.0.0.1:1', '--auth', 'env:NOT_THERE'],
      /NOT_THERE.*empty or not set/,
    ],
    [
      'a wrong reporter',
      ['check', 'http://127.0.0.1:1', '--reporter', 'prety'],
      /Unknown reporter: prety\.\nDid you mean pretty\?/,
    ],
    [
      'two reporters for stdout',
      ['check', 'http://127.0.0.1:1', '-r', 'json', '-r', 'junit'],
      /Only one reporter can write to stdout/,
    ],
    [
      'a server without a name',
      ['check', 'http://127.0.0.1:1', '--server', 'http://x'],
      /NAME=URL/,
    ],
    ['a rate that is none', ['check', 'http://127.0.0.1:1', '--rate', 'fast'], /number above 0/],
    [
      'a wrong check',
      ['explain', 'filter-hold'],
      /Unknown check: filter-hold\.\nDid you mean filter-holds\?/,
    ],
    ['a missing document', ['lint', 'nowhere.yaml'], /There is no file nowhere\.yaml/],
    ['a missing document for the mock', ['mock', 'nowhere.yaml'], /There is no file nowhere\.yaml/],
    [
      'a document that is none',
      ['lint', 'package.json'],
      /package\.json is not an OpenAPI document/,
    ],
    ['a port that is none', ['mock', '--port', 'many'], /integer from 0 to 65535/],
    ['a date that is none', ['mock', '--clock', 'tomorrow'], /a date such as 2030-12-06/],
    [
      'two places for records',
      ['mock', '--port', '0', '--persist', 'a.db', '--store', 'redis://127.0.0.1'],
      /in a file or in Redis, but not in both/,
    ],
    ['a number of records that is none', ['mock', '--records', 'many'], /must be an integer/],
    [
      'a store that is none',
      ['mock', '--port', '0', '--store', 'mysql://root:word@host'],
      /No store is reached by mysql:\/\/ URLs/,
    ],
    ['a URL and --self', ['check', 'http://127.0.0.1:1', '--self'], /--self checks the mock, not/],
    [
      'a scenario that is not there',
      ['mock', '--port', '0', '--scenario', 'missing-pte'],
      /missing-pet/,
    ],
    [
      'an operation that is not there',
      ['check', 'http://127.0.0.1:1', '--include', 'listPet'],
      /listPets/,
    ],
  ])('%s', async (_name, words, message) => {
    const { code, written } = await run(words);
    expect(written.err).toMatch(message);
    expect(written.out).toBe('');
    expect(code).toBe(2);
  });
});

describe('vouch -h', () => {
  test('has examples and exit codes', async () => {
    const { code, written } = await run(['--help']);
    expect(code).toBe(0);
    expect(written.out).toContain('vouch check http://127.0.0.1:4010/v1');
    expect(written.out).toContain(
      'Exit codes: 0 passed, 1 failed, 2 usage error, 3 inconclusive, 70 internal',
    );
  });

  test.each(commands.map(({ name }) => name))(
    '%s has a short help of at most eight options, and a complete one with exit codes',
    async (command) => {
      const words = ['-h', '--help', '--help-all'];
      const [short, same, whole] = await Promise.all(words.map((word) => run([command, word])));
      if (short === undefined || whole === undefined) throw new Error('there are three');
      expect(same?.written.out).toBe(short.written.out);
      expect([short.code, whole.code]).toEqual([0, 0]);
      for (const { written } of [short, whole]) {
        expect(written.out).toContain(`Usage: vouch ${command}`);
        expect(written.out).toMatch(/\nExamples?:\n {2}\S/);
      }
      expect(whole.written.out).toMatch(/\nExit codes: /);
      const optionsIn = (help: string): number =>
        help.match(/^ {2}(-\w, )?--(?!help)/gm)?.length ?? 0;
      expect(optionsIn(short.written.out)).toBeLessThanOrEqual(8);
      const count = String(optionsIn(whole.written.out) + 1);
      expect(short.written.out).toMatch(
        new RegExp(`\\n--help-all shows ${count} options?, variables and exit codes\\.\\n$`),
      );
      expect(short.written.out).not.toContain('Exit codes');
    },
  );

  test('of subcommands', async () => {
    expect((await run(['report', 'merge', '--help-all'])).written.out).toMatch(
      /in each of four jobs\n[\s\S]*\nExit codes: the exit code of the merged run; 3 if a shard is missing\.\n$/,
    );
  });

  test('the version is the package’s', async () => {
    expect((await run(['--version'])).written.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('commands that print and exit', () => {
  test('lint of the bundled contract', async () => {
    const { code, written } = await run(['lint']);
    expect(code).toBe(0);
    expect(written.out).toMatch(/openapi\/petstore\.v1\.yaml/);
  });

  test('mock --explain prints a line for each operation', async () => {
    const { code, written } = await run(['mock', '--explain']);
    expect(code).toBe(0);
    expect(written.out).toMatchInlineSnapshot(`
      "Pet Store Service Interface 1.0.0 (openapi/petstore.v1.yaml, OpenAPI 3.1)

      pets, by id
        list    GET   /pets          listPets        status, limit
        create  POST  /pets          createPet
        read    GET   /pets/{petId}  getPet

      Stateless, answered from the contract
                GET   /store/orders  getStoreOrders  reads
                POST  /messages      sendMessage     acts

      Why, and what each operation does to a service: --explain --verbose. To correct it:
        ↳ docs/reference/configuration.md.
      "
    `);
  });

  test('mock --explain --verbose prints the inference', async () => {
    const { code, written } = await run(['mock', '--explain', '--verbose']);
    expect(code).toBe(0);
    expect(written.out).toMatchInlineSnapshot(`
      "Pet Store Service Interface 1.0.0 (openapi/petstore.v1.yaml, OpenAPI 3.1)

      Resource pets: records with name, categoryId, status, id
        listPets (GET /pets) is list: it is a GET on the collection and returns an array
        ↳ of records.
        createPet (POST /pets) is create: it is a POST on the collection, takes a body and
        ↳ returns an object.
        getPet (GET /pets/{petId}) is read: it is a GET on an item's path and returns an
        ↳ object.
        Records are identified by id: the path parameter petId carries it.
        The body of a list is the bare array of records.
        The query parameter status filters: a record field has its name and type.
        The query parameter limit is the page size, 20 by default.
        Conventions: creation.answers-record, identifier.without-noun.

      Stateless, answered from the contract:
        getStoreOrders (GET /store/orders): its success response has no JSON body with a
        ↳ schema, so there is no record to store. Its response is the assumed one, because a
        ↳ client can show an empty store without knowing what an order holds.
        sendMessage (POST /messages): no operation lists or reads what it creates under
        ↳ /messages. Its response is the contract’s example, filled with values of the
        ↳ request.

      Effects of operations on the service (override with check.effects in
        ↳ vouch.config.yaml):
        listPets (GET /pets): reads (it is a GET, and its operationId is listPets)
        createPet (POST /pets): creates one (it is a POST on a collection)
        getPet (GET /pets/{petId}): reads (it is a GET, and its operationId is getPet)
        getStoreOrders (GET /store/orders): reads (it is a GET, and its operationId is
        ↳ getStoreOrders)
        sendMessage (POST /messages): acts (it is a POST that names no record)

      To correct this, set mock.resources in vouch.config.yaml: see
        ↳ docs/reference/configuration.md.
      "
    `);
  });

  test.each([['mock', '--explain'], ['gaps']])(
    '%s %s in a terminal is broken between words',
    async (...words) => {
      const io = { ...makeFakeIo({ NO_COLOR: '1' }), isTTY: { out: true, err: true } };
      expect(await main(words, io)).toBe(0);
      const lines = io.written.out.split('\n');
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(lines.some((line) => line.startsWith('    '))).toBe(true);
      expect(lines.join(' ').replaceAll(/ +/g, ' ')).toBe(
        (await run(words)).written.out.replaceAll(/\s+/g, ' '),
      );
    },
  );

  test('a document that is given by a flag is said to be an argument', async () => {
    expect((await run(['check', 'http://127.0.0.1:1', '--contract', 'a.yaml'])).written.err).toBe(
      "error Unknown option '--contract'.\nUsage: vouch check -h\n" +
        'The document is an argument: vouch check [options] [url] [document]\n',
    );
  });

  test('an option of another command names that command', async () => {
    const { code, written } = await run(['gaps', '--write-overlay', 'seen.yaml']);
    expect(code).toBe(2);
    expect(written.err).toBe(
      "error Unknown option '--write-overlay'.\nUsage: vouch gaps " +
        '-h\n--write-overlay is a flag of vouch check: vouch check --help-all\n',
    );
    expect((await run(['lint', '--no-such'])).written.err).toBe(
      "error Unknown option '--no-such'.\nUsage: vouch lint -h\n",
    );
  });

  test.each<[code: number, words: readonly string[]]>([
    [0, ['mock', '--port', '0']],
    [0, ['mock', '--explain']],
    [0, ['check', 'http://127.0.0.1:1', '--plan']],
    [0, ['check', '--self']],
    [0, ['gaps']],
    [1, ['lint']],
  ])(
    'a part of a document that is no OpenAPI is told with its place, and ends %d: %j',
    async (code, words) => {
      const folder = mkdtempSync(join(tmpdir(), 'vouch-odd-'));
      const file = join(folder, 'odd.yaml');
      writeFileSync(
        file,
        "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    " +
          "get:\n      responses: { '200': { description: ok, content: { " +
          'application/json: { schema: { allOf: 7 } } } } }\n',
      );
      const io = makeFakeIo();
      const stopping = {
        ...io,
        err: (text: string) => (
          io.err(text),
          text.startsWith('warning') && words[0] === 'mock' ? io.stop() : undefined
        ),
      };
      expect(await main([...words, file], stopping)).toBe(code);
      rmSync(folder, { recursive: true });
      const told = words[0] === 'lint' ? io.written.out : io.written.err;
      expect(told).toMatch(
        words[0] === 'lint'
          ? /odd\.yaml:6:\d+/
          : /^warning .*odd\.yaml:6:\d+ {2}"allOf" must be a non-empty list, but is 7\.\n.*vouch lint/,
      );
    },
  );

  test('gaps lists the assumptions of the mock', async () => {
    const { code, written } = await run(['gaps']);
    expect(code).toBe(0);
    expect(written.out).toMatch(
      /createPet\.body\.status\.default {2}openapi\/petstore\.v1\.yaml:\d+:\d+\n {2}createPet accepts a body without status.*\n {2}The mock assumes "available"/,
    );
  });

  test('explain describes a check', async () => {
    const { code, written } = await run(['explain', 'filter-holds']);
    expect(code).toBe(0);
    expect(written.out).toMatch(/^filter-holds\n {2}Rule {7}/);
  });

  test('check --plan sends nothing', async () => {
    const { code, written } = await run(['check', 'http://127.0.0.1:1', '--plan']);
    expect(written.out).toMatch(
      /^It takes about \d+ s if each answer takes 100 ms, (\d+ min )?\d+ s if 300 ms, /m,
    );
    expect(code).toBe(0);
    expect(written.out).toMatch(/GET http:\/\/127\.0\.0\.1:1\/pets/);
  });
});

describe('vouch check', () => {
  test('the mock conforms to its own contract', async () => {
    const { code, written } = await run(['check', '--self']);
    expect(written.out).toMatch(/passed/i);
    expect(code).toBe(0);
  });

  test('check --self uses the common settings of the configuration', async () => {
    const config = join(mkdtempSync(join(tmpdir(), 'self-')), 'vouch.config.yaml');
    writeFileSync(
      config,
      `contract: ${join(import.meta.dirname, '../../openapi/petstore.v1.yaml')}\ncheck:\n ` +
        ' skip: [{ operation: listPets, reason: it is being rebuilt }]\n',
    );
    const { code, written } = await run(['check', '--self', '--plan', '--config', config]);
    expect(written.out).toContain(
      'skipped GET /pets: the configuration skips it for good: it is being rebuilt',
    );
    expect(code).toBe(0);
  });

  test('an unreachable server is inconclusive, in one sentence', async () => {
    const { code, written } = await run(['check', 'http://127.0.0.1:1']);
    expect(code).toBe(3);
    expect(written.out).toContain('connection refused');
  });

  test('reports are written to files, beside the one for people', async () => {
    const { code, files, written } = await run([
      'check',
      '--self',
      '--include',
      'listPets',
      '--reporter',
      'json=report.json',
      '--reporter',
      'junit=report.xml',
    ]);
    expect(code).toBe(0);
    expect(written.out).toMatch(/^Passed\. /m);
    expect(written.err).toBe('Report: report.json\nReport: report.xml\n');
    expect(JSON.parse(files.get('report.json') ?? '')).toMatchObject({
      summary: { verdict: 'passed' },
    });
    expect(files.get('report.xml')).toMatch(/^<\?xml/);
  });
});

describe('vouch start', () => {
  test('lints, serves, prints a banner with the address first, and exits on a signal', async () => {
    const io = makeFakeIo();
    const running = main(['start', '--port', '0', '--no-prism'], io);
    await expect.poll(() => io.written.err, { timeout: 20_000 }).toContain('Stop with Ctrl-C.');
    const url = / at (http:\/\/\S+)/.exec(io.written.err)?.[1];
    const answer = await fetch(`${url ?? ''}/pets?limit=3`, {
      headers: { authorization: 'Bearer demo-key' },
    });
    expect(await answer.json()).toHaveLength(3);
    io.stop();
    expect(await running).toBe(0);
    // Nothing else: the log of requests is on stderr only.
    expect(io.written.out).toMatch(
      /^Mocking Pet Store [^\n]* at http\S+\n\n {2}also [\s\S]*\nStop with Ctrl-C\.\n$/,
    );
    expect(io.written.err).toContain(io.written.out);
  });

  test.each<[string, Partial<FakeIo>]>([
    ['stdout is a terminal', { isTTY: { out: true, err: true } }],
    ['both streams go to one file', { sharesOutput: true }],
  ])('prints the banner once if %s', async (_name, streams) => {
    const io: FakeIo = { ...makeFakeIo({ NO_COLOR: '1' }), ...streams };
    const running = main(['mock', '--port', '0'], io);
    await expect.poll(() => io.written.err, { timeout: 20_000 }).toContain('Stop with Ctrl-C');
    io.stop();
    await running;
    expect(io.written.out).toBe('');
  });
});

test('the short help of a command fits a screen', async () => {
  for (const { name } of commands) {
    const { written } = await run([name, '-h']);
    expect(written.out.split('\n').length, name).toBeLessThanOrEqual(40);
  }
});
