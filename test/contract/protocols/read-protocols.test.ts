import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { idempotencyKey } from '../../../src/contract/model/operation.ts';
import type { Contract, Operation, Schema } from '../../../src/contract/model.ts';
import { withoutTag } from '../../../src/contract/protocols/body-tag.ts';
import {
  explainProtocols,
  isGoverned,
  protocolsOf,
} from '../../../src/contract/protocols/read-protocols.ts';
import type { ProtocolFacts } from '../../../src/contract/protocols/read-protocols.ts';
import { readNames, writeNames } from '../../../src/contract/protocols/names.ts';
import { readProjection, writeProjection } from '../../../src/contract/protocols/projection.ts';
import { isTrial } from '../../../src/contract/protocols/trial.ts';
import { boundaryValues } from '../../../src/values/boundary-values.ts';
import { plainValue } from '../../../src/values/plain-value.ts';
import { compareRecords } from '../../../src/check/reading/compare-records.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { depotDocument } from '../../check/fixture/depots.ts';
import { magazineDocument } from '../../check/fixture/magazine.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const thing = {
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' }, size: { type: 'integer' } },
};
const answered = { 200: { description: 'ok', ...jsonContent(thing) } };
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
        post: { ...described('create', answered), requestBody },
      },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: described('read', answered),
        put: { ...described('replace', answered), requestBody },
        patch: { ...described('update', answered), requestBody },
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

describe('operations of a relationship', () => {
  test('of OData are those on $ref, and name records by their addresses', () => {
    const key = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const boxes = { type: 'object', properties: { id: { type: 'string' } } };
    const reference = { type: 'object', properties: { '@odata.id': { type: 'string' } } };
    const shown = { schema: reference, example: { '@odata.id': "Boxes('a')" } };
    const contract = makeContract({
      paths: {
        '/Things': { get: { responses: many } },
        "/Things('{id}')": { parameters: [key], get: { responses: answered } },
        "/Things('{id}')/Box/$ref": {
          parameters: [key],
          put: {
            operationId: 'setBox',
            requestBody: { required: true, content: { 'application/json': shown } },
            responses: { 204: { description: 'set' } },
          },
          delete: { operationId: 'clearBox', responses: { 204: { description: 'cleared' } } },
        },
        '/Boxes': {
          get: {
            responses: {
              200: { description: 'ok', ...jsonContent({ type: 'array', items: boxes }) },
            },
          },
        },
        "/Boxes('{id}')": {
          parameters: [key],
          get: { responses: { 200: { description: 'ok', ...jsonContent(boxes) } } },
        },
      },
    });
    const [relationship] = factsOf(contract).relationships?.of ?? [];
    expect(relationship).toMatchObject({
      name: 'Box',
      many: false,
      form: { kind: 'address', member: '@odata.id', text: "Boxes('a')" },
    });
    const { named, set, remove } = relationship ?? {};
    expect([named?.name, set?.id, remove?.id]).toEqual(['Boxes', 'setBox', 'clearBox']);
  });
});

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
    expect(asText && writeNames(asText, ['name', 'size'])).toBe('name,size');
    expect(asList && writeNames(asList, ['name', 'size'])).toEqual(['name', 'size']);
    expect(readNames('name, size')).toEqual(['name', 'size']);
    expect(readNames(['name', 'size'])).toEqual(['name', 'size']);
    expect(readNames(undefined)).toEqual([]);
  });
});

describe('a projection', () => {
  test.each(['$select', 'read_mask', 'readMask', 'fields[things]'])('is %s of a GET', (name) => {
    const contract = things({ list: [{ name, ...text }], read: [{ name, ...text }] });
    const of = factsOf(contract).projections?.of ?? [];
    expect(of.map(({ operation, parameter }) => [operation.id, parameter.name])).toEqual([
      ['list', name],
      ['read', name],
    ]);
    expect(of[0]?.fields).toEqual(['name', 'size']);
    const list = operationOf(contract, 'list');
    expect(list.parameters.map((parameter) => isGoverned(list, parameter))).toEqual([true]);
    const [resource] = contract.resources;
    expect(resource && explainProtocols(contract, resource)).toEqual([
      `${name} of list and read names the fields that a response shows.`,
    ]);
  });

  test('asks for the identifier too, unless every record shows it', () => {
    const asking = (name: string): JsonValue | undefined => {
      const [one] = factsOf(things({ list: [{ name, ...text }] })).projections?.of ?? [];
      return one && writeProjection(one, ['name', 'size']);
    };
    expect(asking('read_mask')).toBe('id,name,size');
    expect(asking('fields[things]')).toBe('name,size');
  });

  test('is `fields` only where the contract shows names of fields as its values', () => {
    const shown = (values: string): unknown =>
      factsOf(things({ list: [{ name: 'fields', schema: { type: 'string', example: values } }] }))
        .projections?.of[0]?.parameter.name;
    expect(shown('id,name')).toBe('fields');
    expect(shown('meadows')).toBeUndefined();
    expect(factsOf(things({ list: [{ name: 'fields', ...text }] })).projections).toBeUndefined();
  });

  test('is the member of an object that has the name of the type', () => {
    const properties = { things: { type: 'string' }, people: { type: 'string' } };
    const fields = { name: 'fields', style: 'deepObject', schema: { type: 'object', properties } };
    const [one] = factsOf(things({ list: [fields] })).projections?.of ?? [];
    expect(one && writeProjection(one, ['name'])).toEqual({ things: 'name' });
    expect(one && readProjection(one, { things: 'name, size' })).toEqual(['name', 'size']);
  });

  test('of other records, or of a change, is none', () => {
    expect(factsOf(things({ list: [{ name: 'fields[people]', ...text }] }))).toEqual({});
    expect(factsOf(things({ update: [{ name: 'read_mask', ...text }] }))).toEqual({});
  });
});

