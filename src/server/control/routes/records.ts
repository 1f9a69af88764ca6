import { wordsIn } from '../../../words-in.ts';
import { type JsonObject, pick, pickOrNull } from '../../../json/value.ts';
import type { SchemaIssue } from '../../../contract/model.ts';
import { usage } from '../../../errors.ts';
import { headerValue, type HttpResponse } from '../../../http/message.ts';
import { decodePercent, describeBrokenPercent } from '../../../http/target.ts';
import { problemResponse } from '../../../http/problem.ts';
import type { Put, RecordPlace, ResourceView } from '../../../mock/control/record-browser.ts';
import type { RecordKind } from '../../../mock/control/record-kinds.ts';
import { onlyRecord } from '../../../mock/records/find-record.ts';
import { defaultSession } from '../../../mock/request/request-context.ts';
import type { RecordForm } from '../../console/console-api.ts';
import { formFields } from '../../console/form-fields.ts';
import type { ControlCall, ControlRoute } from '../control-parts.ts';
import { checkSession, done, json, readJson, readTrue, unknownName } from '../fields.ts';
import {
  count,
  list,
  orNull,
  placedRecord,
  record,
  resourceView,
  shows,
  text,
} from '../control-schemas.ts';

const session = 'The session; without it, that of requests that name none';
const parent =
  'The identifiers of the records above, the outermost first, each ' +
  'percent-encoded, with slashes between them: 17, or 17/3';
const onlyNew = 'With *, a record that is there already is not replaced (RFC 9110, section 13.1.2)';
const missing = { 404: 'There is no such resource, no such record above, or no such record' };

/**
 * Direct access to records without the contract's operations; records must still conform to the
 * contract.
 */
export const recordRoutes: readonly ControlRoute[] = [
  {
    id: 'listResources',
    method: 'GET',
    path: '/resources',
    summary:
      'Every kind of record that the mock keeps, what its records stand below, ' +
      'and how many there are; null below more than 200 others. A singleton ' +
      `has one record, which goes by the id ${onlyRecord} here`,
    query: { session },
    answers: { 200: shows('The resources', { session: text, resources: list(resourceView) }) },
    answer: async (call) =>
      json({
        session: sessionOf(call),
        resources: (await call.parts.mock.records.resources(sessionOf(call))).map(showResource),
      }),
  },
  {
    id: 'listRecords',
    method: 'GET',
    path: '/resources/{resource}/records',
    summary:
      'Records of one kind, in the order in which they were added; those below ' +
      'one record, or below any',
    query: {
      session,
      parent,
      offset: 'How many to skip; default: 0',
      limit: 'How many to show; default: 100, at most 1000',
    },
    answers: {
      200: shows('The records', {
        session: text,
        total: count,
        offset: count,
        records: list(placedRecord),
      }),
      ...missing,
    },
    answer: ofPlace('any', listRecords),
  },
  {
    id: 'getRecordForm',
    method: 'GET',
    path: '/resources/{resource}/form',
    summary:
      'The members of a record with their kinds and rules, for a form; null where only JSON can ' +
      'describe the records',
    answers: { 200: shows('The fields', { fields: orNull(list(record)) }), 404: missing[404] },
    answer: ofPlace('any', async ({ parts, kind }) => {
      const schema = parts.mock.records.schemaOf(kind.name);
      return json({ fields: (schema && formFields(schema)) ?? null } satisfies RecordForm);
    }),
  },
  {
    id: 'getRecord',
    method: 'GET',
    path: '/resources/{resource}/records/{id}',
    summary: 'One record',
    query: { session, parent },
    answers: { 200: { description: 'The record', schema: record }, ...missing },
    answer: ofPlace('one', getRecord),
  },
  {
    id: 'putRecord',
    method: 'PUT',
    path: '/resources/{resource}/records/{id}',
    summary: 'Adds a record, or replaces it; the contract must allow it',
    query: {
      session,
      parent,
      dry: 'With true, nothing is stored: the response says whether the contract allows the record',
    },
    headers: { 'If-None-Match': onlyNew },
    body: record,
    answers: {
      200: { description: 'It was replaced', schema: record },
      201: { description: 'It was added', schema: record },
      204: 'The contract allows it; nothing was stored',
      ...missing,
      409: 'There is no room for another record',
      412: 'It is there already',
    },
    answer: ofPlace('one', putRecord),
  },
  {
    id: 'deleteRecord',
    method: 'DELETE',
    path: '/resources/{resource}/records/{id}',
    summary: 'Removes a record',
    query: { session, parent },
    answers: {
      204: 'It was removed',
      ...missing,
      409: 'The contract knows no time without it',
    },
    answer: ofPlace('one', deleteRecord),
  },
];

