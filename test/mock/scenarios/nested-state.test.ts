import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { parseScenario } from '../../../src/mock/scenarios/parse/parse-scenario.ts';
import { judgeState } from '../../../src/mock/scenarios/judge/check-scenarios.ts';
import { converse, mockOf } from '../workshop.ts';

const estate = parseContract(
  readFileSync(new URL('../contracts/estate.yaml', import.meta.url), 'utf8'),
  'estate.yaml',
);

test('a scenario has nested records, named by their path', async () => {
  const busy = parseScenario('busy', {
    description: 'One note',
    state: { '/owners/2/notes': [{ number: 7, text: 'Call back' }] },
  });
  const mock = await mockOf({
    contract: estate,
    seedRecords: 2,
    scenarios: [busy],
    scenario: 'busy',
  });
  expect(await converse(mock, [['GET /owners/2/notes'], ['GET /owners/2/notes/7']]))
    .toMatchInlineSnapshot(`
    "GET /owners/2/notes → 200 [{"number":7,"text":"Call back"}]
    GET /owners/2/notes/7 → 200 {"number":7,"text":"Call back"}"
  `);
});

test('a scenario without the parent of nested records is refused with a hint', () => {
  expect(judgeState({ 'owners.notes': { kind: 'replace', records: [] } }, estate))
    .toMatchInlineSnapshot(`
    [
      {
        "hint": "Write the path instead of the name: /owners/1/notes.",
        "message": "Records of owners.notes are kept for each of those above them.",
        "pointer": "/state/owners.notes",
      },
    ]
  `);
});
