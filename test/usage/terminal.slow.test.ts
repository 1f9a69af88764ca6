import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hasTmux, openTerminal, steady, type Terminal } from './terminal.ts';

const vouch = `'${process.execPath}' bin/vouch.js`;
const open: Terminal[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

function terminal(...given: Parameters<typeof openTerminal>): Terminal {
  const made = openTerminal(...given);
  open.push(made);
  return made;
}

// Without tmux there is no terminal to look at; what is written to one is held by
// test/cli/serve/mock-keys.test.ts.
describe.skipIf(!hasTmux)('vouch mock in a terminal', () => {
  test.each([
    [80, 24],
    [200, 50],
  ])(
    '%i columns, %i rows: banner, requests, keys, and the terminal as it was',
    async (width, height) => {
      const shown = terminal({ width, height }, `${vouch} mock --port 0`);
      const banner = await shown.until(/Stop with Ctrl-C or q; h shows all keys\./);
      expect(banner.split('\n').filter((line) => line.length > width)).toEqual([]);
      const base = /(http:\/\/127\.0\.0\.1:\d+)/.exec(banner)?.[1] ?? '';
      await (
        await fetch(`${base}/v1/pets?limit=0`, { headers: { authorization: 'Bearer demo-key' } })
      ).text();
      await shown.until(/400 +\d+ ms/);
      shown.press('h');
      await shown.until(/q {2}stop the mock/);
      shown.press('s');
      await shown.until(/Escape cancels\):/);
      shown.press('1', '1');
      await shown.until(/slow-list is on for every request/);
      shown.press('r');
      const before = await shown.until(/Reset:/);
      expect(steady(before.slice(before.indexOf('Number of')))).toMatchInlineSnapshot(`
        "Number of the scenario to switch on or off, then Enter (Escape cancels): 11
        slow-list is on for every request; press s to switch it off.
        Reset: initial records, scenarios at their first step, empty journal."
      `);
      shown.press('q');
      const after = await shown.until(/ended 0/);
      expect(after).toMatch(/Stopping after the requests in flight\.\n+ended 0, icanon$/);
    },
  );

  test('Ctrl-Z suspends it and releases the terminal; Ctrl-C ends it', async () => {
    const shown = terminal(
      { width: 80, height: 24 },
      `bash --norc -i -c 'set -m; ${vouch.replaceAll("'", '"')} mock --port 0; ` +
        `stty -a | grep -o -e "-*icanon"; fg'`,
    );
    await shown.until(/h shows all keys/);
    shown.press('C-z');
    await shown.until(/\nicanon\n/);
    shown.press('h');
    await shown.until(/q {2}stop the mock/);
    shown.press('C-c');
    expect(await shown.until(/ended \d/)).toMatch(
      /Stopping after the requests in flight\.\n+ended 0, icanon$/,
    );
  });
});

describe.skipIf(!hasTmux)('vouch check in a terminal, on a server that answers 500', () => {
  const state = mkdtempSync(join(tmpdir(), 'vouch-terminal-'));
  let server: Server;
  let url = '';
  beforeAll(async () => {
    server = createServer((_request, response) =>
      response
        .writeHead(500, { 'content-type': 'application/json' })
        .end('{"code":"internal","message":"Cannot read properties of undefined","status":500}'),
    );
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`;
  });
  afterAll(async () => {
    rmSync(state, { recursive: true, force: true });
    await new Promise((resolve) => server.close(resolve));
  });

  test('80 columns: no line is broken by the terminal, and the command can be pasted', async () => {
    const shown = terminal(
      { width: 80, height: 120 },
      `${vouch} check ${url} --include listPets --only no-server-error --mode read-only --verbose`,
      { VOUCH_TOKEN: 'demo-key', VOUCH_STATE_DIR: state },
    );
    const screen = await shown.until(/ended \d/);
    expect(screen).toMatch(/ended 1, icanon$/);
    const block = screen.slice(
      screen.indexOf('openapi/petstore.v1.yaml:', screen.indexOf('1) error no-server-error')),
      screen.search(/(?:npx )?vouch replay/),
    );
    expect(steady(block)).toMatchInlineSnapshot(`
      "openapi/petstore.v1.yaml:103:7
               101 |           examples:
               102 |             forSale: { summary: Only what can be had today, valu…
             > 103 |       responses:
                   |       ^
               104 |         '200':
               105 |           description: Success

           GET http://127.0.0.1:99999/v1/pets
           500 · application/json · 80 bytes · N ms
           | {"code":"internal","message":"Cannot read properties of undefined",
           |   "status":500}

           reproduce:
           curl -sS -i --path-as-is 'http://127.0.0.1:99999/v1/pets' \\
             -H 'Accept: application/json' -H "Authorization: Bearer $VOUCH_TOKEN"
           "
    `);
    expect(
      block
        .split('\n')
        .filter((line) => /^\S/.test(line))
        .slice(1),
    ).toEqual([]);
  });
});
