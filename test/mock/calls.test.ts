import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseGivenFixtures } from '../../src/config/parse-fixtures.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { voyages } from './voyages.ts';
import { bytes, converse, jsonOf, mockOf, send, textOf } from './workshop.ts';

/** Requests in a row, in which `{voyage}` and `{at}` are what the last answer that has it shows. */
async function converseOn(
  contract: Contract,
  requests: readonly (readonly [line: string, sending?: { body: JsonObject }])[],
): Promise<string> {
  const mock = await mockOf({ contract, seedRecords: 2 });
  const known = new Map<string, string>();
  const fill = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (all, name: string) => known.get(name) ?? all);
  const lines: string[] = [];
  for (const [line, sending] of requests) {
    const body = sending && (JSON.parse(fill(JSON.stringify(sending.body))) as JsonObject);
    const answer = await send(mock, fill(line), body === undefined ? {} : { body });
    lines.push(`${fill(line)} → ${textOf(answer)}`);
    const { voyage, at } = jsonOf(answer) as Record<string, unknown>;
    const id = typeof voyage === 'string' ? voyage : (voyage as { id?: string } | undefined)?.id;
    if (id !== undefined) known.set('voyage', id);
    if (typeof at === 'string') known.set('at', at);
  }
  return lines.join('\n');
}

const crates = fileURLToPath(new URL('contracts/crates.yaml', import.meta.url));

