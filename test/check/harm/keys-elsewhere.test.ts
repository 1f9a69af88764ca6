import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { keyNames } from '../../../src/check/reading/record-keys.ts';
import { type Answered, type Call, findingsOf, jsonObject } from '../fixture/inline-service.ts';

const done = `'200': { description: done, content: { application/json: { schema: { type: object,
        properties: { ok: { type: boolean } } } } } }`;
const body = (members: string): string =>
  `requestBody: { required: true, content: { application/json: { schema: { type: object,
        required: [${members.split(':', 1)[0] ?? ''}], properties: { ${members} } } } } }`;
const query = (name: string, more = ''): string =>
  `{ name: ${name}, in: query, schema: { type: integer, minimum: 1 }${more} }`;

const document = `openapi: 3.1.0
info: { title: Loans, version: '1' }
paths:
  /loan/extend:
    post: { operationId: extendLoan, ${body('loanId: { type: integer, minimum: 1, example: 4 }')},
      responses: { ${done} } }
  /loan/remind:
    post: { operationId: remindOf, responses: { ${done} },
      ${body('loanIds: { type: array, minItems: 1, items: { type: integer, minimum: 1 } }')} }
  /loan/note:
    post: { operationId: noteOn, responses: { ${done} },
      ${body(`note: { type: object, required: [loanId],
        properties: { loanId: { type: integer } } }`)} }
  /loan/nudge:
    post: { operationId: nudgeReader, parameters: [${query('readerId', ', required: true')}],
      responses: { ${done} } }
  /loans:
    post:
      operationId: addLoan
      parameters: [${query('id')}, { name: action, in: query, schema: { type: string,
        enum: [lend, undo] } }]
      ${body('title: { type: string }')}
      responses: { ${done} }`;

