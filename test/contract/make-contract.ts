import { buildContract } from '../../src/contract/build.ts';
import type { Contract } from '../../src/contract/model.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../src/json/value.ts';

/** A contract of a few members: what is not given is the least that OpenAPI asks for. */
export function makeContract(members: JsonObject): Contract {
  const document: JsonObject = {
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: {},
    ...members,
  };
  return buildContract({ file: 'test.json', text: stringifyJson(document, 2), value: document });
}

/** A JSON body with a schema. */
export function jsonContent(schema: JsonValue): JsonObject {
  return { content: { 'application/json': { schema } } };
}