describe('an inclusion', () => {
  const contract = parseContract(JSON.stringify(magazineDocument), 'magazine.json');

  test('names the relationships of the records, and what they refer to', () => {
    const articles = contract.resources.find(({ name }) => name === 'articles');
    const of = (articles && protocolsOf(contract, articles).inclusions?.of) ?? [];
    expect(of.map(({ operation }) => operation.path)).toEqual(['/articles', '/articles/{id}']);
    const relations = [...(of[0]?.relations ?? [])].map(([name, to]) => [name, to.name]);
    expect(relations).toEqual([
      ['author', 'people'],
      ['reviewers', 'people'],
    ]);
  });

  test('is no word for something else, and $expand is one', () => {
    const plain = operationOf(
      things({
        list: [
          { name: 'include', ...text },
          { name: '$expand', ...text },
        ],
      }),
      'list',
    );
    expect(plain.parameters.map((parameter) => isGoverned(plain, parameter))).toEqual([
      false,
      true,
    ]);
  });
});

describe('an entity tag in bodies', () => {
  const contract = parseContract(JSON.stringify(depotDocument), 'depots.json');

  test('is the member of records that a change repeats, and a deletion in its query', () => {
    const { tag } = factsOf(contract);
    expect(tag?.field).toBe('etag');
    expect(tag?.changes.map(({ id }) => id)).toEqual(['UpdateDepot']);
    expect(tag?.removal?.operation.id).toBe('DeleteDepot');
  });

  test('is not in the bodies that a client makes up', () => {
    const create = operationOf(contract, 'CreateDepot');
    const [media] = create.requestBody?.content ?? [];
    const members = media && [
      ...(withoutTag(create, media).schema?.flatten().properties.keys() ?? []),
    ];
    expect(members).toContain('display_name');
    expect(members).not.toContain('etag');
    const plain = operationOf(things({}), 'create');
    const [other] = plain.requestBody?.content ?? [];
    expect(other && withoutTag(plain, other)).toBe(other);
  });
});

describe('a trial', () => {
  const flag = { schema: { type: 'boolean' } };

  test.each(['validate_only', 'validateOnly'])('is a change with %s', (name) => {
    const contract = things({ create: [{ name, ...flag }], remove: [{ name, ...flag }] });
    const of = factsOf(contract).trials?.of ?? [];
    expect(of.map(({ operation }) => operation.id)).toEqual(['create', 'remove']);
    const [first] = of;
    const value = (given: boolean): boolean =>
      first !== undefined && isTrial(new Map([[first.parameter, given]]));
    expect([value(true), value(false)]).toEqual([true, false]);
  });

  test('is no text, and no other flag', () => {
    expect(factsOf(things({ create: [{ name: 'validate_only', ...text }] }))).toEqual({});
    expect(factsOf(things({ create: [{ name: 'validate', ...flag }] }))).toEqual({});
  });
});

test('a request id of a change is an idempotency key, and that of a list is none (AIP-155)', () => {
  const contract = things({
    create: [{ name: 'request_id', ...text }],
    list: [{ name: 'request_id', ...text }],
  });
  expect(idempotencyKey(operationOf(contract, 'create'))?.name).toBe('request_id');
  expect(idempotencyKey(operationOf(contract, 'list'))).toBeUndefined();
});

test('a deletion is undone by the method :undelete, and show_deleted shows it (AIP-164)', () => {
  const contract = parseContract(JSON.stringify(depotDocument), 'depots.json');
  const { softDelete } = factsOf(contract);
  expect(softDelete?.removal.id).toBe('DeleteDepot');
  expect(softDelete?.restore?.id).toBe('UndeleteDepot');
  expect(softDelete?.shown?.name).toBe('show_deleted');
  const flag = { name: 'show_deleted', schema: { type: 'boolean' } };
  expect(factsOf(things({ list: [flag] })).softDelete?.restore).toBeUndefined();
  const word = { name: 'show_deleted', schema: { type: 'string' } };
  const others = ['deleted', 'include_children', 'show_archived'].map((name) => ({
    ...flag,
    name,
  }));
  expect(factsOf(things({ list: [word, ...others] })).softDelete).toBeUndefined();
});

