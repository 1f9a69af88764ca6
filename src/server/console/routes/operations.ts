import { wordsIn } from '../../../words-in.ts';
import { pick } from '../../../json/value.ts';
import type { Operation } from '../../../contract/model.ts';
import { hostOf, isLoopbackHost } from '../../../http/host.ts';
import { headerValue, type HttpRequest } from '../../../http/message.ts';
import { type ExampleParameter, exampleRequest } from '../../../mock/control/example-request.ts';
import { defaultSession } from '../../../mock/request/request-context.ts';
import { basePathsOf } from '../../../mock/route/mounted-paths.ts';
import { keyText } from '../../../mock/security/credentials.ts';
import type { ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { checkSession, json, unknownName } from '../../control/fields.ts';
import { exactly, list, orNull, shows, text } from '../../control/control-schemas.ts';
import type {
  OperationBrief,
  OperationDetail,
  OperationList,
  ParameterExample,
} from '../console-api.ts';
import { existingNames } from '../existing-values.ts';

const flag = { type: 'boolean' };
const operationView = {
  id: text,
  method: text,
  path: text,
  base: text,
  summary: text,
  tags: list(text),
  deprecated: flag,
  secured: flag,
};
const parameterView = exactly({ name: text, in: text, required: flag, style: text, value: text });

/** The operations, each with an example of a request. */
export const operationRoutes: readonly ControlRoute[] = [
  {
    id: 'listOperations',
    method: 'GET',
    path: '/operations',
    summary:
      'The operations of the contract, the keys of the mock, its address if it is not ' +
      'this one, and the other services for the same requests; `itself` marks one that is this ' +
      'very mock',
    answers: {
      200: shows('The operations', {
        operations: list(exactly(operationView)),
        keys: list(text),
        services: list(exactly({ name: text, kind: text, url: text, itself: flag })),
        origin: orNull(text),
        checks: flag,
        checkAccess: exactly({ key: orNull(text), fromEnvironment: flag, schemes: list(text) }),
        contract: text,
      }),
    },
    answer: async ({ parts, request }) => json(listOperations(parts, ownOrigin(parts, request))),
  },
  {
    id: 'getOperation',
    method: 'GET',
    path: '/operations/{id}',
    summary:
      'An operation with an example of a request, whose path names a record of the session if ' +
      'there is one',
    query: { session: 'The session; without it, that of requests that name none' },
    answers: {
      200: shows('The operation', {
        ...operationView,
        parameters: list(parameterView),
        body: orNull(exactly({ mediaType: text, text })),
      }),
      404: 'The contract has no such operation',
    },
    answer: async ({ parts, path, query }) => {
      const { operations } = parts.mock.options.contract;
      const operation = operations.find(({ id }) => id === path['id']);
      return operation === undefined
        ? unknownName(
            'operation',
            path['id'] ?? '',
            operations.map(({ id }) => id),
          )
        : json(await showOperation(parts, operation, query['session']));
    },
  },
];

function listOperations(
  { mock, services }: ControlParts,
  origin: string | undefined,
): OperationList {
  const { contract, keys } = mock.options;
  return {
    operations: contract.operations.map((operation) => brief(mock, operation)),
    keys: keys.map(keyText),
    services: (services.others?.() ?? []).map((other) => ({
      ...pick(other, wordsIn('name kind url')),
      itself: isSamePlace(other.url, origin),
    })),
    origin: services.mockOrigin?.() ?? null,
    checks: services.check !== undefined,
    checkAccess: services.checkAccess?.() ?? { key: null, fromEnvironment: false, schemes: [] },
    contract: contract.file,
  };
}

/** The origin of the mock; if it shares the port of the console, as the browser names it. */
export function ownOrigin(
  { services }: ControlParts,
  { headers }: HttpRequest,
): string | undefined {
  const host = headerValue(headers, 'Host');
  return services.mockOrigin?.() ?? (host === undefined ? undefined : `http://${host}`);
}

/** Compares ports, because this machine has several names. */
function isSamePlace(url: string, origin: string | undefined): boolean {
  if (origin === undefined || !URL.canParse(url) || !URL.canParse(origin)) return false;
  const [there, here] = [new URL(url), new URL(origin)];
  return (
    there.port === here.port &&
    (hostOf(there) === hostOf(here) ||
      (isLoopbackHost(hostOf(there)) && isLoopbackHost(hostOf(here))))
  );
}

export function brief({ options }: ControlParts['mock'], operation: Operation): OperationBrief {
  const { summary = '', tags, deprecated, security } = operation;
  const base = basePathsOf(operation, options.mounting?.base)[0] ?? '';
  return {
    ...pick(operation, wordsIn('id method path')),
    base,
    summary,
    tags: [...tags],
    deprecated,
    secured: security.length > 0 && security.every((requirement) => requirement.length > 0),
  };
}

async function showOperation(
  { mock }: ControlParts,
  operation: Operation,
  given: string = defaultSession,
): Promise<OperationDetail> {
  const session = checkSession(given);
  const existing = await existingNames(operation, mock, session);
  const { parameters, body } = exampleRequest(operation, mock.options.seed, existing);
  return {
    ...brief(mock, operation),
    parameters: parameters.map(showParameter),
    body: body === undefined ? null : { mediaType: body.mediaType, text: body.text },
  };
}

export function showParameter({
  parameter: { name, in: location, required, style },
  value,
}: ExampleParameter): ParameterExample {
  return { name, in: location, required, style, value };
}
