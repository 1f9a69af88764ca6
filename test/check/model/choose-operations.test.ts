import { describe, expect, test } from 'vitest';
import { chooseOperations } from '../../../src/check/model/choose-operations.ts';
import { makeContract } from '../../contract/make-contract.ts';

const responses = { 200: { description: 'ok' } };
const contract = makeContract({
  paths: {
    '/pets': {
      get: { operationId: 'listPets', tags: ['pets'], responses },
      post: { operationId: 'createPet', tags: ['pets'], responses },
    },
    '/pets/{petId}': {
      get: { operationId: 'getPet', tags: ['pets'], responses },
      delete: { operationId: 'deletePet', tags: ['pets', 'admin'], responses },
    },
    '/pets/{petId}/photos': { get: { operationId: 'listPhotos', responses } },
    '/petsitters': { get: { operationId: 'listSitters', responses } },
    '/health': { get: { responses } },
  },
});

describe('a selector selects operations', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['listPets'], ['listPets']],
    [['GET /health'], ['GET /health']],
    [['tag:admin'], ['deletePet']],
    [['tag:pets'], ['listPets', 'createPet', 'getPet', 'deletePet']],
    [['/pets'], ['listPets', 'createPet']],
    [['/pets/{petId}'], ['getPet', 'deletePet']],
    [['/pets/*'], ['getPet', 'deletePet']],
    [['/pets/**'], ['listPets', 'createPet', 'getPet', 'deletePet', 'listPhotos']],
    [['/**/photos'], ['listPhotos']],
    [['/pet*'], ['listPets', 'createPet', 'listSitters']],
    [['POST'], ['createPet']],
    [['delete'], ['deletePet']],
    [['GET /pets/**'], ['listPets', 'getPet', 'listPhotos']],
    [
      ['listSitters', 'tag:admin', 'listSitters'],
      ['deletePet', 'listSitters'],
    ],
  ])('%j', (selectors, ids) => {
    expect(chooseOperations(contract, selectors)).toEqual(ids);
  });
});

describe('a selector without a match is refused, with the nearest one that matches', () => {
  test.each<[string, string, string]>([
    ['listPet', 'There is no operation listPet.', 'Did you mean listPets?'],
    ['tag:pet', 'No operation has the tag pet.', 'Did you mean tag:pets?'],
    ['admin', 'There is no operation admin.', 'Did you mean tag:admin?'],
    ['/pet', 'No operation is at /pet.', 'Did you mean /pets?'],
    [
      '/users/**',
      'No operation is at /users/**.',
      'Write a path as the contract has it, such as /users/{userId}, or ' +
        '/users/** for it and all below.',
    ],
    ['PUT', 'No operation of the contract is a PUT.', 'Choose one of: GET, POST, DELETE.'],
    ['PATCH', 'No operation of the contract is a PATCH.', 'Choose one of: GET, POST, DELETE.'],
    ['POST /health', 'No operation is at POST /health.', 'Did you mean /health?'],
    [
      '',
      'There is no operation .',
      'Choose one of: listPets, createPet, getPet, deletePet, listPhotos, ' +
        'listSitters, GET /health.',
    ],
  ])('%s', (selector, message, hint) => {
    expect(() => chooseOperations(contract, [selector])).toThrow(
      expect.objectContaining({ code: 'usage', message, hint }),
    );
  });
});