describe('a key is a key wherever it stands', () => {
  test.each(['a', 'b', 'c', 'd'])('none is that of somebody, with the seed %s', async (seed) => {
    const asked: string[] = [];
    const touched: string[] = [];
    const service = ({ method, path, target, query: given, body: sent }: Call): Answered => {
      if (method !== 'POST') return { status: path.length > 1 ? 405 : 404 };
      asked.push(`/${path.join('/')}`);
      const values = jsonObject(sent) ?? {};
      const note = values['note'] as { readonly loanId?: unknown } | undefined;
      const keys = [
        values['loanId'],
        note?.loanId,
        ...(Array.isArray(values['loanIds']) ? values['loanIds'] : []),
        ...['readerId', 'id'].flatMap((name) => given.getAll(name)),
      ];
      // Services that number records from 1 have such a record; some read texts as numbers.
      const isOfOthers = keys.some((key) => Number(key) >= 1 && Number(key) < 1_000_000);
      if (isOfOthers) touched.push(`${target} ${sent}`);
      return { status: 200, json: { ok: isOfOthers } };
    };
    await findingsOf(parseContract(document, 'loans.yaml'), service, {
      seed,
    });
    expect(touched).toEqual([]);
    expect([...new Set(asked)].toSorted()).toEqual([
      '/loan/extend',
      '/loan/note',
      '/loan/nudge',
      '/loan/remind',
      '/loans',
    ]);
  });

  test.each(['a', 'b', 'c'])('whatever it is called, with the seed %s', async (seed) => {
    const seat =
      '{ type: object, properties: { seatNo: { type: integer }, row: { type: string } } }';
    const shows = `'200': { description: ok, content: { application/json: { schema: ${seat} } } }`;
    const seats = `openapi: 3.1.0
info: { title: Seats, version: '1' }
paths:
  /seat:
    get: { operationId: getSeat, responses: { ${shows} }, parameters: [
      { name: seatNo, in: query, required: true, schema: { type: integer }, example: 2 }] }
  /seat/extend:
    post: { operationId: extendSeat, responses: { ${done} },
      ${body('seatNo: { type: integer, example: 1 }')} }
  /seats/remind:
    post: { operationId: remindOfSeats, responses: { ${done} },
      ${body('seatNos: { type: array, items: { type: integer }, example: [1, 2] }')} }
  /seat/label:
    post: { operationId: labelSeat, responses: { ${done} }, parameters: [
      { name: seatNo, in: query, required: true, schema: { type: integer }, example: 3 }] }`;
    const touched: string[] = [];
    const asked = new Set<string>();
    const service = ({ method, path, target, query: given, body: sent }: Call): Answered => {
      if (method === 'GET') return { status: 200, json: { seatNo: 2, row: 'A' } };
      if (method !== 'POST') return { status: 405 };
      asked.add(path.join('/'));
      const { seatNo, seatNos } = jsonObject(sent) ?? {};
      const keys = [given.get('seatNo'), seatNo, ...(Array.isArray(seatNos) ? seatNos : [])];
      if (keys.some((key) => Number(key) >= 1 && Number(key) < 1_000_000))
        touched.push(`${target} ${sent}`);
      return { status: 200, json: { ok: true } };
    };
    await findingsOf(parseContract(seats, 'seats.yaml'), service, { seed });
    expect(touched).toEqual([]);
    expect([...asked].toSorted()).toEqual(['seat/extend', 'seat/label', 'seats/remind']);
  });

  test.each(['a', 'b', 'c'])('also behind a plain noun, with the seed %s', async (seed) => {
    const stamp = '{ type: object, required: [code], properties: { code: { type: string } } }';
    const shows = (schema: string): string =>
      `'200': { description: ok, content: { application/json: { schema: ${schema} } } }`;
    const stamps = `openapi: 3.1.0
info: { title: Stamps, version: '1' }
paths:
  /stamps:
    get: { operationId: listStamps, responses: { ${shows(`{ type: array, items: ${stamp} }`)} } }
  /stamps/{code}:
    get: { operationId: getStamp, responses: { ${shows(stamp)} }, parameters: [
      { name: code, in: path, required: true, schema: { type: string } }] }
  /mail/weigh:
    post: { operationId: weighMail, responses: { ${done} }, parameters: [
      { name: stamp, in: query, required: true, schema: { type: string }, example: B2 }] }
  /mail/frank:
    post: { operationId: frankMail, responses: { ${done} },
      ${body('stamp: { type: string, example: A1 }')} }`;
    const touched: string[] = [];
    let acted = 0;
    const all = [{ code: 'A1' }, { code: 'B2' }];
    const service = ({ method, path, target, query: given, body: sent }: Call): Answered => {
      const one = all.find(({ code }) => code === path[1]);
      if (method === 'GET' && path[0] === 'stamps' && path.length === 1)
        return { status: 200, json: all };
      if (method === 'GET') return one === undefined ? { status: 404 } : { status: 200, json: one };
      if (method !== 'POST' || path[0] !== 'mail') return { status: 405 };
      acted += 1;
      const named = [given.get('stamp'), jsonObject(sent)?.['stamp']];
      if (named.some((code) => code === 'A1' || code === 'B2')) touched.push(`${target} ${sent}`);
      return { status: 200, json: { ok: true } };
    };
    await findingsOf(parseContract(stamps, 'stamps.yaml'), service, { seed });
    expect(touched).toEqual([]);
    expect(acted).toBeGreaterThan(0);
  });

  test('the page of a list is none', () => {
    const page =
      '{ type: object, properties: { page: { type: integer }, items: { type: array, items: ' +
      '{ type: object, required: [id], properties: { id: { type: integer } } } } } }';
    const rooms = `openapi: 3.1.0
info: { title: Rooms, version: '1' }
paths:
  /rooms:
    get: { operationId: listRooms, parameters: [${query('page', ', required: true')}],
      responses: { '200': { description: all, content: { application/json: { schema:
        ${page} } } } } }
  /room:
    delete: { operationId: removeRoom, parameters: [${query('roomNo', ', required: true')}],
      responses: { '204': { description: gone } } }`;
    expect([...keyNames(parseContract(rooms, 'rooms.yaml'))]).toEqual(['roomno']);
  });
});
