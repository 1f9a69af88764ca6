import { describe, expect, test } from 'vitest';
import type { Contract } from '../../src/contract/model.ts';
import { parseContract } from '../../src/contract/load.ts';
import {
  alarms,
  type Answered,
  type Call,
  findingsOf,
  type Service,
} from './fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const person = `{ $ref: '#/components/schemas/Person' }`;
const flag = `{ name: include_deleted, in: query, schema: { type: boolean, default: false } }`;

/** People whom clients delete; `kept` is what the contract says about those that are. */
function people(kept: string): Contract {
  return parseContract(
    `openapi: 3.1.0
info: { title: People, version: '1', description: ${kept} }
servers: [{ url: / }]
paths:
  /people:
    get: { operationId: listPeople, parameters: [${flag}], responses: { '200': { description: ok,
      ${json(`{ type: object, required: [people, total], properties: { people: { type: array,
        items: ${person} }, total: { type: integer } } }`)} }, '400': { description: bad } } }
    post: { operationId: addPerson, requestBody: { required: true, ${json(person)} }, responses: {
      '201': { description: made, ${json(person)} }, '400': { description: bad },
      '415': { description: bad } } }
  /people/{personId}:
    parameters: [{ name: personId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getPerson, parameters: [${flag}], responses: { '200': { description: ok,
      ${json(person)} }, '400': { description: bad }, '404': { description: none } } }
    delete: { operationId: deletePerson, responses: { '204': { description: gone },
      '404': { description: none } } }
components:
  schemas:
    Person: { type: object, required: [name], properties: { id: { type: string, readOnly: true },
      name: { type: string, minLength: 1, maxLength: 90, example: Kim }, deleted_at: { type: string,
      format: date-time, readOnly: true } } }`,
    'people.yaml',
  );
}

const soft = `'Deleting is soft: a deleted person is there with include_deleted=true.'`;

type Fault = 'hard' | 'unmarked' | 'readable' | 'listed' | 'never listed' | 'counted';

interface Person {
  readonly id: string;
  readonly name: string;
  deleted_at?: string;
}

/** Keeps deleted people. `total` counts people, or all that were ever there. */
function serviceOf(fault?: Fault): Service {
  const all: Person[] = [];
  return ({ method, path: [area, id], query, body, header }): Answered => {
    if (area !== 'people') return { status: 404 };
    const flagged = query.get('include_deleted');
    if (flagged !== null && !['true', 'false'].includes(flagged)) return { status: 400 };
    const isAsked = flagged === 'true' && fault !== 'never listed';
    if (id === undefined) return method === 'GET' ? list(isAsked) : add(method, body, header);
    const found = all.find((one) => one.id === id);
    const isGone = found?.deleted_at !== undefined;
    if (method === 'GET') {
      const isSeen = flagged === 'true' ? fault !== 'hard' : fault === 'readable';
      if (found === undefined || (isGone && !isSeen)) return { status: 404 };
      return { status: 200, json: showOne(found) };
    }
    if (method !== 'DELETE') return { status: 405, headers: { Allow: 'GET, HEAD, DELETE' } };
    if (found === undefined || isGone) return { status: 404 };
    found.deleted_at = '2026-05-04T09:00:00Z';
    return { status: 204 };
  };

  function list(isAsked: boolean): Answered {
    const shown = all.filter((one) => isAsked || one.deleted_at === undefined);
    const listed = fault === 'listed' ? all : shown;
    const total = fault === 'counted' ? all.length : listed.length;
    return { status: 200, json: { people: listed.map(showOne), total } };
  }

  function add(method: string, body: string, header: Call['header']): Answered {
    if (method !== 'POST') return { status: 405, headers: { Allow: 'GET, HEAD, POST' } };
    if (header('content-type')?.startsWith('application/json') !== true) return { status: 415 };
    const name = nameOf(body);
    if (name === undefined) return { status: 400 };
    const made = { id: `per_${String(1000 + all.length)}`, name };
    all.push(made);
    return { status: 201, json: made };
  }

  function showOne({ id, name, deleted_at }: Person): unknown {
    return {
      id,
      name,
      ...(fault === 'unmarked' || deleted_at === undefined ? {} : { deleted_at }),
    };
  }
}

/** Deletes for good what was deleted, whatever is asked for. */
function purging(): Service {
  return serviceOf('hard');
}

function nameOf(body: string): string | undefined {
  try {
    const { name } = JSON.parse(body) as { name?: unknown };
    return typeof name === 'string' && name !== '' && [...name].length <= 90 ? name : undefined;
  } catch {
    return undefined;
  }
}

describe('a parameter that asks for deleted records', () => {
  test('is no finding of a service that keeps and marks them', async () => {
    expect(alarms(await findingsOf(people(soft), serviceOf()))).toEqual([]);
  });

  test('is no finding of a service that purges them and promises nothing', async () => {
    expect(alarms(await findingsOf(people('Names of people.'), purging()))).toEqual([]);
  });

  test.each<[Fault, RegExp]>([
    ['hard', /getPerson: The server answered 404 to a read of the deleted record with include_d/],
    ['unmarked', /getPerson: A deleted record is shown without deleted_at/],
    ['readable', /getPerson: The server answered 200 to a read of the deleted record/],
    ['listed', /listPeople: A list that does not ask for deleted records has one/],
    ['never listed', /listPeople: A list that asks for deleted records is no longer than one/],
    ['counted', /listPeople: A list that leaves deleted records out has the same total/],
  ])('shows a service with deleted records %s', async (fault, message) => {
    expect(alarms(await findingsOf(people(soft), serviceOf(fault))).join('\n')).toMatch(message);
  });
});
