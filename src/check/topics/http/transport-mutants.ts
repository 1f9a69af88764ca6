import { successResponses } from '../../../contract/select-response.ts';
import type { Contract, FlatSchema } from '../../../contract/model.ts';
import { readJson } from '../../../http/media-type.ts';
import { isSuccess } from '../../../http/message.ts';
import type { JsonArray, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, mapMembers } from '../../../json/value.ts';
import { withJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Family, Mutator, ServiceReply } from '../../mutants/mutant.ts';

/** Reads with a documented success; first those that need no known record: most often sent. */
function reads({ operations }: Contract): Place[] {
  const rank = ({ operation }: Place): number => (operation.path.includes('{') ? 1 : 0);
  return operations
    .filter(
      ({ method, responses }) =>
        method === 'GET' && responses.some(({ status }) => status.startsWith('2')),
    )
    .map((operation) => ({ operation }))
    .toSorted((left, right) => rank(left) - rank(right));
}

/** Reads that may show an object, or several: others have no fields. */
const readsOfObjects = (contract: Contract): Place[] =>
  reads(contract).filter(({ operation }) => {
    const schemas = successResponses(operation).flatMap(({ content }) =>
      content.flatMap(({ schema }) => schema ?? []),
    );
    const holdsFields = ({ types }: FlatSchema): boolean =>
      types.includes('object') || types.includes('array');
    return schemas.length === 0 || schemas.some((schema) => holdsFields(schema.flatten()));
  });

/** A read with other replies now and then. */
interface Sometimes {
  readonly family: Family;
  readonly rule: string;
  readonly killedBy?: 'warning';
  readonly says: string;
  /** Which reads; the default is all. */
  readonly where?: (contract: Contract) => readonly Place[];
  /** The share of changed replies; the default is all. */
  readonly share?: number;
  readonly change: (reply: ServiceReply) => ServiceReply;
}

function sometimes(id: string, { family, share = 1, change, ...kind }: Sometimes): Mutator {
  return mutantsOf(family)(id, {
    where: reads,
    ...kind,
    act: () => (service, fired) => async (request) => {
      const reply = await service.respond(request);
      const changed = service.chance() < share ? change(reply) : reply;
      if (changed !== reply) fired();
      return changed;
    },
  });
}

const failing = (reply: ServiceReply): ServiceReply =>
  reply.response === undefined ? reply : { ...reply, response: { ...reply.response, status: 500 } };
const without =
  (kind: NonNullable<ServiceReply['fault']>['kind'], message: string) => (): ServiceReply => ({
    fault: { kind, message },
  });

/** The reply without the last field of its records, which may stand in an envelope. */
function cut(reply: ServiceReply): ServiceReply {
  const value = reply.response && readJson(reply.response);
  if (reply.response === undefined || value === undefined) return reply;
  const cutOne = (record: JsonValue): JsonValue =>
    isJsonObject(record) ? Object.fromEntries(Object.entries(record).slice(0, -1)) : record;
  const cutIn = (whole: JsonValue): JsonValue =>
    isJsonObject(whole) && Object.values(whole).some(isListOfRecords)
      ? mapMembers(whole, (member) => (isListOfRecords(member) ? member.map(cutOne) : member))
      : cutOne(whole);
  const less = isJsonArray(value) ? value.map(cutOne) : cutIn(value);
  return { ...reply, response: withJson(reply.response, less) };
}

function isListOfRecords(value: JsonValue): value is JsonArray {
  return isJsonArray(value) && value.length > 0 && value.every((item) => isJsonObject(item));
}

/** Connections that break, and requests that fail now and then. */
export const brokenTransport: readonly Mutator[] = [
  sometimes('resets', {
    family: 'transport',
    rule: 'An operation closes the connection without a response.',
    says: 'closes the connection without a response',
    change: without('connection.reset', 'the server closed the connection without a response.'),
  }),
  sometimes('breaks-off', {
    family: 'transport',
    rule: 'A response is truncated.',
    says: 'truncates its responses',
    change: without(
      'connection.truncated',
      'the response ended early, after status 200 and 17 bytes of the body.',
    ),
  }),
  sometimes('hangs', {
    family: 'time',
    rule: 'An operation never responds.',
    says: 'never answers',
    change: without('timeout', 'no response within 10000 ms.'),
  }),
  sometimes('fails-one-in-five', {
    family: 'state',
    rule: 'One response in five is a 500.',
    says: 'answers 500 one time in five',
    share: 0.2,
    change: failing,
  }),
  sometimes('fails-one-in-twenty', {
    family: 'state',
    rule: 'One response in twenty is a 500.',
    says: 'answers 500 one time in twenty',
    share: 0.05,
    change: failing,
  }),
  sometimes('forgets-field-sometimes', {
    family: 'state',
    rule: 'One response in five lacks an optional field.',
    killedBy: 'warning',
    says: 'lacks its last field one time in five',
    where: readsOfObjects,
    share: 0.2,
    change: cut,
  }),
];

/** Slow answers. */
export const slowness: readonly Mutator[] = [
  sometimes('slow', {
    family: 'time',
    rule: 'An operation takes three seconds.',
    killedBy: 'warning',
    says: 'takes three seconds',
    change: (reply) => ({ ...reply, delayMs: 3_000 }),
  }),
  mutantsOf('time')('sometimes-slow', {
    rule: 'Every fourth successful response takes four seconds.',
    killedBy: 'warning',
    where: reads,
    says: 'takes four seconds one time in four',
    act: () => (service, fired) => {
      let answers = 0;
      return async (request) => {
        const reply = await service.respond(request);
        if (!isSuccess(reply.response?.status ?? 0)) return reply;
        answers += 1;
        if (answers % 4 !== 0) return reply;
        fired();
        return { ...reply, delayMs: 4_000 };
      };
    },
  }),
];
