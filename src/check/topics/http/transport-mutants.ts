import type { Contract, Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonArray, isJsonObject } from '../../../json/value.ts';
import type { Mutation, Mutator, Reply } from '../../mutants/mutant.ts';
import { readJson, withJson } from '../../mutants/edit-service.ts';

const maxOfKind = 3;

/** Operations that need no known record, reads first: they are sent most often. */
function independentOperations({ operations }: Contract): Operation[] {
  return operations
    .filter(({ responses }) => responses.some(({ status }) => status.startsWith('2')))
    .toSorted((left, right) => rank(left) - rank(right));
}

function rank({ method, path }: Operation): number {
  return (method === 'GET' ? 0 : 2) + (path.includes('{') ? 1 : 0);
}

function sometimes(
  mutator: string,
  words: string,
  share: number,
  change: (reply: Reply) => Reply,
): (contract: Contract) => Mutation[] {
  return (contract) =>
    independentOperations(contract)
      .filter(({ method }) => method === 'GET')
      .slice(0, maxOfKind)
      .map((operation) => ({
        mutator,
        title: `${operation.id} ${words}`,
        operation: operation.id,
        plant: (service, fired) => async (request) => {
          const reply = await service.respond(request);
          if (service.operationOf(request) !== operation || service.chance() >= share) return reply;
          fired();
          return change(reply);
        },
      }));
}

const failing = (reply: Reply): Reply =>
  reply.response === undefined ? reply : { ...reply, response: { ...reply.response, status: 500 } };
const without = (kind: NonNullable<Reply['fault']>['kind'], message: string) => (): Reply => ({
  fault: { kind, message },
});

/** Connections that break, and requests that fail now and then. */
export const brokenTransport: readonly Mutator[] = [
  {
    id: 'resets',
    family: 'transport',
    rule: 'An operation closes the connection without a response.',
    find: sometimes(
      'resets',
      'closes the connection without a response',
      1,
      without('connection.reset', 'the server closed the connection without a response.'),
    ),
  },
  {
    id: 'breaks-off',
    family: 'transport',
    rule: 'A response is truncated.',
    find: sometimes(
      'breaks-off',
      'truncates its responses',
      1,
      without(
        'connection.truncated',
        'the response ended early, after status 200 and 17 bytes of the body.',
      ),
    ),
  },
  {
    id: 'hangs',
    family: 'time',
    rule: 'An operation never responds.',
    find: sometimes(
      'hangs',
      'never answers',
      1,
      without('timeout', 'no response within 10000 ms.'),
    ),
  },
  {
    id: 'fails-one-in-five',
    family: 'state',
    rule: 'One response in five is a 500.',
    find: sometimes('fails-one-in-five', 'answers 500 one time in five', 0.2, failing),
  },
  {
    id: 'fails-one-in-twenty',
    family: 'state',
    rule: 'One response in twenty is a 500.',
    find: sometimes('fails-one-in-twenty', 'answers 500 one time in twenty', 0.05, failing),
  },
  {
    id: 'forgets-field-sometimes',
    family: 'state',
    rule: 'One response in five lacks an optional field.',
    find: (contract) =>
      sometimes(
        'forgets-field-sometimes',
        'lacks its last field one time in five',
        0.2,
        (reply) => {
          const value = reply.response === undefined ? undefined : readJson(reply.response);
          if (reply.response === undefined || value === undefined) return reply;
          const cut = (record: unknown): unknown =>
            isJsonObject(record) ? Object.fromEntries(Object.entries(record).slice(0, -1)) : record;
          // A part of a JSON value is JSON.
          return {
            ...reply,
            response: withJson(
              reply.response,
              (isJsonArray(value) ? value.map(cut) : cut(value)) as typeof value,
            ),
          };
        },
      )(contract),
    killedBy: 'warning',
  },
];

/** Slow answers. */
export const slowness: readonly Mutator[] = [
  {
    id: 'slow',
    family: 'time',
    rule: 'An operation takes three seconds.',
    killedBy: 'warning',
    find: sometimes('slow', 'takes three seconds', 1, (reply) => ({ ...reply, delayMs: 3_000 })),
  },
  {
    id: 'sometimes-slow',
    family: 'time',
    rule: 'Every fourth successful response takes four seconds.',
    killedBy: 'warning',
    find: (contract) =>
      independentOperations(contract)
        .filter(({ method }) => method === 'GET')
        .slice(0, maxOfKind)
        .map((operation) => ({
          mutator: 'sometimes-slow',
          title: `${operation.id} takes four seconds one time in four`,
          operation: operation.id,
          plant: (service, fired) => {
            let answers = 0;
            return async (request) => {
              const reply = await service.respond(request);
              if (
                service.operationOf(request) !== operation ||
                !isSuccess(reply.response?.status ?? 0)
              )
                return reply;
              answers += 1;
              if (answers % 4 !== 0) return reply;
              fired();
              return { ...reply, delayMs: 4_000 };
            };
          },
        })),
  },
];
