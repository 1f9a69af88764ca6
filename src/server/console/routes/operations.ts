import type { Operation } from '../../../contract/model.ts';
import { hostOf, isLoopbackHost } from '../../../http/host.ts';
import { headerValue, type HttpRequest } from '../../../http/message.ts';
import { exampleRequest } from '../../../mock/control/example-request.ts';
import { basePathsOf } from '../../../mock/route/mounted-paths.ts';
import { keyText } from '../../../mock/security/credentials.ts';
import type { ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { json, unknownName } from '../../control/control-response.ts';
import { exactly, list, orNull, text } from '../../control/control-schemas.ts';
import type {
  OperationBrief,
  OperationDetail,
  OperationList,
  RequestSamples,
} from '../console-api.ts';
import { docsDocument, safeDocument } from '../docs-document.ts';
import { composeRequest, writeRequest } from '../send-try.ts';
import { keyPlaceholder, writeSamples } from '../write-samples.ts';

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
      200: {
        description: 'The operations',
        schema: exactly({
          operations: list(exactly(operationView)),
          keys: list(text),
          services: list(exactly({ name: text, kind: text, url: text, itself: flag })),
          origin: orNull(text),
          checks: flag,
          contract: text,
        }),
      },
    },
    answer: async ({ parts, request }) => json(listOperations(parts, ownOrigin(parts, request))),
  },
  {
    id: 'getOperation',
    method: 'GET',
    path: '/operations/{id}',
    summary: 'An operation with an example of a request',
    answers: {
      200: {
        description: 'The operation',
        schema: exactly({
          ...operationView,
          parameters: list(parameterView),
          body: orNull(exactly({ mediaType: text, text })),
        }),
      },
      404: { description: 'The contract has no such operation' },
    },
    answer: async ({ parts, path }) => {
      const { operations } = parts.mock.options.contract;
      const operation = operations.find(({ id }) => id === path['id']);
      return operation === undefined
        ? unknownName(
            'operation',
            path['id'] ?? '',
            operations.map(({ id }) => id),
          )
        : json(showOperation(parts, operation));
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
    services: (services.others?.() ?? []).map(({ name, kind, url }) => ({
      name,
      kind,
      url,
      itself: isSamePlace(url, origin),
    })),
    origin: services.mockOrigin?.() ?? null,
    checks: services.check !== undefined,
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

function brief({ options }: ControlParts['mock'], operation: Operation): OperationBrief {
  const { id, method, path, summary = '', tags, deprecated, security } = operation;
  const base = basePathsOf(operation, options.mounting?.base)[0] ?? '';
  return {
    id,
    method,
    path,
    base,
    summary,
    tags: [...tags],
    deprecated,
    secured: security.length > 0 && security.every((requirement) => requirement.length > 0),
  };
}

function showOperation({ mock }: ControlParts, operation: Operation): OperationDetail {
  const { parameters, body } = exampleRequest(operation, mock.options.seed);
  return {
    ...brief(mock, operation),
    parameters: parameters.map(({ parameter: { name, in: location, required, style }, value }) => ({
      name,
      in: location,
      required,
      style,
      value,
    })),
    body: body === undefined ? null : { mediaType: body.mediaType, text: body.text },
  };
}

/** An example request as code. Texts that a client cannot send as they are stay in it. */
function showSamples({ mock }: ControlParts, operation: Operation, origin: string): RequestSamples {
  const { parameters, body } = exampleRequest(operation, mock.options.seed);
  const request = composeRequest({
    operation,
    parameters: parameters
      .filter(({ parameter }) => parameter.required)
      .map(({ parameter, value }) => ({ in: parameter.in, name: parameter.name, value })),
    headers: [],
    body: body?.text,
    mediaType: body?.mediaType,
  });
  return writeSamples(writeRequest(mock, { operation, request, key: keyPlaceholder }), origin);
}

/** What the documentation page reads, without a token: the contract, and samples of requests. */
export const contractRoutes: readonly ControlRoute[] = [
  {
    id: 'getSamples',
    method: 'GET',
    path: '/samples',
    summary: 'An example request of an operation as code',
    open: true,
    query: {
      method: 'The method of the operation, such as GET',
      path: 'The path of the operation as in the contract',
    },
    answers: {
      200: {
        description: 'The request for the shell, JavaScript and Python',
        schema: exactly({ curl: text, javascript: text, python: text }),
      },
      404: { description: 'The contract has no such operation' },
    },
    answer: async ({ parts, query: { method = '', path = '' }, request }) => {
      const { operations } = parts.mock.options.contract;
      const operation = operations.find((each) => each.method === method && each.path === path);
      const known = operations.map((each) => `${each.method} ${each.path}`);
      return operation === undefined
        ? unknownName('operation', `${method} ${path}`, known)
        : json(showSamples(parts, operation, ownOrigin(parts, request) ?? ''));
    },
  },
  {
    id: 'getContract',
    method: 'GET',
    path: '/contract.json',
    summary: 'The contract with the mock as its first server, without HTML that runs a script',
    open: true,
    answers: { 200: { description: 'An OpenAPI document', schema: { type: 'object' } } },
    answer: async ({ parts: { mock } }) => {
      const standing = { base: mock.options.mounting?.base };
      return json(safeDocument(docsDocument(mock.options.contract, standing)));
    },
  },
];
