import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import {
  type Answered,
  type Call,
  alarms,
  findingsOf,
  jsonObject,
} from './fixture/inline-service.ts';

const contract = parseContract(
  `
openapi: 3.2.0
info: { title: Lids, version: 1.0.0 }
components:
  schemas:
    Lid: { type: object, required: [id, colour, width], properties: { id: { type: string },
        colour: { type: string, enum: [red, blue] }, width: { type: integer, minimum: 1,
        maximum: 900 } } }
  responses:
    Refused: { description: refused }
    Lids: { description: the lids, content: { application/json: { schema: { type: array,
        items: { $ref: '#/components/schemas/Lid' } } } } }
paths:
  /lids:
    get: { operationId: listLids, responses: { '200': { $ref: '#/components/responses/Lids' } } }
    query:
      operationId: searchLids
      requestBody: { required: true, content: { application/json: { schema: { type: object,
          properties: { colour: { type: string, enum: [red, blue] }, limit: { type: integer,
          minimum: 1, maximum: 50 } } } } } }
      responses: { '200': { $ref: '#/components/responses/Lids' }, '400': {
          $ref: '#/components/responses/Refused' }, '415': {
          $ref: '#/components/responses/Refused' } }
`.trimStart(),
  'lids.yaml',
);

type Lid = Record<string, unknown>;
type Quirk = (asked: Record<string, unknown>, lids: Lid[], call: Call) => Answered | undefined;

const colours: readonly unknown[] = ['red', 'blue', undefined];

/** A service that keeps the contract, but for a quirk of its QUERY. */
function serviceWith(quirk: Quirk = () => undefined): (call: Call) => Answered {
  const lids: Lid[] = ['red', 'blue', 'red'].map((colour, index) => ({
    id: `lid-${String(index)}`,
    colour,
    width: 10 + index,
  }));
  return (call) => {
    if (call.path.join('/') !== 'lids') return { status: 404 };
    if (call.method === 'GET' || call.method === 'HEAD') return { status: 200, json: lids };
    if (call.method !== 'QUERY') return { status: 405, headers: { Allow: 'GET, HEAD, QUERY' } };
    const asked = jsonObject(call.body);
    const odd = quirk(asked ?? {}, lids, call);
    if (odd !== undefined) return odd;
    if (call.header('content-type') !== 'application/json') return { status: 415 };
    // Bytes that are not UTF-8 are read as a replacement character.
    if (asked === undefined || call.body.includes('\uFFFD')) return { status: 400 };
    if (!colours.includes(asked['colour'])) return { status: 400 };
    const { colour, limit = 50 } = asked;
    if (!Number.isInteger(limit) || Number(limit) < 1 || Number(limit) > 50) return { status: 400 };
    const found = lids.filter((lid) => colour === undefined || lid['colour'] === colour);
    return { status: 200, json: found.slice(0, Number(limit)) };
  };
}

describe('a QUERY is sent with its body, as a read', () => {
  test('in a run that only reads too', async () => {
    const sent: string[] = [];
    const service = serviceWith();
    const findings = await findingsOf(
      contract,
      (call) => {
        sent.push(`${call.method} ${call.body}`);
        return service(call);
      },
      { mode: 'read-only' },
    );
    expect(alarms(findings)).toEqual([]);
    expect(sent).toContain('QUERY {"colour":"blue"}');
    expect(sent).toContain('QUERY not JSON');
  });

  test.each<[string, RegExp, Quirk]>([
    [
      'an answer that breaks its schema',
      /error body-matches-schema searchLids/,
      () => ({ status: 200, json: [{ id: 7, colour: 'red', width: 3 }] }),
    ],
    [
      'a value that the schema excludes and the service accepts',
      /error invalid-refused searchLids/,
      ({ colour, limit }, lids, call) =>
        colour === 'unlisted' && limit !== null && call.method === 'QUERY'
          ? { status: 200, json: lids }
          : undefined,
    ],
    [
      'a failure at an edge',
      /error no-server-error searchLids/,
      ({ limit }) => (limit === 50 ? { status: 500 } : undefined),
    ],
    [
      'a valid body that is refused',
      /error valid-accepted searchLids/,
      ({ colour }) => (colour === 'blue' ? { status: 400 } : undefined),
    ],
  ])('%s is found', async (_name, expected, quirk) => {
    expect(alarms(await findingsOf(contract, serviceWith(quirk))).join('\n')).toMatch(expected);
  });
});
