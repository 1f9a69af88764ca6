import type { Mock } from '../mock.ts';

/**
 * Makes a new mock stand where the old one stood: its clock, and the scenarios that were switched
 * on and off while it ran.
 */
export async function carryOver(before: Mock, next: Mock): Promise<void> {
  const { setting } = before.clock;
  if (setting.kind === 'fixed') next.clock.fix(setting.at);
  if (setting.kind === 'offset') next.clock.shift(setting.milliseconds);
  for (const session of [undefined, ...(await before.sessions())])
    carrySwitches(before, next, session);
}

function carrySwitches(before: Mock, next: Mock, session: string | undefined): void {
  const on = before.scenarios.active(session);
  const known = new Set(before.scenarios.names);
  for (const name of next.scenarios.active(session)) {
    if (known.has(name) && !on.includes(name)) next.scenarios.deactivate(name, session);
  }
  // Switched on in reverse, because the last one that is switched on is asked first.
  for (const name of on.toReversed()) {
    if (next.scenarios.names.includes(name) && !next.scenarios.active(session).includes(name))
      next.scenarios.activate(name, session);
  }
}
