import { describe, expect, test } from 'vitest';
import type { Contract, Operation } from '../../../src/contract/model.ts';
import {
  explainProtocols,
  isGoverned,
  protocolsOf,
} from '../../../src/contract/protocols/read-protocols.ts';
import type { ProtocolFacts } from '../../../src/contract/protocols/read-protocols.ts';
import { readMask, writeMask } from '../../../src/contract/protocols/update-mask.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const thing = {
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' }, size: { type: 'integer' } },
};
const one = { 200: { description: 'ok', ...jsonContent(thing) } };
const many = { 200: { description: 'ok', ...jsonContent({ type: 'array', items: thing }) } };

/** A contract of things whose operations have some query parameters, by operation id. */
function things(query: Readonly<Record<string, readonly JsonObject[]>>): Contract {
  const described = (operationId: string, responses: JsonObject): JsonObject => ({
    operationId,
    parameters: (query[operationId] ?? []).map((parameter) => ({ in: 'query', ...parameter })),
    responses,
  });
  const requestBody = { required: true, ...jsonContent(thing) };
  return makeContract({
    paths: {
      '/things': {
        get: described('list', many),
        post: { ...described('create', one), requestBody },
      },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: described('read', one),
        put: { ...described('replace', one), requestBody },
        patch: { ...described('update', one), requestBody },
        delete: described('remove', { 204: { description: 'gone' } }),
      },
    },
  });
}

function factsOf(contract: Contract): ProtocolFacts {
  const [resource] = contract.resources;
  if (resource === undefined) throw new Error('no resource');
  return protocolsOf(contract, resource);
}

function operationOf({ operations }: Contract, id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

const text = { schema: { type: 'string' } };

describe('an update mask', () => {
  test.each(['update_mask', 'updateMask'])('is %s of a PATCH', (name) => {
    const contract = things({ update: [{ name, ...text }] });
    expect(factsOf(contract).mask?.parameter.name).toBe(name);
    const [resource] = contract.resources;
    expect(resource && explainProtocols(contract, resource)).toEqual([
      `${name} of update names the fields that it changes (AIP-134).`,
    ]);
    const update = operationOf(contract, 'update');
    expect(update.parameters.map((parameter) => isGoverned(update, parameter))).toEqual([
      false,
      true,
    ]);
  });

  test('is no parameter of a PUT, no number and no other word', () => {
    expect(factsOf(things({ replace: [{ name: 'update_mask', ...text }] })).mask).toBeUndefined();
    const number = { name: 'update_mask', schema: { type: 'integer' } };
    expect(factsOf(things({ update: [number] })).mask).toBeUndefined();
    expect(factsOf(things({ update: [{ name: 'mask', ...text }] })).mask).toBeUndefined();
  });

  test('is written with commas, or as a list where the contract declares one', () => {
    const list = { schema: { type: 'array', items: { type: 'string' } } };
    const [asText, asList] = [text, list].map(
      (form) => factsOf(things({ update: [{ name: 'updateMask', ...form }] })).mask?.parameter,
    );
    expect(asText && writeMask(asText, ['name', 'size'])).toBe('name,size');
    expect(asList && writeMask(asList, ['name', 'size'])).toEqual(['name', 'size']);
    expect(readMask('name, size')).toEqual(['name', 'size']);
    expect(readMask(['name', 'size'])).toEqual(['name', 'size']);
    expect(readMask(undefined)).toEqual([]);
  });
});
