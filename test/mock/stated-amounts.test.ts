import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Budgets, version: '1' }
components:
  responses:
    Refused: { description: It is refused. }
    Budget:
      description: It.
      content: { application/json: { schema: { $ref: '#/components/schemas/Budget' } } }
    Cost:
      description: It.
      content: { application/json: { schema: { $ref: '#/components/schemas/Cost' } } }
    Team:
      description: It.
      content: { application/json: { schema: { $ref: '#/components/schemas/Team' } } }
  schemas:
    Money: { type: string, pattern: '^[0-9]+[.][0-9]{2}$' }
    Team:
      type: object
      required: [id, name]
      properties: { id: { type: string, readOnly: true }, name: { type: string } }
    Cost:
      type: object
      required: [id, price]
      properties:
        id: { type: string, readOnly: true }
        price: { $ref: '#/components/schemas/Money' }
    Budget:
      type: object
      required: [id, teamId, team, limit, begins, ends, status, used, rest]
      properties:
        id: { type: string, readOnly: true }
        teamId: { type: string }
        team:
          type: object
          readOnly: true
          required: [id, name]
          properties: { id: { type: string }, name: { type: string } }
        limit: { $ref: '#/components/schemas/Money' }
        begins: { type: string, format: date }
        ends: { type: string, format: date, description: Must not be before begins. }
        status: { type: string, enum: [draft, open, closed], readOnly: true }
        used:
          $ref: '#/components/schemas/Money'
          readOnly: true
          description: The sum of the costs.
        rest: { $ref: '#/components/schemas/Money', readOnly: true, description: limit minus used }
paths:
  /teams:
    post:
      operationId: addTeam
      requestBody: &team
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Team' } } }
      responses: { '201': { $ref: '#/components/responses/Team' } }
  /teams/{teamId}:
    parameters: [{ name: teamId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getTeam, responses: { '200': { $ref: '#/components/responses/Team' } } }
    patch:
      operationId: renameTeam
      requestBody: *team
      responses: { '200': { $ref: '#/components/responses/Team' } }
  /budgets:
    post:
      operationId: addBudget
      requestBody: &budget
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Budget' } } }
      responses:
        '201': { $ref: '#/components/responses/Budget' }
        '422': { $ref: '#/components/responses/Refused' }
  /budgets/{budgetId}:
    parameters: [{ name: budgetId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBudget
      responses: { '200': { $ref: '#/components/responses/Budget' } }
    patch:
      operationId: changeBudget
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              properties:
                ends: { type: string, format: date, description: Must not be before begins. }
                begins: { type: string, format: date }
      responses:
        '200': { $ref: '#/components/responses/Budget' }
        '422': { $ref: '#/components/responses/Refused' }
  /budgets/{budgetId}/open:
    parameters: [{ name: budgetId, in: path, required: true, schema: { type: string } }]
    post:
      operationId: openBudget
      description: A draft becomes \`open\`.
      responses:
        '200': { $ref: '#/components/responses/Budget' }
        '409': { $ref: '#/components/responses/Refused' }
  /budgets/{budgetId}/close:
    parameters: [{ name: budgetId, in: path, required: true, schema: { type: string } }]
    post:
      operationId: closeBudget
      description: An \`open\` budget without costs becomes \`closed\`.
      responses:
        '200': { $ref: '#/components/responses/Budget' }
        '409': { $ref: '#/components/responses/Refused' }
  /budgets/{budgetId}/costs:
    parameters: [{ name: budgetId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: listCosts
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Cost' } }
    post:
      operationId: addCost
      description: A price above the \`rest\` of the budget is refused with 422.
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Cost' } } }
      responses:
        '201': { $ref: '#/components/responses/Cost' }
        '422': { $ref: '#/components/responses/Refused' }
`,
  'budgets.yaml',
);
const planned = { teamId: 'made-1', limit: '10.00', begins: '2030-01-01', ends: '2030-02-01' };

async function withBudget() {
  const mock = await mockOf({ contract });
  await send(mock, 'POST /teams', { body: { name: 'North' } });
  const made = jsonOf(await send(mock, 'POST /budgets', { body: planned }));
  expect(made).toMatchObject({ used: '0.00', rest: '10.00' });
  const status = async (line: string, sent?: object): Promise<number> =>
    (await send(mock, line, sent === undefined ? {} : { body: sent as never })).status;
  const budget = async () => jsonOf(await send(mock, 'GET /budgets/made-2'));
  return { status, budget };
}

test('amounts in texts are summed up and subtracted, and bound what is added', async () => {
  const { status, budget } = await withBudget();
  expect(await status('POST /budgets/made-2/costs', { price: '9.90' })).toBe(201);
  expect(await budget()).toMatchObject({ used: '9.90', rest: '0.10' });
  expect(await status('POST /budgets/made-2/costs', { price: '0.11' })).toBe(422);
  expect(await status('POST /budgets/made-2/costs', { price: '0.10' })).toBe(201);
  expect(await budget()).toMatchObject({ used: '10.00', rest: '0.00' });
});

test('a moment before the one that must not be after it is refused', async () => {
  const { status, budget } = await withBudget();
  expect(await status('POST /budgets', { ...planned, ends: '2029-12-31' })).toBe(422);
  expect(await status('PATCH /budgets/made-2', { begins: '2030-03-01' })).toBe(422);
  expect(await status('PATCH /budgets/made-2', { ends: '2030-01-01' })).toBe(200);
  expect(await budget()).toMatchObject({ begins: '2030-01-01', ends: '2030-01-01' });
});

test('a state follows from the one that is named, and without parts that are named', async () => {
  const { status } = await withBudget();
  const act = (verb: string) => status(`POST /budgets/made-2/${verb}`);
  expect([await act('close'), await act('open'), await act('open')]).toEqual([409, 200, 409]);
  await status('POST /budgets/made-2/costs', { price: '1.00' });
  expect(await act('close')).toBe(409);
});

test('what a record shows of another one follows it', async () => {
  const { status, budget } = await withBudget();
  expect(await budget()).toMatchObject({ team: { id: 'made-1', name: 'North' } });
  await status('PATCH /teams/made-1', { name: 'South' });
  expect(await budget()).toMatchObject({ team: { id: 'made-1', name: 'South' } });
});
