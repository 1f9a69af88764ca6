import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { parseContract } from '../../src/contract/load.ts';
import { type Call, jsonObject, type Service, targetOf } from './fixture/inline-service.ts';

const text = { type: 'string' };
const places = { type: 'array', items: { type: 'object', properties: { name: text } } };
const lamp = { type: 'object', required: ['name'], properties: { name: text, places } };
const sent = { type: 'object', required: ['name'], properties: { name: text } };
const room = { type: 'object', required: ['id'], properties: { id: text } };
const json = (schema: object): object => ({ 'application/json': { schema } });
const answers = (status: number, schema: object): object => ({
  [status]: { description: 'done', content: json(schema) },
  404: { description: 'there is none' },
});
const inPath = (...names: readonly string[]): object[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: text }));
const listOf = (items: object): object => ({ type: 'array', items });

/** Lamps of rooms. Other paths name a lamp without its room, and one of its places. */
const paths = {
  '/rooms': { get: { operationId: 'listRooms', responses: answers(200, listOf(room)) } },
  '/rooms/{roomId}/lamps': {
    parameters: inPath('roomId'),
    post: {
      operationId: 'createLamp',
      requestBody: { required: true, content: json(sent) },
      responses: answers(201, lamp),
    },
    get: { operationId: 'listLamps', responses: answers(200, listOf(lamp)) },
  },
  '/rooms/{roomId}/lamps/{lampName}': {
    parameters: inPath('roomId', 'lampName'),
    get: { operationId: 'getLamp', responses: answers(200, lamp) },
    delete: { operationId: 'deleteLamp', responses: { 204: { description: 'gone' } } },
  },
  '/rooms/{roomId}/lamps/{lampName}/places/{place}/on': {
    parameters: inPath('roomId', 'lampName', 'place'),
    post: { operationId: 'lightPlace', responses: answers(200, lamp) },
  },
  '/lamps/{lampName}/bulbs': {
    parameters: inPath('lampName'),
    get: { operationId: 'listBulbs', responses: answers(200, listOf(text)) },
    put: {
      operationId: 'replaceBulbs',
      requestBody: { required: true, content: json(listOf(text)) },
      responses: answers(200, listOf(text)),
    },
  },
  '/house/get_current': {
    post: { operationId: 'getCurrentHouse', responses: answers(200, room) },
  },
};
const contract = parseContract(
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Lamps', version: '1' }, paths }),
  'lamps.json',
);

/** The requests of a run, each with the status of its answer. */
async function statusesOf(): Promise<string[]> {
  const lamps = new Map([['hall', {}]]);
  const shown = (name: string): object => ({ name, places: [{ name: 'left' }] });
  const answer: Service = (call: Call) => {
    const [list, name = '', kind, own = '', part, place] = call.path;
    if (call.target === '/rooms') return { status: 200, json: [{ id: 'r1' }] };
    if (call.target === '/house/get_current') return { status: 200, json: { id: 'r1' } };
    if (list === 'lamps')
      return lamps.has(decodeURIComponent(name)) ? { status: 200, json: [] } : { status: 404 };
    if (list !== 'rooms' || name !== 'r1' || kind !== 'lamps') return { status: 404 };
    const lampName = decodeURIComponent(own);
    if (call.method === 'POST' && own === '') {
      const given = String(jsonObject(call.body)?.['name'] ?? '');
      lamps.set(given, {});
      return { status: 201, json: shown(given) };
    }
    if (own === '') return { status: 200, json: [...lamps.keys()].map(shown) };
    if (!lamps.has(lampName)) return { status: 404 };
    if (part === 'places' && place !== 'left') return { status: 404 };
    if (call.method === 'DELETE') return { status: lamps.delete(lampName) ? 204 : 404 };
    return { status: 200, json: shown(lampName) };
  };
  const log: string[] = [];
  const service: Service = async (call) => {
    const answered = await answer(call);
    log.push(`${call.method} ${call.target} ${String(answered.status)}`);
    return answered;
  };
  await checkTarget({ ...targetOf(service), contract, seed: 'lamps', mode: 'read-write' });
  return log;
}

describe('a path that names a record beside its own path', () => {
  test('takes records of the run, parts that they show, and no record of others', async () => {
    const log = await statusesOf();
    const changes = log.filter((line) => /^(?:POST|PUT|DELETE) /.test(line));
    expect(log).toContainEqual(expect.stringMatching(/^GET \/lamps\/[^/]+\/bulbs 200$/));
    expect(changes).toContainEqual(expect.stringMatching(/^PUT \/lamps\/vouch[^/]*\/bulbs 200$/));
    expect(changes).toContainEqual(
      expect.stringMatching(/^POST \/rooms\/r1\/lamps\/vouch[^/]*\/places\/left\/on 200$/),
    );
    expect(changes.filter((line) => /\/hall\b/.test(line))).toEqual([]);
  });

  test('a POST without a body that only reads is sent', async () => {
    expect(await statusesOf()).toContain('POST /house/get_current 200');
  });
});
