import type { RunningMock } from '../../library/start-mock.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { fitText } from '../../text/wrap-text.ts';
import type { Keyboard } from '../io.ts';

/** The dependencies of the keys of a running mock. */
export interface CliContext {
  readonly mock: RunningMock;
  /** Columns of the terminal. */
  readonly width: number;
  /** Prints to the terminal. */
  say(text: string): void;
  /** Opens a page; returns false if there is no browser. */
  openUrl(url: string): Promise<boolean>;
  /** Stops the mock gracefully. */
  stop(): void;
}

/**
 * Handles the next key instead of the table. Returns the handler of the key after it, or undefined
 * for the table.
 */
export type KeyMode = (key: string) => KeyMode | undefined;

/** A key of a running mock and its action. */
export interface MockKey {
  readonly key: string;
  /** The description in the help. */
  readonly does: string;
  press(context: CliContext): Promise<KeyMode | void> | KeyMode | void;
}

/** Every key, in the order of the help. */
export const mockKeys: readonly MockKey[] = [
  { key: 'h', does: 'show these keys', press: ({ say }) => say(keyHelp()) },
  { key: 'o', does: 'open the console in the browser', press: openConsole },
  { key: 'r', does: 'reset records, scenario steps and journal', press: reset },
  { key: 's', does: 'switch scenarios on and off', press: chooseScenario },
  { key: 'c', does: 'clear the screen', press: ({ say }) => say('\u001b[2J\u001b[3J\u001b[H') },
  { key: 'q', does: 'stop the mock', press: ({ stop }) => stop() },
];

function keyHelp(): string {
  return `\n${mockKeys.map(({ key, does }) => `  ${key}  ${does}\n`).join('')}\n`;
}

async function openConsole({ mock, openUrl, say }: CliContext): Promise<void> {
  // Command lines are no secret on this machine.
  if (await openUrl(mock.consoleLink({ brief: true }))) return say(`Opened ${mock.controlUrl}/\n`);
  say(`Cannot open a browser here. This link opens the console once:\n  ${mock.consoleLink()}\n`);
}

async function reset({ mock, say }: CliContext): Promise<void> {
  await mock.reset();
  say('Reset: initial records, scenarios at their first step, empty journal.\n');
}

/** Lists the scenarios by number and reads the number of the one to switch. */
function chooseScenario(context: CliContext): KeyMode | void {
  const names = context.mock.prepared.scenarios.map(({ name }) => name);
  if (names.length === 0)
    return context.say(
      'There are no scenarios. Put them into the folder that mock.scenarios in ' +
        'vouch.config.yaml names.\n',
    );
  context.say(
    `\n${listScenarios(context)}\nNumber of the scenario to switch on or off, ` +
      'then Enter (Escape cancels): ',
  );
  return readNumber(context, names, '');
}

function listScenarios({ mock, width }: CliContext): string {
  const { scenarios, mock: inner } = mock.prepared;
  const on = inner.scenarios.active();
  const digits = String(scenarios.length).length;
  const columns = Math.max(...scenarios.map(({ name }) => name.length));
  const rows = scenarios.map(({ name, description }, index) => {
    const prefix =
      `  ${String(index + 1).padStart(digits)}  ` +
      `${on.includes(name) ? 'on ' : 'off'}  ${name.padEnd(columns)}  `;
    return fitText(`${prefix}${cleanLine(description)}`, width);
  });
  return rows.map((row) => `${row}\n`).join('');
}

/** Collects digits until Enter, or until no longer number starts with them. */
function readNumber(context: CliContext, names: readonly string[], typed: string): KeyMode {
  return (key) => {
    if (key === 'backspace' && typed !== '') {
      context.say('\b \b');
      return readNumber(context, names, typed.slice(0, -1));
    }
    if (/^\d$/.test(key)) {
      context.say(key);
      const longer = `${typed}${key}`;
      return Number(longer) * 10 > names.length || Number(longer) === 0
        ? toggle(context, names, longer)
        : readNumber(context, names, longer);
    }
    if (key === 'enter' && typed !== '') return toggle(context, names, typed);
    context.say('\nNo scenario changed.\n');
    return undefined;
  };
}

function toggle({ mock, say }: CliContext, names: readonly string[], typed: string): undefined {
  const name = names[Number(typed) - 1];
  if (name === undefined) {
    say(
      `\nThere is no scenario ${typed}: choose from 1 to ` +
        `${String(names.length)}. Press s to list them again.\n`,
    );
    return undefined;
  }
  const isOn = mock.prepared.mock.scenarios.active().includes(name);
  if (isOn) mock.deactivate(name);
  else mock.activate(name);
  say(`\n${name} is ${isOn ? 'off' : 'on for every request; press s to switch it off'}.\n`);
  return undefined;
}

/**
 * Handles keys one after the other until it is stopped. Errors are printed, and the mock continues.
 */
export function takeKeys(
  keyboard: Keyboard,
  context: CliContext,
  onFault: (fault: unknown) => void,
): () => void {
  let mode: KeyMode | undefined;
  let before: Promise<void> = Promise.resolve();
  const act = async (key: string): Promise<void> => {
    const given = mode;
    mode = undefined;
    // Enter prints an empty line, as in a shell, to separate output.
    if (given === undefined && key === 'enter') return context.say('\n');
    const next =
      given === undefined
        ? await mockKeys.find((known) => known.key === key.toLowerCase())?.press(context)
        : given(key);
    mode = next ?? undefined;
  };
  return keyboard.listen((key) => {
    before = before.then(() => act(key)).catch(onFault);
  });
}
