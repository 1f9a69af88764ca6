import { parseContract } from '../../../src/contract/load.ts';
import type { Schema, SchemaNode } from '../../../src/contract/model.ts';

/** A schema as a contract has it. */
export function schemaOf(node: SchemaNode): Schema {
  const content = { 'application/json': { schema: node } };
  const contract = parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'One', version: '1' },
      paths: { '/one': { post: { requestBody: { content }, responses: {} } } },
    }),
    'one.json',
  );
  const schema = contract.operations[0]?.requestBody?.content[0]?.schema;
  if (schema === undefined) throw new Error('The contract has no schema.');
  return schema;
}
