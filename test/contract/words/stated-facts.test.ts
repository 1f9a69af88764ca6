import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadContract, parseContract } from '../../../src/contract/load.ts';
import type { Contract, Operation } from '../../../src/contract/model.ts';
import { explainFacts } from '../../../src/contract/words/explain-facts.ts';
import { boundOf } from '../../../src/contract/words/read-range.ts';
import { allowedStates } from '../../../src/contract/words/read-states.ts';
import { uniqueFields } from '../../../src/contract/words/read-unique.ts';
import { chooseContract } from '../../../src/library/choose-contract.ts';

interface Facts {
  readonly operation?: string;
  readonly parameter?: string;
  readonly field?: string;
}

function offers({ operation = '', parameter = '', field = '' }: Facts = {}): string {
  const json = `content: { application/json: { schema: { $ref: '#/components/schemas/Offer' } } }`;
  return `openapi: 3.1.0
info: { title: Offers, version: '1' }
paths:
  /offers:
    get:
      operationId: listOffers
      description: Offers are sorted by title.
      parameters:
        - name: updatedAfter
          in: query
          description: Only offers updated after the given time.
          schema: { type: string, format: date-time }${parameter}
      responses: { '200': { description: All, content: { application/json: { schema: { type: array,
        items: { $ref: '#/components/schemas/Offer' } } } } } }
    post:
      operationId: createOffer
      requestBody: { required: true, ${json} }
      responses: { '201': { description: Made, ${json} }, '409': { description: Conflict } }
  /offers/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getOffer, responses: { '200': { description: One, ${json} } } }
    delete:
      operationId: deleteOffer
      description: Only drafts can be deleted.${operation}
      responses: { '204': { description: Gone }, '409': { description: Conflict } }
components:
  schemas:
    Offer:
      type: object
      properties:
        id: { type: string, readOnly: true }
        status: { type: string, enum: [draft, sent], readOnly: true }
        updatedAt: { type: string, format: date-time, readOnly: true }
        title:
          type: string${field}
`;
}

function operationOf(contract: Contract, id: string): Operation {
  const found = contract.operations.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no ${id}.`);
  return found;
}

function uniqueIn(contract: Contract): string[] {
  const create = operationOf(contract, 'createOffer');
  const { schema } = create.requestBody?.content[0] ?? {};
  return schema === undefined ? [] : uniqueFields(create, schema).map(({ name }) => name);
}

function statesIn(contract: Contract): readonly string[] | undefined {
  const [resource] = contract.resources;
  return resource && allowedStates(operationOf(contract, 'deleteOffer'), resource)?.values;
}

describe('x-vouch-facts', () => {
  test('state what no description says', () => {
    expect(uniqueIn(parseContract(offers(), 'offers.yaml'))).toEqual([]);
    const field = '\n          x-vouch-facts: { unique: true }';
    expect(uniqueIn(parseContract(offers({ field }), 'offers.yaml'))).toEqual(['title']);
  });

  test('deny what a description seems to say', () => {
    expect(statesIn(parseContract(offers(), 'offers.yaml'))).toEqual(['draft']);
    const operation = '\n      x-vouch-facts: { allowed-states: false }';
    expect(statesIn(parseContract(offers({ operation }), 'offers.yaml'))).toBeUndefined();
  });

  test('replace what a description says by a value', () => {
    const operation = '\n      x-vouch-facts: { allowed-states: sent }';
    expect(statesIn(parseContract(offers({ operation }), 'offers.yaml'))).toEqual(['sent']);
  });

  test('hold for a parameter', () => {
    const boundIn = (text: string): string | undefined => {
      const [parameter] = operationOf(parseContract(text, 'offers.yaml'), 'listOffers').parameters;
      return parameter && boundOf(parameter, 'gt');
    };
    expect(boundIn(offers())).toBe('excluded');
    const parameter = '\n          x-vouch-facts: { bound-included: true }';
    expect(boundIn(offers({ parameter }))).toBe('included');
  });

  test.each([
    ['{ uniqe: true }', 'x-vouch-facts: There is no fact uniqe.', 'Did you mean unique?'],
    ['{ unique: 7 }', /The fact unique is true, false or a text/, /no two records have the same/],
    ['unique', /Facts are an object/, /The facts are: bound-included, /],
    ['[unique]', /Facts are an object/, /The facts are: bound-included, /],
  ])('that are %s are an error with its place', (facts, message, hint) => {
    const read = (): unknown =>
      parseContract(offers({ field: `\n          x-vouch-facts: ${facts}` }), 'offers.yaml');
    expect(read).toThrow(
      expect.objectContaining({
        code: 'contract-invalid',
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
        place: expect.objectContaining({ file: 'offers.yaml' }),
      }),
    );
  });
});

describe('the facts of a configuration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-facts-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const write = (facts: string): string => {
    writeFileSync(join(folder, 'offers.yaml'), offers());
    const file = join(folder, `${String(facts.length)}.yaml`);
    writeFileSync(file, `contract: ./offers.yaml\nfacts:\n  ${facts}\n`);
    return file;
  };

  test.each([
    ['an operation by its id', 'deleteOffer: { allowed-states: false }'],
    ['an operation by its method and path', "'DELETE /offers/{id}': { allowed-states: false }"],
  ])('are about %s', async (_subject, facts) => {
    const { contract } = await chooseContract({ config: write(facts) });
    expect(statesIn(contract)).toBeUndefined();
  });

  test('are about a field by its pointer', async () => {
    const facts = `'#/components/schemas/Offer/properties/title': { unique: true }`;
    const { contract } = await chooseContract({ config: write(facts) });
    expect(uniqueIn(contract)).toEqual(['title']);
    expect(uniqueIn(await loadContract(join(folder, 'offers.yaml')))).toEqual([]);
  });

  test.each([
    ['deleteOfer: { unique: true }', 'The document has no deleteOfer.', 'Did you mean deleteOffer'],
    ["'#/components/none': { unique: true }", 'The document has no #/components/none.', 'Pointer'],
    ['deleteOffer: { sortd-by: true }', 'There is no fact sortd-by.', 'Did you mean sorted-by?'],
  ])('that are %s are an error in the file', async (facts, message, hint) => {
    const file = write(facts);
    await expect(chooseContract({ config: file })).rejects.toThrow(
      expect.objectContaining({
        code: 'config-invalid',
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
        place: expect.objectContaining({ line: 3 }),
      }),
    );
  });
});

test('what descriptions state is explained with the sentence and its pointer', () => {
  const { resources, operations } = parseContract(offers(), 'offers.yaml');
  const [resource] = resources;
  const facts = resource === undefined ? [] : explainFacts(resource, operations);
  expect(facts).toEqual([
    'sorted-by title: "Offers are sorted by title." (#/paths/~1offers/get/description)',
    'bound-excluded of updatedAfter: "Only offers updated after the given time." ' +
      '(#/paths/~1offers/get/parameters/0/description)',
    'allowed-states draft: "Only drafts can be deleted." ' +
      '(#/paths/~1offers~1{id}/delete/description)',
  ]);
  expect(resource?.why).toEqual(expect.arrayContaining(facts));
});
