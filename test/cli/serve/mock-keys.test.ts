import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { mockKeys } from '../../../src/cli/serve/mock-keys.ts';
import { makeFakeIo } from '../fake-io.ts';
import { makeFakeKeyboard } from '../fake-keyboard.ts';

/** The first start loads everything. */
const patient = { timeout: 20_000 };
const opened: string[] = [];
let canOpen = true;
const io = {
  ...makeFakeIo(),
  isTTY: { out: true, err: true },
  keyboard: makeFakeKeyboard(),
  openUrl: async (url: string) => {
    opened.push(url);
    return canOpen;
  },
};
const { keyboard, written } = io;
let running: Promise<number>;
let origin = '';

beforeEach(async () => {
  written.err = '';
  running = main(['mock', '--port', '0'], { ...io, env: { NO_COLOR: '1' } });
  await expect.poll(() => keyboard.isListening(), patient).toBe(true);
  origin = / at (http:\/\/[^/]+)/.exec(written.err)?.[1] ?? '';
});
afterEach(async () => {
  keyboard.press('q');
  expect(await running).toBe(0);
  expect(keyboard.isListening()).toBe(false);
});

function said(text: string | RegExp): Promise<void> {
  return typeof text === 'string'
    ? expect.poll(() => written.err, patient).toContain(text)
    : expect.poll(() => written.err, patient).toMatch(text);
}

async function pets(): Promise<number> {
  const answer = await fetch(`${origin}/v1/pets`, {
    headers: { authorization: 'Bearer demo-key' },
  });
  await answer.text();
  return answer.status;
}

describe('the keys of a running mock', () => {
  test('h lists every key, in any case, and the banner lists h and q', async () => {
    expect(written.err).toContain('Stop with Ctrl-C or q; h shows all keys.');
    keyboard.press('H');
    await said(mockKeys.map(({ key, does }) => `  ${key}  ${does}\n`).join(''));
  });

  test('s lists the scenarios; a number activates and deactivates one', async () => {
    keyboard.press('s');
    await said(/ {3}1 {2}off {2}after-removal +The day after the removal/);
    expect(written.err.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const number = /(\d+) {2}off {2}list-fails-twice/.exec(written.err)?.[1] ?? '';
    keyboard.press(...number);
    await said('list-fails-twice is on for every request');
    expect(await pets()).toBe(503);
    await said(/^\S+ 503 +\d+ ms {2}GET {5}\/v1\/pets {2}listPets · scenario list-fails-twice/m);
    keyboard.press('s', ...number);
    await said('list-fails-twice is off.');
    expect(await pets()).toBe(200);
  });

  test(
    'a number of two digits takes both; Enter takes a shorter one, Backspace ' +
      'takes one back, Escape leaves',
    async () => {
      keyboard.press('s', '1', '3');
      await said('truncated-list is on');
      keyboard.press('s', '1', 'backspace', '1', 'enter');
      await said('after-removal is on');
      keyboard.press('s', '0');
      await said('There is no scenario 0: choose from 1 to 13. Press s to list them again.');
      keyboard.press('s', 'escape', 'x', 'h');
      await said(/No scenario changed\.\n\n {2}h /);
    },
  );

  test('r resets the records', async () => {
    const authorization = 'Bearer demo-key';
    const list = async (): Promise<string> =>
      (await fetch(`${origin}/v1/pets?limit=100`, { headers: { authorization } })).text();
    const before = await list();
    await fetch(`${origin}/v1/pets`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
    });
    expect(await list()).not.toBe(before);
    keyboard.press('r');
    await said('Reset:');
    expect(await list()).toBe(before);
  });

  test('o opens the console by a new link each time, or prints one', async () => {
    keyboard.press('o');
    await said(`Opened ${origin}/__vouch/\n`);
    canOpen = false;
    keyboard.press('o');
    await said('Cannot open a browser here. This link opens the console once:\n');
    const links = [...opened, ...written.err.matchAll(/http\S+\/open\/\w+/g)].map(String);
    expect(new Set(links).size).toBe(5);
    for (const link of links) expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
    // What opens a page stands in a command line, and in no log.
    expect(written.err).not.toContain(opened[0]);
  });

  test('a refused request shows the reason, on the next line if necessary', async () => {
    await fetch(`${origin}/v1/pets?limit=0`, { headers: { authorization: 'Bearer demo-key' } });
    await said(/^\S+ 400 +\d+ ms {2}GET {5}\/v1\/pets\?limit=0 {2}listPets\n {31}\S.*limit/m);
  });
});

test('without a keyboard, no keys are listed', async () => {
  const plain = makeFakeIo();
  const serving = main(['mock', '--port', '0'], plain);
  await expect.poll(() => plain.written.err, patient).toContain('Stop with Ctrl-C.');
  plain.stop();
  expect(await serving).toBe(0);
});
