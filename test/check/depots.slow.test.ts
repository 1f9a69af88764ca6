import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { depotDocument, type DepotQuirk, depots } from './fixture/depots.ts';
import { alarms, findingsOf } from './fixture/inline-service.ts';
import { noticeEach } from './fixture/notice-each.ts';

async function alarmsOf(quirks: readonly DepotQuirk[]): Promise<string[]> {
  const { contract, service } = depots(...quirks);
  return alarms(await findingsOf(contract, service));
}

describe('a service in the style of the AIPs', () => {
  test('raises no alarm if it is sound', async () => {
    expect(await alarmsOf([])).toEqual([]);
  });

  test('gets back the etags that it showed, and no other', async () => {
    const { contract, service } = depots();
    const sent = new Set<string>();
    await findingsOf(contract, (call) => {
      const found = /"etag": ?"([^"]*)"/.exec(call.body)?.[1] ?? call.query.get('etag');
      if (found !== null) sent.add(found);
      return service(call);
    });
    expect([...sent].filter((etag) => !/^t\d+$/.test(etag) && !/[%\ufffd]/.test(etag))).toEqual([]);
    expect(sent.size).toBeGreaterThanOrEqual(4);
  });

  test('gets no made-up mask, and one of the body where it requires a mask', async () => {
    const text = JSON.stringify(depotDocument);
    const required = text.replace('"name":"update_mask"', '"required":true,"name":"update_mask"');
    const contract = parseContract(required, 'depots.json');
    const { service } = depots();
    const masks: string[] = [];
    const findings = await findingsOf(contract, (call) => {
      const mask = call.query.get('update_mask');
      if (call.method === 'PATCH' && mask === null) return { status: 400, json: {} };
      if (mask !== null) masks.push(mask);
      return service(call);
    });
    expect(alarms(findings)).toEqual([]);
    const known = ['display_name', 'capacity', 'note', 'kind', 'address', 'address.city'];
    const isKnown = (mask: string): boolean =>
      mask.split(',').every((name) => known.includes(name));
    expect(masks.filter(isKnown).length).toBeGreaterThan(20);
    expect(masks.filter((mask) => mask === known.slice(0, 5).join(',')).length).toBeGreaterThan(1);
  });

  test('has to show what is deleted where its read says so', async () => {
    const text = JSON.stringify(depotDocument);
    const says = '"operationId":"GetDepot","description":"Gets a depot, even if deleted."';
    const contract = parseContract(text.replace('"operationId":"GetDepot"', says), 'depots.json');
    const found = alarms(await findingsOf(contract, depots('reads nothing deleted').service));
    expect(found).toEqual([expect.stringMatching(/error soft-delete-holds GetDepot.*404/)]);
  });

  noticeEach<DepotQuirk>(
    'is reported if it %s',
    [
      [
        ['changes nothing under a mask', /error mask-holds .*did not change it/],
        [
          'refuses fields of the service in a mask',
          /error mask-holds UpdateDepot.*refused with 400 because its mask names create_time/,
        ],
        ['ignores the read mask', /error projection-holds (Get|List)Depots?.*shows .* too/],
        ['keeps its etag', /error body-tag-holds .*etag of a record stayed .* was changed/],
        ['forgets request ids', /error created-once CreateDepot/],
        ['takes an update without a body', /warning invalid-refused UpdateDepot.*there is no body/],
        ['stores what it only validates', /error trial-holds .*stored a record/],
        ['changes what it only validates', /error trial-holds .*changed the/],
        ['lists what is deleted', /error (deleted-is-gone|soft-delete-holds) .*still has it/],
      ],
      [
        ['ignores the mask', /error mask-holds .* changed .* too/],
        ['takes any mask', /warning mask-holds UpdateDepot.*accepted/],
        ['takes a stale etag', /error body-tag-holds UpdateDepot.*may be lost/],
        ['refuses a repeated request', /warning created-once CreateDepot.*answered 409/],
        ['deletes what it only validates', /error trial-holds .*deleted a record/],
        ['never shows what is deleted', /error soft-delete-holds .*lacks it/],
        ['reads nothing deleted', /warning soft-delete-holds GetDepot.*answered 404 for it/],
        ['loses fields in a deletion', /error soft-delete-holds .*another capacity/],
      ],
      [
        ['keeps what a mask clears', /error mask-holds .*with a mask that names it, left it/],
        [
          'gives the name of a deleted one away',
          /error chosen-id-holds CreateDepot.*depot_id is that of a record that is deleted softly/,
        ],
        ['refuses its own etag', /error body-tag-holds UpdateDepot.*409.*last read/],
        ['stores what a stale etag refuses', /error body-tag-holds .*refused \(409\).*was stored/],
        ['restores nothing', /error soft-delete-holds .*still deleted/],
      ],
      [
        [
          'replaces an address under the mask of its city',
          /error mask-holds .*names only address.city changed address.street too/,
        ],
        ['takes a stale etag in a deletion', /error body-tag-holds DeleteDepot.*may be lost/],
      ],
      [['merges under the mask *', /error mask-holds .*did not replace the record/]],
    ],
    alarmsOf,
  );

  test('owes what the AIPs require only if it says that it follows them', async () => {
    const { service } = depots('merges under the mask *');
    const { description: _left, ...info } = depotDocument.info;
    const contract = parseContract(JSON.stringify({ ...depotDocument, info }), 'depots.json');
    expect(alarms(await findingsOf(contract, service)).join('\n')).toMatch(
      /^warning mask-holds .*did not replace the record/m,
    );
  });
});
