import type { RunningMock } from '../../../library/start-mock.ts';
import { consoleUrl } from '../console-url.ts';
import { chooseScenario } from './choose-scenario.ts';

/** What a key can reach. */
export interface Desk {
  readonly mock: RunningMock;
  /** Columns of the terminal. */
  readonly width: number;
  /** Writes to the person at the terminal. */
  say(text: string): void;
  /** Opens a page; false where there is nothing to open it with. */
  openUrl(url: string): Promise<boolean>;
  /** Stops the mock, in order. */
  stop(): void;
}

/**
 * What takes the next key in the place of the table; it answers what takes the one after that, or
 * nothing: the table again.
 */
export type KeyMode = (key: string) => KeyMode | undefined;

/** A key of a running mock, and what it does. */
export interface MockKey {
  readonly key: string;
  /** For the help, behind the key. */
  readonly does: string;
  press(desk: Desk): Promise<KeyMode | void> | KeyMode | void;
}

/** Every key, in the order of the help. */
export const mockKeys: readonly MockKey[] = [
  { key: 'h', does: 'show these keys', press: ({ say }) => say(keyHelp()) },
  { key: 'o', does: 'open the console in the browser', press: openConsole },
  { key: 'r', does: 'reset the records, the steps of scenarios and the journal', press: reset },
  { key: 's', does: 'switch scenarios on and off', press: chooseScenario },
  { key: 'c', does: 'clear the screen', press: ({ say }) => say('\u001b[2J\u001b[3J\u001b[H') },
  { key: 'q', does: 'stop the mock', press: ({ stop }) => stop() },
];

function keyHelp(): string {
  return `\n${mockKeys.map(({ key, does }) => `  ${key}  ${does}\n`).join('')}\n`;
}

async function openConsole({ mock, openUrl, say }: Desk): Promise<void> {
  const url = consoleUrl(mock);
  say(
    (await openUrl(url))
      ? `Opened ${url}\n`
      : `No browser can be opened from here. The console is at\n  ${url}\n`,
  );
}

async function reset({ mock, say }: Desk): Promise<void> {
  await mock.reset();
  say('Reset: the records it started with, scenarios at their first step, no journal.\n');
}