/** A resource in the control API. */
export function showResource(view: ResourceView): JsonObject {
  return {
    ...pickOrNull(view, wordsIn('kind name collection path identifier identifierType removable')),
    parents: view.parents.map((above) => pickOrNull(above, wordsIn('parameter resource field'))),
    count: view.count ?? null,
  };
}

/** A request for records at a location. */
interface RecordCall extends ControlCall {
  readonly kind: RecordKind;
  readonly place: RecordPlace;
  readonly id: string;
}

/** A request for one record must name its parents; one for several may leave them out. */
function ofPlace(
  which: 'one' | 'any',
  answer: (call: RecordCall) => Promise<HttpResponse>,
): ControlRoute['answer'] {
  return async (call) => {
    const { resource = '', id = '' } = call.path;
    const { records } = call.parts.mock;
    const kind = records.kinds.find(({ name }) => name === resource);
    if (kind === undefined)
      return unknownName(
        'resource',
        resource,
        records.kinds.map(({ name }) => name),
      );
    if (which === 'one' && kind.kind === 'singleton' && id !== onlyRecord)
      return problemResponse(
        404,
        `There is no record ${id.slice(0, 80)} of ${resource}, which is one ` +
          `record at ${kind.path}. Here it goes by the id ${onlyRecord}.`,
      );
    const place = {
      session: sessionOf(call),
      resource,
      parents: readParents(call.query['parent'], kind, which),
    };
    const nothing = await records.missing(place);
    return nothing === undefined
      ? answer({ ...call, kind, place, id })
      : problemResponse(404, nothing);
  };
}

async function listRecords({ place, ...call }: RecordCall): Promise<HttpResponse> {
  const offset = readNumber(call, 'offset', { unless: 0, max: Number.MAX_SAFE_INTEGER });
  const limit = readNumber(call, 'limit', { unless: 100, max: 1_000 });
  const page = await call.parts.mock.records.list(place, { offset, limit });
  if (page === undefined)
    throw usage(
      `The records of ${place.resource} stand below more than 200 others, too ` +
        'many to look below each.',
      { hint: 'Say below which one, by the query parameter parent.' },
    );
  return json({
    session: place.session,
    total: page.total,
    offset,
    records: page.records.map((stored) => pick(stored, wordsIn('id parents record'))),
  });
}

async function getRecord(call: RecordCall): Promise<HttpResponse> {
  const found = await call.parts.mock.records.get(call.place, call.id);
  return found === undefined ? noRecord(call) : json(found);
}

async function putRecord(call: RecordCall): Promise<HttpResponse> {
  const mustBeNew = headerValue(call.request.headers, 'If-None-Match')?.trim() === '*';
  const given = { id: call.id, record: readJson(call.request.body), onlyNew: mustBeNew };
  const { records } = call.parts.mock;
  if (!readTrue(call.query, 'dry')) return answerPut(await records.put(call.place, given), call);
  const issues = records.issuesOf(call.place, given);
  return issues.length === 0 ? done() : refuseRecord(issues, call);
}

