import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { jsonOf, mockOf, send } from '../workshop.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const room = '{ $ref: "#/components/schemas/Room" }';

/** Rooms whose name and rank other texts describe. */
function roomsWith({ list = '', conflict = '' }: { list?: string; conflict?: string }) {
  const conflicts = conflict === '' ? '' : `, '409': { description: ${conflict} }`;
  return parseContract(
    `openapi: 3.0.3
info: { title: Rooms, version: '1' }
paths:
  /rooms:
    get: { operationId: listRooms, description: '${list}', responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${room} }`)} } } }
    post: { operationId: addRoom, requestBody: { required: true, ${json(room)} }, responses: {
        '201': { description: made, ${json(room)} }${conflicts} } }
  /rooms/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getRoom, responses: { '200': { description: ok, ${json(room)} } } }
    patch: { operationId: changeRoom, requestBody: { required: true, ${json(room)} },
        responses: { '200': { description: ok, ${json(room)} }${conflicts} } }
components: { schemas: { Room: { type: object, required: [name], properties: {
    id: { type: integer, readOnly: true }, rank: { type: integer },
    name: { type: string, description: 'The name is unique, regardless of case.' } } } } }
`,
    'rooms.yaml',
  );
}

async function roomMock(text: Parameters<typeof roomsWith>[0]) {
  const mock = await mockOf({ contract: roomsWith(text), fixtures: new Map(), keys: [] });
  const add = async (name: string, rank = 1): Promise<number> => {
    const answer = await send(mock, 'POST /rooms', { body: { name, rank } });
    return answer.status;
  };
  return { mock, add };
}

const conflict = 'another room has this name';

test('a create with the unique text of another record is refused with 409', async () => {
  const { mock, add } = await roomMock({ conflict });
  expect(await add('Oak')).toBe(201);
  expect(await add('oak')).toBe(409);
  expect(await add('Elm')).toBe(201);
  expect(jsonOf(await send(mock, 'GET /rooms'))).toHaveLength(2);
});

test('an update may keep the unique text of its record, and not take that of another', async () => {
  const { mock, add } = await roomMock({ conflict });
  await add('Oak');
  await add('Elm');
  const rename = async (name: string): Promise<number> =>
    (await send(mock, 'PATCH /rooms/2', { body: { name } })).status;
  expect([await rename('ELM'), await rename('Oak'), await rename('Ash')]).toEqual([200, 409, 200]);
});

test('equal texts are accepted where no 409 is documented', async () => {
  const { add } = await roomMock({});
  expect([await add('Oak'), await add('Oak')]).toEqual([201, 201]);
});

test.each([
  ['Rooms, sorted by rank.', [1, 2, 3]],
  ['Rooms, sorted by rank, highest first.', [3, 2, 1]],
  ['All rooms in order.', [2, 3, 1]],
])('a list that says "%s" is in that order', async (list, ranks) => {
  const { mock, add } = await roomMock({ list });
  for (const rank of [2, 3, 1]) await add(`Room ${String(rank)}`, rank);
  expect(jsonOf(await send(mock, 'GET /rooms'))).toMatchObject(ranks.map((rank) => ({ rank })));
});
