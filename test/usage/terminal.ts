import { execFileSync, spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';

/** A real terminal, in which a command runs. */
export interface Terminal {
  /** What stands on its screen, without the blank lines at the end. */
  screen(): string;
  /** Waits until the screen holds a text. */
  until(text: RegExp): Promise<string>;
  /** Presses keys, in tmux's names. */
  press(...keys: readonly string[]): void;
  close(): void;
}

/** Terminals are made by tmux, which is not on every machine. */
export const hasTmux: boolean = spawnSync('tmux', ['-V']).error === undefined;

let made = 0;

/**
 * Opens a terminal of this size and runs a shell's command in it; the shell says `ended CODE` and
 * how the terminal was left.
 */
export function openTerminal(
  size: { readonly width: number; readonly height: number },
  command: string,
  env: Readonly<Record<string, string>> = {},
): Terminal {
  const server = `vouch-test-${String(process.pid)}-${String((made += 1))}`;
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      cwd: packageFolder,
      env: { ...withoutColourWords(), ...env },
    });
  const line = `${command}; echo "ended $?, $(stty -a | grep -o -e '-*icanon')"; exec cat`;
  tmux('new-session', '-d', '-x', String(size.width), '-y', String(size.height), '-s', 'it', line);
  const screen = (): string => tmux('capture-pane', '-p', '-t', 'it').trimEnd();
  return {
    screen,
    until: async (text) => {
      await expect.poll(screen, { timeout: 25_000, interval: 40 }).toMatch(text);
      return screen();
    },
    press: (...keys) => void tmux('send-keys', '-t', 'it', ...keys),
    close: () => void tmux('kill-server'),
  };
}

/** CI has no keys, and tests ask for no colours; these terminals are those of a person. */
function withoutColourWords(): Record<string, string | undefined> {
  const { CI: _ci, NO_COLOR: _no, FORCE_COLOR: _force, ...env } = process.env;
  return env;
}

/** What differs from run to run, written so that the columns stay. */
export function steady(screen: string): string {
  return screen
    .replaceAll(/127\.0\.0\.1:\d+/g, (found) => `127.0.0.1:${'9'.repeat(found.length - 10)}`)
    .replaceAll(/(token )\S+/g, '$1TOKEN')
    .replaceAll(/ *\d+ ms\b/g, ' N ms');
}
