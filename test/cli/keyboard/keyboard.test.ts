import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { isForegroundOf, type KeyInput, keysOf, makeKeyboard } from '../../../src/cli/keyboard.ts';

test.each<[string, string, string[]]>([
  ['characters', 'hé🙂', ['h', 'é', '🙂']],
  ['keys with a name', '\r\n\u007f\u001b', ['enter', 'enter', 'backspace', 'escape']],
  ['those that a terminal obeys elsewhere', '\u0003\u001a', ['ctrl-c', 'ctrl-z']],
  ['arrows and function keys are none', '\u001b[A\u001bOP\u001b[15~q', ['q']],
  ['what has no name is none', '\u0001\u0000\t', []],
])('%s', (_name, text, keys) => {
  expect(keysOf(text)).toEqual(keys);
});

function world({ foreground = true } = {}) {
  const log: string[] = [];
  const emitter = new EventEmitter();
  const input: KeyInput = Object.assign(emitter, {
    setRawMode: (raw: boolean) => log.push(raw ? 'raw' : 'as it was'),
    setEncoding: () => undefined,
    resume: () => undefined,
    pause: () => log.push('paused'),
  });
  let isForeground = foreground;
  let goOn: (() => void) | undefined;
  const keyboard = makeKeyboard({
    input,
    interrupt: () => log.push('interrupted'),
    suspend: () => log.push('suspended'),
    whenContinued: (callback) => {
      goOn = callback;
      return () => {
        goOn = undefined;
      };
    },
    isForeground: () => isForeground,
  });
  return {
    log,
    keyboard,
    type: (text: string) => void emitter.emit('data', text),
    fail: () => void emitter.emit('error', new Error('EIO')),
    continueIn: (where: boolean) => {
      isForeground = where;
      goOn?.();
    },
  };
}

describe('a terminal in raw mode', () => {
  test('is raw while keys are read, and restored afterwards', () => {
    const { log, keyboard, type } = world();
    const stop = keyboard.listen((key) => log.push(key));
    type('hq');
    stop();
    type('x');
    stop();
    expect(log).toEqual(['raw', 'h', 'q', 'as it was', 'paused']);
  });

  test(
    'Ctrl-C interrupts; Ctrl-Z gives the terminal back, stops, and takes it ' +
      'again when it goes on',
    () => {
      const { log, keyboard, type, continueIn } = world();
      keyboard.listen((key) => log.push(key));
      type('\u0003\u001aignored');
      continueIn(true);
      type('h');
      expect(log).toEqual(['raw', 'interrupted', 'as it was', 'paused', 'suspended', 'raw', 'h']);
    },
  );

  test('is not changed from the background, which would stop the process', () => {
    const { log, keyboard, continueIn } = world({ foreground: false });
    const stop = keyboard.listen((key) => log.push(key));
    continueIn(false);
    expect(log).toEqual([]);
    continueIn(true);
    stop();
    continueIn(true);
    expect(log).toEqual(['raw', 'as it was', 'paused']);
  });

  test('a closed terminal is released', () => {
    const { log, keyboard, fail } = world();
    keyboard.listen((key) => log.push(key));
    fail();
    expect(log).toEqual(['raw', 'as it was', 'paused']);
  });
});

test.each([
  ['4242 (node) S 1 4242 4242 34816 4242 0', true],
  ['4242 (a) b (c)) S 1 4242 4000 34816 4000 0', false],
  ['4242 (node) S 1 4242 4242 0 -1 0', false],
])('%s is in the foreground: %s', (stat, is) => {
  expect(isForegroundOf(stat)).toBe(is);
});
