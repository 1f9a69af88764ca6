import { expect, test } from 'vitest';
import { alarms, findingsOf, jsonObject, type Service } from '../../fixture/inline-service.ts';
import { contractOf } from '../../fixture/odd-contract.ts';

const note = 'content: { application/json: { schema: { $ref: "#/components/schemas/Note" } } }';
const tagged = `headers: { ETag: { required: true, schema: { type: string } } }, ${note}`;

const contract = contractOf(`
paths:
  /notes:
    post: { operationId: addNote, requestBody: { required: true, ${note} }, responses: {
        '201': { description: made, ${tagged} }, '400': { description: no } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getNote, responses: { '200': { description: ok, ${tagged} }, '404': {
        description: none } } }
    put: { operationId: putNote, requestBody: { required: true, ${note} }, responses: {
        '200': { description: changed, ${tagged} }, '400': { description: no }, '404': {
        description: none } } }
    delete: { operationId: dropNote, responses: { '204': { description: gone }, '404': {
        description: none } } }
components: { schemas: { Note: { type: object, required: [text], properties: { id: { type: string,
    readOnly: true }, text: { type: string } } } } }`);

/** Notes with weak tags that count the versions; `behind` is how far that of a change is. */
const notes = (behind: number): Service => {
  const kept = new Map<string, { id: string; text: string; version: number }>();
  let made = 0;
  return ({ method, path: [kind, id], body, header }) => {
    if (kind !== 'notes') return { status: 404 };
    const sent = jsonObject(body);
    const text = sent?.['text'];
    const isWrite = method === 'POST' || method === 'PUT';
    if (id === undefined && method !== 'POST') return { status: 405, headers: { Allow: 'POST' } };
    const before = id === undefined ? undefined : kept.get(id);
    if (id !== undefined && before === undefined) return { status: 404 };
    if (isWrite && (typeof text !== 'string' || header('content-type') !== 'application/json'))
      return { status: 400 };
    if (method === 'DELETE') return { status: kept.delete(id ?? '') ? 204 : 404 };
    if (!isWrite && method !== 'GET' && method !== 'HEAD')
      return { status: 405, headers: { Allow: 'GET, PUT, DELETE' } };
    const own = before?.id ?? `n${String((made += 1))}`;
    const version = (before?.version ?? 0) + Number(isWrite && text !== before?.text);
    const next = isWrite ? { id: own, text: String(text), version } : before;
    if (next === undefined) return { status: 404 };
    kept.set(own, next);
    const told = version - (method === 'PUT' ? behind : 0);
    const headers = { ETag: `W/"${String(told)}"` };
    const status = method === 'POST' ? 201 : 200;
    return { status, json: { id: own, text: next.text }, headers };
  };
};

test('weak tags that count the versions have no finding', async () => {
  expect(alarms(await findingsOf(contract, notes(0)))).toEqual([]);
});

test('a change whose answer has the weak tag of the version before is found', async () => {
  const lines = alarms(await findingsOf(contract, notes(1))).join('\n');
  expect(lines).toMatch(/error condition-holds .*The answer to putNote has the ETag W/);
});
