import { expect, test } from 'vitest';
import { ownReferencesOf } from '../../src/contract/infer/own-kind.ts';
import { bodySchema } from '../../src/contract/model/operation.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { converse, mockOf } from './workshop.ts';

const id = { $ref: '#/components/schemas/Id' };
const member = {
  type: 'object',
  required: ['id', 'role'],
  properties: { id, role: { type: 'string' } },
};
const inPath = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'integer' },
});
const refusals = { 404: { description: 'None.' }, 409: { description: 'Is one already.' } };

/** Members of crews: a create calls them as the path of a member does, and records do not. */
const contract = makeContract({
  paths: {
    '/crews/{crew_id}/members': {
      parameters: [inPath('crew_id')],
      get: {
        responses: {
          200: { description: 'All.', ...jsonContent({ type: 'array', items: member }) },
        },
      },
      post: {
        operationId: 'addMember',
        requestBody: jsonContent({
          type: 'object',
          required: ['sailor_id', 'role'],
          properties: {
            sailor_id: id,
            role: { type: 'string' },
          },
        }),
        responses: { 201: { description: 'New.', ...jsonContent(member) }, ...refusals },
      },
    },
    '/crews/{crew_id}/members/{sailor_id}': {
      parameters: [inPath('crew_id'), inPath('sailor_id')],
      delete: { responses: { 204: { description: 'Gone.' }, ...refusals } },
    },
  },
  components: { schemas: { Id: { type: 'integer', minimum: 1 } } },
});

test('the mock calls a new member as the body does that the path of a member goes by', async () => {
  const said = await converse(await mockOf({ contract }), [
    ['POST /crews/7/members', { body: { sailor_id: 31, role: 'cook' } }],
    ['POST /crews/7/members', { body: { sailor_id: 31, role: 'mate' } }],
    ['DELETE /crews/7/members/31'],
    ['GET /crews/7/members'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /crews/7/members → 201 {"id":31,"role":"cook","sailor_id":31}
    POST /crews/7/members → 409 {"type":"about:blank","title":"Conflict","status":409,
      ↳"detail":"A record of crews.members has the id 31 already. Choose another.",
      ↳"code":"conflict","errors":[{"in":"body","name":"id","detail":"A record of
      ↳ crews.members has the id 31 already. Choose another."}]}
    DELETE /crews/7/members/31 → 204
    GET /crews/7/members → 200 []"
  `);
});

test('such a member of a body names no other record of its kind', () => {
  const [members] = contract.resources;
  const create = contract.operations.find((one) => one.id === 'addMember');
  if (members === undefined || create === undefined) throw new Error('There are no members.');
  const schema = bodySchema(create);
  expect(ownReferencesOf(members, schema)).toEqual([]);
  const identifier = { ...members.identifier, parameter: 'other_id' };
  expect(ownReferencesOf({ ...members, identifier }, schema)).toEqual(['sailor_id']);
});