test('calls keep records, by identifiers in their queries and bodies', async () => {
  const mock = await mockOf({ contract: await loadContract(crates) });
  const said = await converse(mock, [
    ['POST /rpc/crates.add', { body: { label: 'pears' } }],
    ['GET /rpc/crates.get?crate=made-1'],
    [
      'POST /rpc/crates.add',
      { body: bytes('label=plums'), type: 'application/x-www-form-urlencoded' },
    ],
    ['GET /rpc/crates.list?size=1'],
    ['GET /rpc/crates.list?size=1&after=offset-1'],
    ['POST /rpc/crates.seal', { body: { crate: 'made-1' } }],
    ['GET /rpc/crates.get?crate=made-1'],
    ['POST /rpc/crates.delete', { body: { crate: 'made-1' } }],
    ['GET /rpc/crates.list'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /rpc/crates.add → 200 {"success":true,"crate":{"id":"made-1","label":"pears",
      ↳"is_fragile":false}}
    GET /rpc/crates.get?crate=made-1 → 200 {"success":true,"crate":{"id":"made-1",
      ↳"label":"pears","is_fragile":false}}
    POST /rpc/crates.add → 200 {"success":true,"crate":{"id":"made-2","label":"plums",
      ↳"is_fragile":false}}
    GET /rpc/crates.list?size=1 → 200 {"success":true,"crates":[{"id":"made-1",
      ↳"label":"pears","is_fragile":false}],"meta":{"next_cursor":"offset-1"}}
    GET /rpc/crates.list?size=1&after=offset-1 → 200 {"success":true,
      ↳"crates":[{"id":"made-2","label":"plums","is_fragile":false}]}
    POST /rpc/crates.seal → 200 {"success":true}
    GET /rpc/crates.get?crate=made-1 → 200 {"success":true,"crate":{"id":"made-1",
      ↳"label":"pears","is_fragile":false,"is_sealed":true}}
    POST /rpc/crates.delete → 200 {"success":true}
    GET /rpc/crates.list → 200 {"success":true,"crates":[{"id":"made-2","label":"plums",
      ↳"is_fragile":false}]}"
  `);
});

test('fixtures are records of what calls are about', async () => {
  const contract = await loadContract(crates);
  const crate = { id: 'c1', label: 'pears', is_fragile: true };
  const mock = await mockOf({
    contract,
    fixtures: parseGivenFixtures({ crates: [crate] }, contract),
  });
  expect(await converse(mock, [['GET /rpc/crates.get?crate=c1']])).toBe(
    'GET /rpc/crates.get?crate=c1 → ' +
      '200 {"success":true,"crate":{"id":"c1","label":"pears","is_fragile":true}}',
  );
});

test('a refusal has the code that the contract states for it', async () => {
  const mock = await mockOf({ contract: await loadContract(crates) });
  const said = await converse(mock, [
    ['POST /rpc/crates.add', { body: { label: 'pears' } }],
    ['POST /rpc/crates.add', { body: { label: 'pears' } }],
    ['POST /rpc/crates.add', { body: { label: 'No Spaces' } }],
    ['POST /rpc/crates.add', { body: {} }],
    ['POST /rpc/crates.add', { body: { label: 'figs', note: 'More than eight' } }],
    ['GET /rpc/crates.list?size=0'],
    ['GET /rpc/crates.list?size=51'],
    ['GET /rpc/crates.list?size=many'],
    ['GET /rpc/crates.list?after=nothing'],
    ['GET /rpc/crates.get?crate=none'],
    ['POST /rpc/crates.seal', { body: { crate: 'made-1' } }],
    ['POST /rpc/crates.seal', { body: { crate: 'made-1' } }],
    ['POST /rpc/crates.relabel', { body: { crate: 'made-1', label: 'quinces' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /rpc/crates.add → 200 {"success":true,"crate":{"id":"made-1","label":"pears",
      ↳"is_fragile":false}}
    POST /rpc/crates.add → 200 {"success":false,"reason":"label_taken"}
    POST /rpc/crates.add → 200 {"success":false,"reason":"invalid_label",
      ↳"meta":{"messages":["\`label\` in the body must match the pattern ^[a-z-]{1,20}$,
      ↳ but is \`No Spaces\`. [json-pointer:/label]"]}}
    POST /rpc/crates.add → 200 {"success":false,"reason":"bad_input",
      ↳"meta":{"messages":["The body must have the property label.
      ↳ [json-pointer:/label]"]}}
    POST /rpc/crates.add → 200 {"success":false,"reason":"bad_input",
      ↳"meta":{"messages":["\`note\` in the body must have 8 characters or fewer, but is
      ↳ \`More than eight\`. [json-pointer:/note]"]}}
    GET /rpc/crates.list?size=0 → 200 {"success":false,"reason":"too_small",
      ↳"meta":{"messages":["\`size\` in the query must be 1 or more, but is \`0\`."]}}
    GET /rpc/crates.list?size=51 → 200 {"success":false,"reason":"size_too_large",
      ↳"meta":{"messages":["\`size\` in the query must be 50 or less, but is \`51\`."]}}
    GET /rpc/crates.list?size=many → 200 {"success":false,"reason":"bad_input",
      ↳"meta":{"messages":["\`size\` in the query must be an integer, but is \`many\`."]}}
    GET /rpc/crates.list?after=nothing → 200 {"success":false,"reason":"invalid_after",
      ↳"meta":{"messages":["\`after\` in the query must be one that this list gave, but is
      ↳ \`nothing\`."]}}
    GET /rpc/crates.get?crate=none → 200 {"success":false,"reason":"crate_not_found"}
    POST /rpc/crates.seal → 200 {"success":true}
    POST /rpc/crates.seal → 200 {"success":false,"reason":"already_sealed"}
    POST /rpc/crates.relabel → 200 {"success":false,"reason":"is_sealed"}"
  `);
});

test('identifiers that a list takes bounds for say in which order records were made', async () => {
  const said = await converseOn(voyages, [
    ['POST /voyages.begin', { body: { title: 'North' } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Calm' } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Wind' } }],
    ['GET /voyages.log?voyage={voyage}'],
    ['GET /voyages.log?voyage={voyage}&oldest={at}&inclusive=true'],
    ['GET /voyages.log?voyage={voyage}&latest={at}'],
    ['POST /log.update', { body: { voyage: '{voyage}', at: '{at}', words: 'Storm' } }],
    ['POST /log.delete', { body: { voyage: '{voyage}', at: '{at}' } }],
    ['POST /log.update', { body: { voyage: '{voyage}', at: '{at}', words: 'Rain' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /voyages.begin → {"done":true,"voyage":{"id":"VVJJLV","title":"North",
      ↳"owner":"SOVZ","goal":{"value":"juniper"},"is_hidden":false}}
    POST /log.write → {"done":true,"voyage":"VVJJLV","at":"1893553445.000000",
      ↳"entry":{"at":"1893553445.000000","kind":"entry","author":"SOVZ","words":"Calm"}}
    POST /log.write → {"done":true,"voyage":"VVJJLV","at":"1893553445.000001",
      ↳"entry":{"at":"1893553445.000001","kind":"entry","author":"SOVZ","words":"Wind"}}
    GET /voyages.log?voyage=VVJJLV → {"done":true,"entries":[{"at":"1893553445.000001",
      ↳"kind":"entry","author":"SOVZ","words":"Wind"},{"at":"1893553445.000000",
      ↳"kind":"entry","author":"SOVZ","words":"Calm"}]}
    GET /voyages.log?voyage=VVJJLV&oldest=1893553445.000001&inclusive=true →
      ↳ {"done":true,"entries":[{"at":"1893553445.000001","kind":"entry","author":"SOVZ",
      ↳"words":"Wind"}]}
    GET /voyages.log?voyage=VVJJLV&latest=1893553445.000001 → {"done":true,
      ↳"entries":[{"at":"1893553445.000000","kind":"entry","author":"SOVZ",
      ↳"words":"Calm"}]}
    POST /log.update → {"done":true,"voyage":"VVJJLV","at":"1893553445.000001",
      ↳"entry":{"at":"1893553445.000001","kind":"entry","author":"SOVZ","words":"Storm",
      ↳"edited":{"by":"SOVZ","at":"1893553445.000000"}}}
    POST /log.delete → {"at":"1893553445.000001","kind":"entry","author":"SOVZ",
      ↳"words":"Storm","edited":{"by":"SOVZ","at":"1893553445.000000"},"done":true,
      ↳"voyage":"VVJJLV"}
    POST /log.update → {"done":false,"error":"entry_not_found"}"
  `);
});

test('a key in the body marks repetitions of a create, within what it says', async () => {
  const once = { once_id: '6a1f3c52-0b1e-4f6e-9a77-2f4f9d6f1c22' };
  const said = await converseOn(voyages, [
    ['POST /voyages.begin', { body: { title: 'North' } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Calm', ...once } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Calm', ...once } }],
    ['GET /voyages.log?voyage={voyage}'],
    ['POST /voyages.begin', { body: { title: 'South' } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Calm', ...once } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /voyages.begin → {"done":true,"voyage":{"id":"VVJJLV","title":"North",
      ↳"owner":"SOVZ","goal":{"value":"juniper"},"is_hidden":false}}
    POST /log.write → {"done":true,"voyage":"VVJJLV","at":"1893553445.000000",
      ↳"entry":{"at":"1893553445.000000","kind":"entry","author":"SOVZ","words":"Calm",
      ↳"once_id":"6a1f3c52-0b1e-4f6e-9a77-2f4f9d6f1c22"}}
    POST /log.write → {"done":true,"voyage":"VVJJLV","at":"1893553445.000000",
      ↳"entry":{"at":"1893553445.000000","kind":"entry","author":"SOVZ","words":"Calm",
      ↳"once_id":"6a1f3c52-0b1e-4f6e-9a77-2f4f9d6f1c22"}}
    GET /voyages.log?voyage=VVJJLV → {"done":true,"entries":[{"at":"1893553445.000000",
      ↳"kind":"entry","author":"SOVZ","words":"Calm",
      ↳"once_id":"6a1f3c52-0b1e-4f6e-9a77-2f4f9d6f1c22"}]}
    POST /voyages.begin → {"done":true,"voyage":{"id":"VIOJBTS","title":"South",
      ↳"owner":"SOVZ","goal":{"value":"birch"},"is_hidden":false}}
    POST /log.write → {"done":true,"voyage":"VIOJBTS","at":"1893553445.000000",
      ↳"entry":{"at":"1893553445.000000","kind":"entry","author":"SOVZ","words":"Calm",
      ↳"once_id":"6a1f3c52-0b1e-4f6e-9a77-2f4f9d6f1c22"}}"
  `);
});

test('a record tells of those of its kind that name it, which a list below it shows', async () => {
  const said = await converseOn(voyages, [
    ['POST /voyages.begin', { body: { title: 'North' } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Calm' } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Still?', answer_at: '{at}' } }],
    ['GET /voyages.log?voyage={voyage}'],
    ['GET /voyages.answers?voyage={voyage}&at=1893553445.000000'],
    ['GET /voyages.answers?voyage={voyage}&at=1893553445.000009'],
    [
      'POST /log.write',
      { body: { voyage: '{voyage}', words: 'Lost', answer_at: '1893553445.000009' } },
    ],
    ['POST /log.delete', { body: { voyage: '{voyage}', at: '{at}' } }],
    ['GET /voyages.log?voyage={voyage}'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /voyages.begin → {"done":true,"voyage":{"id":"VVJJLV","title":"North",
      ↳"owner":"SOVZ","goal":{"value":"juniper"},"is_hidden":false}}
    POST /log.write → {"done":true,"voyage":"VVJJLV","at":"1893553445.000000",
      ↳"entry":{"at":"1893553445.000000","kind":"entry","author":"SOVZ","words":"Calm"}}
    POST /log.write → {"done":true,"voyage":"VVJJLV","at":"1893553445.000001",
      ↳"entry":{"at":"1893553445.000001","kind":"entry","author":"SOVZ","words":"Still?",
      ↳"answer_at":"1893553445.000000"}}
    GET /voyages.log?voyage=VVJJLV → {"done":true,"entries":[{"at":"1893553445.000000",
      ↳"kind":"entry","author":"SOVZ","words":"Calm","answer_count":1}]}
    GET /voyages.answers?voyage=VVJJLV&at=1893553445.000000 → {"done":true,
      ↳"entries":[{"at":"1893553445.000000","kind":"entry","author":"SOVZ","words":"Calm",
      ↳"answer_count":1},{"at":"1893553445.000001","kind":"entry","author":"SOVZ",
      ↳"words":"Still?","answer_at":"1893553445.000000"}]}
    GET /voyages.answers?voyage=VVJJLV&at=1893553445.000009 → {"done":false,
      ↳"error":"answer_not_found"}
    POST /log.write → {"done":false,"error":"answer_not_found"}
    POST /log.delete → {"at":"1893553445.000001","kind":"entry","author":"SOVZ",
      ↳"words":"Still?","answer_at":"1893553445.000000","done":true,"voyage":"VVJJLV"}
    GET /voyages.log?voyage=VVJJLV → {"done":true,"entries":[{"at":"1893553445.000000",
      ↳"kind":"entry","author":"SOVZ","words":"Calm"}]}"
  `);
});

test('an action whose verb changes sets what its body has, and keeps former values', async () => {
  const said = await converseOn(voyages, [
    ['POST /voyages.begin', { body: { title: 'North', goal: 'Ice' } }],
    ['POST /voyages.rename', { body: { voyage: '{voyage}', title: 'South' } }],
    ['POST /voyages.setGoal', { body: { voyage: '{voyage}', goal: 'Sun' } }],
    ['POST /voyages.begin', { body: { title: 'South' } }],
    ['GET /voyages.info?voyage={voyage}'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /voyages.begin → {"done":true,"voyage":{"id":"VVJJLV","title":"North",
      ↳"owner":"SOVZ","goal":{"value":"Ice"},"is_hidden":false}}
    POST /voyages.rename → {"done":true,"voyage":{"id":"VVJJLV","title":"South",
      ↳"owner":"SOVZ","goal":{"value":"Ice"},"is_hidden":false,"former_titles":["North"]}}
    POST /voyages.setGoal → {"done":true,"voyage":{"id":"VVJJLV","title":"South",
      ↳"owner":"SOVZ","goal":{"value":"Sun"},"is_hidden":false,"former_titles":["North"]}}
    POST /voyages.begin → {"done":false,"error":"title_taken"}
    GET /voyages.info?voyage=VVJJLV → {"done":true,"voyage":{"id":"VVJJLV",
      ↳"title":"South","owner":"SOVZ","goal":{"value":"Sun"},"is_hidden":false,
      ↳"former_titles":["North"]}}"
  `);
});

test('what has the schema of an identifier names a record that exists', async () => {
  const said = await converseOn(voyages, [
    ['GET /session.check'],
    ['GET /sailors.list'],
    ['POST /voyages.begin', { body: { title: 'North' } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Calm' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "GET /session.check → {"done":true,"sailor_id":"SOVZ",
      ↳"response_metadata":{"next_cursor":"maple"}}
    GET /sailors.list → {"done":true,"sailors":[{"id":"SOVZ","name":"Quiet Cedar"},
      ↳{"id":"SRDHG","name":"Green Grove"}]}
    POST /voyages.begin → {"done":true,"voyage":{"id":"VVJJLV","title":"North",
      ↳"owner":"SOVZ","goal":{"value":"juniper"},"is_hidden":false}}
    POST /log.write → {"done":true,"voyage":"VVJJLV","at":"1893553445.000000",
      ↳"entry":{"at":"1893553445.000000","kind":"entry","author":"SOVZ","words":"Calm"}}"
  `);
});

test('an action adds to the list of names below its record, or to nothing', async () => {
  const said = await converseOn(voyages, [
    ['POST /voyages.begin', { body: { title: 'North' } }],
    ['GET /voyages.crew?voyage={voyage}'],
    ['POST /voyages.hire', { body: { voyage: '{voyage}', sailors: 'SRDHG,SNONE' } }],
    ['POST /voyages.hire', { body: { voyage: '{voyage}', sailors: 'SRDHG' } }],
    ['POST /voyages.hire', { body: { voyage: '{voyage}', sailors: 'SRDHG' } }],
    ['GET /voyages.crew?voyage={voyage}'],
    ['GET /voyages.crew?voyage={voyage}&limit=1'],
    ['GET /voyages.info?voyage={voyage}&include_num_crew=true'],
    ['GET /voyages.info?voyage={voyage}'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /voyages.begin → {"done":true,"voyage":{"id":"VVJJLV","title":"North",
      ↳"owner":"SOVZ","goal":{"value":"juniper"},"is_hidden":false}}
    GET /voyages.crew?voyage=VVJJLV → {"done":true,"crew":["SOVZ"],
      ↳"response_metadata":{}}
    POST /voyages.hire → {"done":false,"error":"sailor_not_found"}
    POST /voyages.hire → {"done":true,"voyage":{"id":"VVJJLV","title":"North",
      ↳"owner":"SOVZ","goal":{"value":"juniper"},"is_hidden":false}}
    POST /voyages.hire → {"done":false,"error":"already_in_crew"}
    GET /voyages.crew?voyage=VVJJLV → {"done":true,"crew":["SOVZ","SRDHG"],
      ↳"response_metadata":{}}
    GET /voyages.crew?voyage=VVJJLV&limit=1 → {"done":true,"crew":["SOVZ"],
      ↳"response_metadata":{"next_cursor":"offset-1"}}
    GET /voyages.info?voyage=VVJJLV&include_num_crew=true → {"done":true,
      ↳"voyage":{"id":"VVJJLV","title":"North","owner":"SOVZ","goal":{"value":"juniper"},
      ↳"is_hidden":false,"num_crew":2}}
    GET /voyages.info?voyage=VVJJLV → {"done":true,"voyage":{"id":"VVJJLV",
      ↳"title":"North","owner":"SOVZ","goal":{"value":"juniper"},"is_hidden":false}}"
  `);
});

test('marks of the caller stand in the record, and a change tells who made it', async () => {
  const marked = { voyage: '{voyage}', at: '{at}', sign: 'star' };
  const said = await converseOn(voyages, [
    ['POST /voyages.begin', { body: { title: 'North' } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Calm' } }],
    ['POST /marks.add', { body: marked }],
    ['POST /marks.add', { body: marked }],
    ['GET /voyages.log?voyage={voyage}'],
    ['POST /marks.remove', { body: marked }],
    ['POST /marks.remove', { body: marked }],
    ['POST /log.update', { body: { voyage: '{voyage}', at: '{at}', words: 'Wind' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /voyages.begin → {"done":true,"voyage":{"id":"VVJJLV","title":"North",
      ↳"owner":"SOVZ","goal":{"value":"juniper"},"is_hidden":false}}
    POST /log.write → {"done":true,"voyage":"VVJJLV","at":"1893553445.000000",
      ↳"entry":{"at":"1893553445.000000","kind":"entry","author":"SOVZ","words":"Calm"}}
    POST /marks.add → {"done":true,"response_metadata":{"next_cursor":"delta"}}
    POST /marks.add → {"done":false,"error":"already_marked"}
    GET /voyages.log?voyage=VVJJLV → {"done":true,"entries":[{"at":"1893553445.000000",
      ↳"kind":"entry","author":"SOVZ","words":"Calm","marks":[{"sign":"star",
      ↳"sailors":["SOVZ"],"count":1}]}]}
    POST /marks.remove → {"done":true,"response_metadata":{"next_cursor":"delta"}}
    POST /marks.remove → {"done":false,"error":"no_mark"}
    POST /log.update → {"done":true,"voyage":"VVJJLV","at":"1893553445.000000",
      ↳"entry":{"at":"1893553445.000000","kind":"entry","author":"SOVZ","words":"Wind",
      ↳"edited":{"by":"SOVZ","at":"1893553445.000000"}}}"
  `);
});

test('all changes below a record in a closed state are refused', async () => {
  const said = await converseOn(voyages, [
    ['POST /voyages.begin', { body: { title: 'North', is_hidden: true } }],
    ['POST /log.write', { body: { voyage: '{voyage}', words: 'Calm' } }],
    ['POST /voyages.rename', { body: { voyage: '{voyage}', title: 'South' } }],
    ['GET /voyages.log?voyage={voyage}'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /voyages.begin → {"done":true,"voyage":{"id":"VVJJLV","title":"North",
      ↳"owner":"SOVZ","goal":{"value":"delta"},"is_hidden":true}}
    POST /log.write → {"done":false,"error":"is_hidden"}
    POST /voyages.rename → {"done":false,"error":"is_hidden"}
    GET /voyages.log?voyage=VVJJLV → {"done":true,"entries":[]}"
  `);
});
