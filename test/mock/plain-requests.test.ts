import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadFixtures } from '../../src/config/read-data.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Contract, Operation } from '../../src/contract/model.ts';
import { encodeParameter } from '../../src/contract/parameter/encode-parameter.ts';
import type { HeaderList, HttpRequest } from '../../src/http/message.ts';
import { isJsonMediaType } from '../../src/http/media-type.ts';
import { plainValue } from '../../src/values/plain-value.ts';
import { expectKept } from './keeps-contract.ts';
import { encode, mockOf, workshop, workshopFixtures } from './workshop.ts';

const root = resolve(import.meta.dirname, '../..');
const petstore = await loadContract(resolve(root, 'openapi/petstore.v1.yaml'));
const petstoreFixtures = await loadFixtures(resolve(root, 'fixtures'), petstore);

/** The request that a person would send first. Path values are those of records that are there. */
function plainRequest(
  operation: Operation,
  seed: string,
  values: Readonly<Record<string, string>>,
): HttpRequest {
  const headers: [string, string][] = [];
  const query: string[] = [];
  for (const parameter of operation.parameters) {
    const value = plainValue(parameter.schema, { seed, direction: 'request' });
    if (!value.ok || parameter.name === 'cursor') continue;
    const encoded = encodeParameter(parameter, value.value);
    if (encoded.in === 'query') query.push(encoded.pairs);
    if (encoded.in === 'header') headers.push([encoded.name, encoded.value]);
  }
  const json = operation.requestBody?.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  const body = json?.schema && plainValue(json.schema, { seed, direction: 'request' });
  const path = operation.path.replaceAll(
    /\{([^{}]+)\}/g,
    (_written, name: string) => values[name] ?? '1',
  );
  const type: HeaderList = json === undefined ? [] : [['Content-Type', json.mediaType]];
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  const target = `${operation.servers[0]?.basePath ?? ''}${path}${search}`;
  return {
    method: operation.method,
    target,
    headers: [...type, ...headers],
    body: encode(body?.ok === true ? body.value : undefined),
  };
}

/** What the contract cannot be kept in. */
const impossible = new Set(['getNever', 'getLogo']);

describe.each<[name: string, contract: Contract, values: Record<string, string>]>([
  ['the workshop', workshop, { toolId: '2', code: 'A' }],
  ['the bundled contract', petstore, { petId: '1' }],
])('%s answers a plain request with success', (_name, contract, values) => {
  test.each(contract.operations.filter(({ id }) => !impossible.has(id)))(
    '$id',
    async (operation) => {
      // What is added must not be there yet.
      const records = contract === workshop ? workshopFixtures : petstoreFixtures;
      const fixtures = operation.method === 'POST' ? new Map() : records;
      for (let seed = 0; seed < 20; seed += 1) {
        const mock = await mockOf({ contract, fixtures, authentication: 'off' });
        const answer = await mock.answer(plainRequest(operation, String(seed), values));
        expect(answer.operation).toBe(operation.id);
        expect(answer.status, new TextDecoder().decode(answer.body)).toBeLessThan(300);
        expectKept(contract, answer);
      }
    },
  );
});
