import { cleanLine } from '../../../text/safe-text.ts';
import { fitText } from '../../../text/wrap-text.ts';
import type { Desk, KeyMode } from './mock-keys.ts';

/** Lists the scenarios with their numbers, and takes the number of the one to be switched. */
export function chooseScenario(desk: Desk): KeyMode | void {
  const names = desk.mock.prepared.scenarios.map(({ name }) => name);
  if (names.length === 0)
    return desk.say(
      'There are no scenarios. They are files in the folder that mock.scenarios of vouch.config.yaml names.\n',
    );
  desk.say(
    `\n${listScenarios(desk)}\nNumber of the scenario to switch on or off, then Enter; Escape leaves: `,
  );
  return readNumber(desk, names, '');
}

function listScenarios({ mock, width }: Desk): string {
  const { scenarios, mock: inner } = mock.prepared;
  const on = inner.scenarios.active();
  const digits = String(scenarios.length).length;
  const columns = Math.max(...scenarios.map(({ name }) => name.length));
  const rows = scenarios.map(({ name, description }, index) => {
    const prefix = `  ${String(index + 1).padStart(digits)}  ${on.includes(name) ? 'on ' : 'off'}  ${name.padEnd(columns)}  `;
    return fitText(`${prefix}${cleanLine(description)}`, width);
  });
  return rows.map((row) => `${row}\n`).join('');
}

/** Digits are gathered until Enter, or until no longer number of the list begins with them. */
function readNumber(desk: Desk, names: readonly string[], typed: string): KeyMode {
  return (key) => {
    if (key === 'backspace' && typed !== '') {
      desk.say('\b \b');
      return readNumber(desk, names, typed.slice(0, -1));
    }
    if (/^\d$/.test(key)) {
      desk.say(key);
      const longer = `${typed}${key}`;
      return Number(longer) * 10 > names.length || Number(longer) === 0
        ? toggle(desk, names, longer)
        : readNumber(desk, names, longer);
    }
    if (key === 'enter' && typed !== '') return toggle(desk, names, typed);
    desk.say('\nNo scenario was switched.\n');
    return undefined;
  };
}

function toggle({ mock, say }: Desk, names: readonly string[], typed: string): undefined {
  const name = names[Number(typed) - 1];
  if (name === undefined) {
    say(
      `\nThere is no scenario ${typed}: the numbers go from 1 to ${String(names.length)}. Press s to see them again.\n`,
    );
    return undefined;
  }
  const isOn = mock.prepared.mock.scenarios.active().includes(name);
  if (isOn) mock.deactivate(name);
  else mock.activate(name);
  say(`\n${name} is ${isOn ? 'off' : 'on for every request; press s to switch it off'}.\n`);
  return undefined;
}
