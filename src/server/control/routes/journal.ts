import { wordsIn } from '../../../words-in.ts';
import { usage } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { problemResponse } from '../../../http/problem.ts';
import type { JsonObject } from '../../../json/value.ts';
import { claimNames, readClaim, readPattern } from '../../journal/claim.ts';
import { holdClaim, readJournal } from '../../journal/read-journal.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../control-parts.ts';
import { checkSession, done, json, readFields } from '../fields.ts';
import {
  anyOf,
  count,
  entryShort,
  entryWhole,
  exactly,
  list,
  name,
  problem,
  record,
  shows,
  text,
} from '../control-schemas.ts';

const statusOrId = { anyOf: [{ type: 'integer' }, text] };
const claim = anyOf({
  operation: text,
  method: text,
  path: text,
  session: name,
  status: statusOrId,
  query: record,
  headers: record,
  body: {},
  since: statusOrId,
  count,
  atLeast: count,
  atMost: count,
});
const nearMiss = exactly({
  exchange: entryShort,
  failed: list(exactly({ condition: text, message: text })),
});
const failedClaim: JsonObject = {
  ...problem,
  required: wordsIn('type title status detail verified count forgotten fitting nearMisses'),
  properties: {
    type: text,
    title: text,
    status: { const: 409 },
    detail: text,
    verified: { const: false },
    count,
    forgotten: count,
    fitting: list(entryShort),
    nearMisses: list(nearMiss),
  },
};

/** Recorded exchanges, and claims about them. */
export const journalRoutes: readonly ControlRoute[] = [
  {
    id: 'getJournal',
    method: 'GET',
    path: '/journal',
    summary: 'The last exchanges, the oldest first, without their secrets',
    query: {
      operation: 'Only those of this operation',
      session: 'Only those of this session',
      method: 'Only those with this method',
      status: 'Only those with this status, or of this class: 404, 4XX',
      since: 'Only those after this one, by its id, or since this moment',
      limit: 'Only the last so many',
    },
    answers: {
      200: shows('The exchanges', { count, forgotten: count, exchanges: list(entryWhole) }),
    },
    answer: async (call) => json(showJournal(call)),
  },
  {
    id: 'clearJournal',
    method: 'DELETE',
    path: '/journal',
    summary:
      'Forgets the exchanges of one session, or all; ids count on, so that ' +
      'none ever means another exchange',
    query: { session: 'Only those of this session' },
    answers: { 204: 'They are forgotten' },
    answer: async ({ parts, query }) => {
      parts.journal.clear(
        query['session'] === undefined ? undefined : checkSession(query['session']),
      );
      return done();
    },
  },
  {
    id: 'verify',
    method: 'POST',
    path: '/verify',
    summary:
      'Whether matching exchanges happened the given number of times; default: at least once',
    body: claim,
    answers: {
      200: shows('It is so', { verified: { const: true }, count }),
      409: { description: 'The journal says otherwise', schema: failedClaim },
    },
    answer: async ({ parts, request }) => verify(parts, readFields(request.body, claimNames)),
  },
];

function showJournal({ parts: { journal, mock }, query }: ControlCall): JsonObject {
  const { limit, ...filters } = query;
  const pattern = readPattern(filters, mock.options.contract);
  const { count: fitting, exchanges } = readJournal(journal, mock, {
    pattern,
    limit: limit === undefined ? undefined : readLimit(limit),
  });
  return { count: fitting, forgotten: journal.forgotten(), exchanges };
}

function readLimit(written: string): number {
  if (/^[1-9]\d{0,8}$/.test(written)) return Number(written);
  throw usage('limit must be a whole number from 1.');
}

/**
 * A failed claim gets 409: the request is well-formed, and conflicts with the current journal (RFC
 * 9110, section 15.5.10); it may succeed later. 417 would suggest the Expect header, and 406 the
 * Accept header.
 */
function verify(
  { journal, mock }: ControlParts,
  fields: ReturnType<typeof readFields>,
): HttpResponse {
  const { verified, message, ...found } = holdClaim(
    journal,
    mock,
    readClaim(fields, mock.options.contract),
  );
  if (verified) return json({ verified, count: found.count });
  return problemResponse(409, message, { members: { verified, ...found } });
}
