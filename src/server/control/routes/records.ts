import type { Resource } from '../../../contract/model.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { problemResponse } from '../../../http/problem.ts';
import { VouchError } from '../../../errors.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { Put } from '../../../mock/control/record-browser.ts';
import { defaultSession } from '../../../mock/request/read-session.ts';
import type { ControlCall, ControlRoute } from '../control-parts.ts';
import { done, json, unknownName } from '../control-response.ts';
import { count, exactly, list, record, resourceView, storedRecord, text } from '../control-schemas.ts';
import { checkSession, readJson } from '../fields.ts';

const session = 'The session; without it, that of requests that name none';
const missing = { 404: { description: 'There is no such resource, or no such record' } };

/** The records themselves, past the contract's operations, but never against the contract. */
export const recordRoutes: readonly ControlRoute[] = [
  {
    id: 'listResources',
    method: 'GET',
    path: '/resources',
    summary: 'Every kind of record that the mock keeps, and how many there are; and the kinds that are kept for each record above them, which only the contract\'s operations show',
    query: { session },
    answers: { 200: { description: 'The resources', schema: exactly({ session: text, resources: list(resourceView), below: list(exactly({ name: text, path: text })) }) } },
    answer: async (call) => {
      const resources = await call.parts.mock.records.resources(sessionOf(call));
      return json({ session: sessionOf(call), resources: resources.map((resource) => ({ ...resource })), below: below(call.parts.mock.options.contract.resources) });
    },
  },
  {
    id: 'listRecords',
    method: 'GET',
    path: '/resources/{resource}/records',
    summary: 'Records of one kind, in the order in which they were added',
    query: { session, offset: 'How many to leave out; 0 unless told', limit: 'How many to show; 100 unless told, 1000 at most' },
    answers: { 200: { description: 'The records', schema: exactly({ session: text, total: count, offset: count, records: list(storedRecord) }) }, ...missing },
    answer: ofResource(listRecords),
  },
  {
    id: 'getRecord',
    method: 'GET',
    path: '/resources/{resource}/records/{id}',
    summary: 'One record',
    query: { session },
    answers: { 200: { description: 'The record', schema: record }, ...missing },
    answer: ofResource(getRecord),
  },
  {
    id: 'putRecord',
    method: 'PUT',
    path: '/resources/{resource}/records/{id}',
    summary: 'Adds a record, or replaces it; the contract must allow it',
    query: { session },
    body: record,
    answers: { 200: { description: 'It was replaced', schema: record }, 201: { description: 'It was added', schema: record }, ...missing, 409: { description: 'There is no room for another record' } },
    answer: ofResource(putRecord),
  },
  {
    id: 'deleteRecord',
    method: 'DELETE',
    path: '/resources/{resource}/records/{id}',
    summary: 'Removes a record',
    query: { session },
    answers: { 204: { description: 'It was removed' }, ...missing },
    answer: ofResource(deleteRecord),
  },
];

function below(resources: readonly Resource[]): JsonObject[] {
  const kept = resources.filter(({ kind, parents, name, collection }) => kind === 'collection' && parents.length > 0 && name === collection);
  return kept.map(({ name, collectionPath }) => ({ name, path: collectionPath }));
}

/** A call about a resource that the mock has. */
interface RecordCall extends ControlCall {
  readonly resource: string;
  readonly id: string;
}

function ofResource(answer: (call: RecordCall) => Promise<HttpResponse>): ControlRoute['answer'] {
  return async (call) => {
    const { resource = '', id = '' } = call.path;
    const { names } = call.parts.mock.records;
    return names.includes(resource) ? answer({ ...call, resource, id }) : unknownName('resource', resource, names);
  };
}

async function listRecords({ resource, ...call }: RecordCall): Promise<HttpResponse> {
  const offset = readNumber(call, 'offset', { unless: 0, most: Number.MAX_SAFE_INTEGER });
  const limit = readNumber(call, 'limit', { unless: 100, most: 1_000 });
  const { records, total } = await call.parts.mock.records.list(sessionOf(call), resource, { offset, limit });
  return json({ session: sessionOf(call), total, offset, records: records.map((stored) => ({ id: stored.id, record: stored.record })) });
}

async function getRecord(call: RecordCall): Promise<HttpResponse> {
  const found = await call.parts.mock.records.get(sessionOf(call), call.resource, call.id);
  return found === undefined ? noRecord(call) : json(found);
}

async function putRecord(call: RecordCall): Promise<HttpResponse> {
  const put = await call.parts.mock.records.put(sessionOf(call), call.resource, { id: call.id, record: readJson(call.request.body) });
  return answerPut(put, call);
}

function answerPut(put: Put, { resource }: RecordCall): HttpResponse {
  if (put.kind === 'full') return problemResponse(409, `The mock holds as many records as it may, so nothing was added to ${resource}. Delete records, or reset the mock.`);
  if (put.kind !== 'broken') return json(put.stored.record, put.kind === 'created' ? 201 : 200);
  const issues = put.issues.slice(0, 20).map(({ at, message, pointer, keyword }) => ({ at, rule: keyword, detail: `${at === '' ? 'The record' : at} ${message}.`, contract: pointer }));
  return problemResponse(400, `The contract does not allow this record of ${resource}. ${issues[0]?.detail ?? ''}`.trim(), { members: { issues } });
}

async function deleteRecord(call: RecordCall): Promise<HttpResponse> {
  return (await call.parts.mock.records.remove(sessionOf(call), call.resource, call.id)) ? done() : noRecord(call);
}

function noRecord({ resource, id }: RecordCall): HttpResponse {
  return problemResponse(404, `There is no record ${id.slice(0, 80)} of ${resource} in this session.`);
}

function sessionOf({ query }: Pick<ControlCall, 'query'>): string {
  return query['session'] === undefined ? defaultSession : checkSession(query['session']);
}

function readNumber({ query }: Pick<ControlCall, 'query'>, name: string, { unless, most }: { readonly unless: number; readonly most: number }): number {
  const written = query[name];
  if (written === undefined) return unless;
  if (/^\d{1,15}$/.test(written) && Number(written) <= most) return Number(written);
  throw new VouchError('usage', `${name} must be a whole number from 0${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${String(most)}`}.`);
}
