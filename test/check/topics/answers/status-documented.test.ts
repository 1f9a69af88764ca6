import { expect, test } from 'vitest';
import { statusDocumented } from '../../../../src/check/topics/answers/status-documented.ts';
import type { Intent } from '../../../../src/check/model/case.ts';
import type { Source } from '../../../../src/check/model/request-template.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { type Said, talk } from '../../fixture/talk.ts';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const thing = { type: 'object', properties: { id: { type: 'string' } } };
const answers = (status: number): JsonObject => ({
  responses: { [status]: { description: '', ...jsonContent(thing) } },
});
const contract = makeContract({
  paths: {
    '/things': { post: { requestBody: jsonContent(thing), ...answers(201) } },
    '/things/{id}': { parameters: [id], delete: { responses: { 204: { description: '' } } } },
    '/things/{id}/start': { parameters: [id], post: answers(200) },
  },
});

const made: Said = { ask: 'POST /things', status: 201, body: {}, answer: { id: 'a' } };
const gone: Said = { ask: 'DELETE /things/a', status: 204 };
const started: Said = { ask: 'POST /things/a/start', answer: { id: 'a' } };
const refused = (status: number): Said => ({ ask: 'POST /things/a/start', status, answer: {} });

/** Whether an undocumented status is an error of the service, after this was said. */
function isError(said: readonly Said[]): boolean {
  const found = statusDocumented.inspect(talk(contract, said)) ?? [];
  return found.some(({ severity }) => severity === undefined);
}

test.each([404, 410])('an undocumented %i is a gap where the record may be missing', (status) => {
  expect(isError([made, refused(status)])).toBe(false);
  expect(isError([made, started, gone, refused(status)])).toBe(false);
  expect(isError([made, started, refused(status)])).toBe(true);
});

test('another undocumented refusal is not about the record', () => {
  expect(isError([made, refused(409)])).toBe(true);
  expect(isError([made, started, gone, refused(409)])).toBe(true);
});

test('a path that no server can read names no record', () => {
  const said = talk(contract, [made, started, refused(404)]);
  const asked = (unreadable?: true): Intent => ({
    kind: 'invalid',
    at: '/parameters/id',
    rule: 'id is %zz',
    part: 'path',
    subject: 'id',
    accepted: 'fine',
    ...(unreadable === undefined ? {} : { unreadable }),
  });
  const severityOf = (intent: Intent): unknown =>
    statusDocumented.inspect({ ...said, case: { ...said.case, intent } })?.[0]?.severity;
  expect(severityOf(asked(true))).toBe('note');
  expect(severityOf(asked())).toBeUndefined();
});

test('a number in the path that its schema allows, and nothing shows, names no record', () => {
  const said = talk(contract, [
    { ask: 'POST /things/99999999999999999999/start', status: 404, answer: {} },
  ]);
  // Other requests of the run have found a record.
  const found = { count: 1, p50: 1, p95: 1, max: 1 };
  const knowledge = { ...said.knowledge, latencies: new Map([[said.operation.id, found]]) };
  const severityOf = (accepted: 'error' | 'fine'): unknown => {
    const intent: Intent = {
      kind: 'invalid',
      at: '/parameters/id',
      rule: 'id is 99999999999999999999',
      part: 'path',
      subject: 'id',
      accepted,
    };
    const asked = { ...said, knowledge, case: { ...said.case, intent } };
    return statusDocumented.inspect(asked)?.[0]?.severity;
  };
  expect(severityOf('fine')).toBe('note');
  expect(severityOf('error')).toBeUndefined();
});

test('a record that the run only knows may be deleted by others', () => {
  const said = talk(contract, [made, started, refused(404)]);
  const isErrorWith = (source: Source): boolean => {
    const [parameter] = said.operation.parameters;
    const given = parameter === undefined ? [] : [{ parameter, source }];
    const request = { ...said.case.request, arguments: given };
    const found = statusDocumented.inspect({ ...said, case: { ...said.case, request } }) ?? [];
    return found.some(({ severity }) => severity === undefined);
  };
  expect(isErrorWith({ kind: 'known', resource: 'things' })).toBe(false);
  expect(isErrorWith({ kind: 'created', resource: 'things' })).toBe(true);
});

test.each([
  ['that no operation takes', 'VOUCH_TOKEN', [], 'note'],
  ['that others take', 'VOUCH_TOKEN', ['VOUCH_TOKEN'], undefined],
  ['that is none of the run', undefined, [], undefined],
])('an undocumented 401 to a credential %s', (_which, credential, taken, severity) => {
  const responses = { 200: { description: '', ...jsonContent(thing) }, 403: { description: '' } };
  const closed = makeContract({
    paths: { '/things': { get: { responses } } },
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    security: [{ key: [] }],
  });
  const said = talk(closed, [{ ask: 'GET /things', status: 401, answer: {} }]);
  const [found] =
    statusDocumented.inspect({
      ...said,
      sent: { ...said.sent, ...(credential === undefined ? {} : { credential }) },
      knowledge: { ...said.knowledge, authorised: new Set(taken) },
    }) ?? [];
  expect(found).toMatchObject({ actual: '401' });
  expect(found?.severity).toBe(severity);
});
