import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Client } from 'undici';

/**
 * What a person would write by hand for one contract: so many requests on kept connections, each
 * answer parsed and held against a schema compiled by Ajv. It plans nothing, confirms nothing and
 * reports nothing.
 */
const [base = '', count = '0', token = '', schemaFile = ''] = process.argv.slice(2);
const { list, record, body } = JSON.parse(readFileSync(schemaFile, 'utf8')) as {
  list: { path: string; schema: object };
  record: { schema: object };
  body: object;
};
const ajv = new Ajv2020({ allErrors: true, strict: false });
// The module's default export is the function itself, whatever its types say of CommonJS.
(addFormats as unknown as (on: Ajv2020) => void)(ajv);
const [isList, isRecord] = [ajv.compile(list.schema), ajv.compile(record.schema)];

const connections = 8;
const url = new URL(base);
let left = Number(count);
let wrong = 0;

async function work(): Promise<void> {
  const client = new Client(url.origin);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  while (left > 0) {
    left -= 1;
    const creates = left % 4 === 0;
    const answer = await client.request({
      method: creates ? 'POST' : 'GET',
      path: `${url.pathname}${list.path}`,
      headers,
      ...(creates ? { body: JSON.stringify(body) } : {}),
    });
    const value: unknown = JSON.parse(await answer.body.text());
    if (!(creates ? isRecord(value) : isList(value))) wrong += 1;
  }
  await client.close();
}

await Promise.all(Array.from({ length: connections }, work));
process.exitCode = wrong === 0 ? 0 : 1;