describe('the pages of a list', () => {
  const page = (members: JsonObject): JsonObject => ({
    type: 'object',
    properties: { ...members, items: { type: 'array', items: thing } },
  });
  const number = { schema: { type: 'integer' } };
  const listed = (
    media: string,
    members: JsonObject,
    parameters: readonly JsonObject[],
    description = 'ok',
  ): ProtocolFacts['pages'] =>
    factsOf(
      makeContract({
        paths: {
          '/items': {
            get: {
              operationId: 'list',
              parameters: parameters.map((one) => ({ in: 'query', ...one })),
              responses: { 200: { description, content: { [media]: { schema: page(members) } } } },
            },
          },
        },
      }),
    ).pages;

  test('name the next one by a token (AIP-158)', () => {
    const query = [
      { name: 'page_size', ...number },
      { name: 'page_token', ...text },
    ];
    const found = listed('application/json', { next_page_token: { type: 'string' } }, query);
    expect(found).toMatchObject({ style: 'AIP', isExact: true, zero: 'default' });
    expect(found?.next).toEqual({ at: '/next_page_token', by: 'token' });
    expect(found?.token?.name).toBe('page_token');
  });

  test('name the next one by its address, and are bounded together (OData)', () => {
    const found = listed(
      'application/json',
      { '@odata.nextLink': { type: 'string' }, '@odata.count': { type: 'integer' } },
      [
        { name: '$top', ...number },
        { name: '$skip', ...number },
        { name: '$count', schema: { type: 'boolean' } },
        { name: 'Prefer', in: 'header', ...text, example: 'odata.maxpagesize=5' },
      ],
    );
    expect(found).toMatchObject({ style: 'OData', isExact: false, zero: 'none' });
    expect(found?.next).toEqual({ at: '/@odata.nextLink', by: 'address' });
    expect([found?.bound?.name, found?.size?.by]).toEqual(['$top', 'preference']);
    expect(found?.count?.at).toBe('/@odata.count');
  });

  test('link to each other (JSON:API, HAL)', () => {
    const query = [
      { name: 'size', ...number },
      { name: 'cursor', ...text },
    ];
    const uri = { type: 'string', format: 'uri-reference' };
    const links = { links: { type: 'object', properties: { next: uri, last: uri } } };
    expect(listed('application/vnd.api+json', links, query)).toMatchObject({
      style: 'JSON:API',
      next: { at: '/links/next', by: 'address' },
      last: '/links/last',
      isExact: false,
    });
    const says = 'The link `next` is absent on the last page.';
    const open = { _links: { type: 'object' } };
    expect(listed('application/hal+json', open, query, says)?.next?.at).toBe('/_links/next/href');
    expect(listed('application/hal+json', open, query)?.next).toBeUndefined();
  });

  test('are none where a list shows no way from one to the next', () => {
    expect(listed('application/json', {}, [{ name: 'page', ...number }])).toBeUndefined();
  });
});

describe('a first value that stands for none (AIP-126)', () => {
  const kinds = { type: 'string', enum: ['KIND_UNSPECIFIED', 'VAN', 'TRUCK'] };
  const schemaOf = (node: JsonObject): Schema => {
    const [resource] = makeContract({
      paths: {
        '/vans': {
          get: {
            responses: {
              200: { description: 'ok', ...jsonContent({ type: 'array', items: node }) },
            },
          },
        },
      },
    }).resources;
    if (resource === undefined) throw new Error('no resource');
    return resource.record;
  };
  const properties = { id: { type: 'integer' }, size: { type: 'integer' } };
  const [van, plain] = [{ kind: kinds }, {}].map((more) =>
    schemaOf({ type: 'object', required: ['kind'], properties: { ...properties, ...more } }),
  );

  test('is never a plain value, and no edge', () => {
    if (van === undefined) throw new Error('no schema');
    const made = plainValue(van, { seed: 'a', direction: 'request' });
    const edges = boundaryValues(van, 'request').map(({ value }) => value);
    expect(JSON.stringify([made, edges])).not.toContain('UNSPECIFIED');
    expect(JSON.stringify(edges)).toContain('TRUCK');
    expect(van.accepts({ kind: 'KIND_UNSPECIFIED' }, 'request')).toBe(true);
  });

  test('shows that records leave out what is empty', () => {
    const lost = (schema: Schema | undefined, size: number): number =>
      schema === undefined
        ? 0
        : compareRecords({ size }, {}, { schema, absent: 'different', except: [] }).length;
    expect([lost(van, 0), lost(van, 2), lost(plain, 0)]).toEqual([0, 1, 1]);
  });
});
