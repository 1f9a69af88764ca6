import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../../src/contract/load.ts';
import { alarms, findingsOf, type Answered, type Service } from '../../fixture/inline-service.ts';

const notes = parseContract(
  `openapi: 3.1.0
info: { title: Notes, version: '1' }
servers: [{ url: / }]
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } }
      } } } } }
    post: { operationId: addNote, requestBody: { required: true, content: { application/json: {
      schema: { $ref: '#/components/schemas/Note' } } } }, responses: { '201': { description: made,
      content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } },
      '400': { description: bad }, '415': { description: bad } } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, responses: { '200': { description: ok, content: {
      application/json: { schema: { $ref: '#/components/schemas/Note' } } } },
      '400': { description: bad }, '404': { description: none } } }
components:
  schemas:
    Note: { type: object, required: [text], additionalProperties: false, properties: {
      id: { type: integer, readOnly: true }, text: { type: string, minLength: 1, maxLength: 80 }
      } }`,
  'notes.yaml',
);

interface Note {
  readonly id: number;
  readonly text: string;
}

/** Keeps notes for ever: there is no deletion. `doubles` keeps each one twice. */
function makeService({ doubles = false } = {}): Service {
  const kept: Note[] = [];
  const add = (text: string): Note => {
    const note = { id: kept.length + 1, text };
    kept.push(note);
    return note;
  };
  return ({ method, path: [area, id], body, header }): Answered => {
    if (area !== 'notes') return { status: 404 };
    if (id !== undefined) {
      if (method !== 'GET') return { status: 405, headers: { Allow: 'GET, HEAD' } };
      if (!/^\d+$/.test(id)) return { status: 400 };
      const note = kept.find((each) => String(each.id) === id);
      return note === undefined ? { status: 404 } : { status: 200, json: note };
    }
    if (method === 'GET') return { status: 200, json: kept };
    if (method !== 'POST') return { status: 405, headers: { Allow: 'GET, HEAD, POST' } };
    if (header('content-type')?.startsWith('application/json') !== true) return { status: 415 };
    const text = textOf(body);
    if (text === undefined) return { status: 400 };
    const note = add(text);
    if (doubles) add(text);
    return { status: 201, json: note };
  };
}

function textOf(body: string): string | undefined {
  try {
    const value = JSON.parse(body) as { text?: unknown; id?: unknown };
    const { text, id: _ignored, ...others } = value;
    const isText = typeof text === 'string' && text !== '' && [...text].length <= 80;
    return isText && Object.keys(others).length === 0 ? text : undefined;
  } catch {
    return undefined;
  }
}

describe('runs with one seed against a service that keeps everything', () => {
  test('report nothing, however often they are repeated', async () => {
    const service = makeService();
    for (let run = 1; run <= 3; run += 1)
      expect(alarms(await findingsOf(notes, service, { seed: 'same' }))).toEqual([]);
  });

  test('report a create that makes two records each time', async () => {
    const service = makeService({ doubles: true });
    for (let run = 1; run <= 2; run += 1)
      expect(alarms(await findingsOf(notes, service, { seed: 'same' })).join('\n')).toContain(
        'One create made two records',
      );
  });
});