function answerPut(put: Put, call: RecordCall): HttpResponse {
  const { resource } = call.place;
  if (put.kind === 'full')
    return problemResponse(
      409,
      'The mock holds as many records as it may, so nothing was added to ' +
        `${resource}. Delete records, or reset the mock.`,
    );
  if (put.kind === 'taken')
    return problemResponse(412, `There is a ${recordOf(call)} already, and it was left as it is.`);
  if ('stored' in put) return json(put.stored.record, put.kind === 'created' ? 201 : 200);
  return refuseRecord(put.issues, call);
}

function refuseRecord(found: readonly SchemaIssue[], { kind }: RecordCall): HttpResponse {
  const issues = found.slice(0, 20).map(({ at, message, pointer, keyword, property }) => ({
    at,
    rule: keyword,
    ...(property === undefined ? {} : { property }),
    detail: `${at === '' ? 'The record' : at} ${message}.`,
    contract: pointer,
  }));
  return problemResponse(
    400,
    `The contract does not allow this record of ${kind.name}. ${issues[0]?.detail ?? ''}`.trim(),
    { members: { issues } },
  );
}

async function deleteRecord(call: RecordCall): Promise<HttpResponse> {
  const { name, removable } = call.kind;
  if (!removable)
    return problemResponse(
      409,
      `The contract knows no time without ${name}: no operation deletes it, ` +
        'and none says what is answered where it is missing. Replace it, or ' +
        'reset the mock.',
    );
  return (await call.parts.mock.records.remove(call.place, call.id)) ? done() : noRecord(call);
}

function noRecord(call: RecordCall): HttpResponse {
  return problemResponse(404, `There is no ${recordOf(call)} in this session.`);
}

function recordOf({ kind, place: { resource, parents = [] }, id }: RecordCall): string {
  const below = parents.length === 0 ? '' : ` below ${parents.join('/').slice(0, 80)}`;
  return `record ${kind.kind === 'singleton' ? '' : `${id.slice(0, 80)} `}of ${resource}${below}`;
}

function sessionOf({ query }: Pick<ControlCall, 'query'>): string {
  return query['session'] === undefined ? defaultSession : checkSession(query['session']);
}

function readNumber(
  { query }: Pick<ControlCall, 'query'>,
  name: string,
  { unless, max }: { readonly unless: number; readonly max: number },
): number {
  const written = query[name];
  if (written === undefined) return unless;
  if (/^\d{1,15}$/.test(written) && Number(written) <= max) return Number(written);
  throw usage(
    `${name} must be a whole number from ` +
      `0${max === Number.MAX_SAFE_INTEGER ? '' : ` to ${String(max)}`}.`,
  );
}

/**
 * The parent ids in a query, outermost first: `17/3`. Throws `usage` if there are more than the
 * resource has parents, or fewer for a single record.
 */
function readParents(
  written: string | undefined,
  kind: RecordKind,
  which: 'one' | 'any',
): string[] {
  const parents = written === undefined ? [] : written.split('/').map(readParent);
  const { name, path, parents: above } = kind;
  if (parents.length > above.length)
    throw usage(
      above.length === 0
        ? `The records of ${name} stand below no others.`
        : `The records of ${name} stand at ${path}, below ` +
            `${countOf(above.length)}; parent names ${String(parents.length)}.`,
      {
        hint:
          above.length === 0 ? 'Leave parent out.' : 'A slash within an identifier is written %2F.',
      },
    );
  if (which === 'one' && parents.length < above.length)
    throw usage(`The records of ${name} stand at ${path}, each below ${countOf(above.length)}.`, {
      hint:
        'Say below which, by the query parameter parent: ' +
        `${above.map(({ parameter }) => parameter).join('/')}.`,
    });
  return parents;
}

function readParent(written: string): string {
  const id = decodePercent(written);
  if (id === undefined) throw usage(`parent ${describeBrokenPercent(written)}.`);
  if (id !== '') return id;
  throw usage('parent names a record by nothing.', {
    hint: 'Write an identifier, or several with slashes between them: 17/3.',
  });
}

function countOf(others: number): string {
  return others === 1 ? 'another' : `${String(others)} others`;
}
