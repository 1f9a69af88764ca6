import { describe, expect, test } from 'vitest';
import { fleet, type FleetQuirk } from './fixture/fleet.ts';
import { alarms, findingsOf } from './fixture/inline-service.ts';

async function alarmsOf(quirk?: FleetQuirk): Promise<string[]> {
  const { contract, service } = fleet(quirk);
  return alarms(await findingsOf(contract, service));
}

describe('depots with vehicles, batches and custom methods', () => {
  test('raise no alarm if they are sound', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<readonly [FleetQuirk, RegExp]>([
    ['lists nothing across depots', /error parent-holds ListVehicles.*lacks the record/],
    ['ignores the chosen name', /error chosen-id-holds CreateDepot: .* with the depot_id/],
    ['replaces what has the chosen name', /error chosen-id-holds CreateDepot.*of another record/],
    ['shows a batch in the order of creation', /error batch-read-holds .*another order/],
    ['leaves out what is not there', /error batch-read-holds .*a deleted one/],
    ['reads vehicles of other depots', /error batch-read-holds .*of another parent/],
    ['makes half of a batch', /error bulk-holds .*made a record of it/],
    ['takes any parent in a batch', /error bulk-holds .*another record than that of the path/],
    ['takes a batch of any length', /error bulk-holds .*6 entries, more than 5/],
    ['takes a plate twice in a batch', /error bulk-holds .*two entries have one plate/],
    ['counts no batch', /error shown-twice-agrees .*vehicle_count is 0 instead of 3/],
    ['retires a retired one', /error states-hold RetireVehicle.*refused for the state/],
    ['notes no moment', /error states-hold RetireVehicle.*no retire_time/],
    ['believes in trials', /error unique-is-kept CreateVehicle.*the plate of another record/],
  ])('are reported if one %s', async (quirk, expected) => {
    expect((await alarmsOf(quirk)).join('\n')).toMatch(expected);
  });
});
