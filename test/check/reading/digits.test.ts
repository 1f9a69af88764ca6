import { expect, test } from 'vitest';
import { compareRecords } from '../../../src/check/reading/compare-records.ts';
import type { Schema } from '../../../src/contract/model.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

function schemaOf(size: JsonObject): Schema {
  const body = { type: 'object', properties: { size } };
  const [operation] = makeContract({
    paths: { '/notes': { post: { requestBody: jsonContent(body), responses: {} } } },
  }).operations;
  const schema = operation?.requestBody?.content[0]?.schema;
  if (schema === undefined) throw new Error('the contract has no schema');
  return schema;
}

const sent = schemaOf({ type: 'integer' });
const shown = schemaOf({ type: 'string', pattern: '^[0-9]+$' });

test.each([
  ['3', []],
  ['5', ['size']],
])('a number that was sent as 3 is shown in digits as %s', (size, fields) => {
  const differences = compareRecords(
    { size: 3 },
    { size },
    { schema: sent, absent: 'fine', except: [], shown: [shown] },
  );
  expect(differences.map(({ field }) => field)).toEqual(fields);
});
