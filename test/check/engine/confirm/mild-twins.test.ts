import { expect, test } from 'vitest';
import type { ConfirmedGroup } from '../../../../src/check/engine/confirm/confirm.ts';
import { withoutMildTwins } from '../../../../src/check/engine/run/run-events.ts';

/** A group about some exchanges, which are named. */
const exchanges = new Map<string, object>();
function group(severity: 'error' | 'note', ...names: string[]): ConfirmedGroup {
  const suspicions = names.map((name) => {
    const exchange = exchanges.get(name) ?? { name };
    exchanges.set(name, exchange);
    const check = { id: 'status-documented' };
    return {
      check,
      violation: { message: name },
      steps: [{ exchange }],
      sequence: { cases: [name] },
    };
  });
  const [first] = suspicions;
  const confirmation = { severity, ...first };
  return { group: { suspicions, violation: first?.violation }, confirmation } as never;
}

const shown = (groups: readonly ConfirmedGroup[]): string[] =>
  groups.map(
    ({ group: { suspicions, violation }, confirmation }) =>
      `${confirmation.severity ?? ''} ${violation.message} of ${String(suspicions.length)}`,
  );

test('one exchange is not an error in one finding and a note in another', () => {
  const groups = [group('error', 'a', 'b'), group('note', 'b'), group('note', 'c')];
  expect(shown(withoutMildTwins(groups))).toEqual(['error a of 2', 'note c of 1']);
});

test('a note about several exchanges shows another one', () => {
  const groups = [group('error', 'a'), group('note', 'a', 'd', 'e')];
  expect(shown(withoutMildTwins(groups))).toEqual(['error a of 1', 'note d of 2']);
});
