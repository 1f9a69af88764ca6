import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { basePath, contractFile, firstPets, listenAt, requirePackage } from './from-folder.ts';
import { hasKey, keepPets, refusal, type Pet } from './pet-records.ts';

/** As much of openapi-backend as is used here. */
interface Context {
  readonly request: {
    readonly params: Record<string, string>;
    readonly query: Record<string, string>;
    readonly requestBody: unknown;
  };
  readonly validation: { readonly errors?: unknown };
  readonly operation: { readonly operationId: string };
  readonly api: { mockResponseForOperation(id: string): { status: number; mock: unknown } };
}
interface Backend {
  init(): Promise<unknown>;
  register(
    handlers: Record<
      string,
      (context: Context, request: IncomingMessage, response: ServerResponse) => unknown
    >,
  ): void;
  registerSecurityHandler(
    name: string,
    handler: (context: Context, request: IncomingMessage) => boolean,
  ): void;
  handleRequest(request: object, ...rest: unknown[]): Promise<unknown>;
}

/**
 * openapi-backend as its documentation uses it: it routes, validates and authenticates, the
 * handlers keep records, and the rest is mocked.
 */
const { OpenAPIBackend } = requirePackage('openapi-backend') as {
  OpenAPIBackend: new (options: object) => Backend;
};
const api = new OpenAPIBackend({
  definition: contractFile,
  apiRoot: basePath === '' ? '/' : basePath,
  quick: true,
  ajvOpts: { strict: false, validateFormats: false },
});
const records = keepPets(firstPets());

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

api.register({
  listPets: ({ request: { query } }, _request, response) =>
    send(response, 200, records.list({ ...query, limit: Number(query['limit'] ?? 20) })),
  getPet({ request: { params } }, _request, response) {
    const pet = records.read(Number(params['petId']));
    if (pet === undefined)
      send(response, 404, refusal(404, 'not_found', 'No animal has this identifier.'));
    else send(response, 200, pet);
  },
  createPet: ({ request }, _request, response) =>
    send(response, 201, records.create(request.requestBody as Omit<Pet, 'id'>)),
  validationFail: ({ validation }, _request, response) =>
    send(response, 400, refusal(400, 'invalid_value', JSON.stringify(validation.errors))),
  unauthorizedHandler: (_context, _request, response) =>
    send(response, 401, refusal(401, 'unauthorized', 'An API key is required.')),
  notFound: (_context, _request, response) =>
    send(response, 404, refusal(404, 'not_found', 'There is no such operation.')),
  notImplemented({ api: { mockResponseForOperation }, operation }, _request, response) {
    const { status, mock } = mockResponseForOperation.call(api, operation.operationId);
    send(response, status, mock);
  },
});
api.registerSecurityHandler('bearer', (_context, request) => hasKey(request.headers.authorization));
await api.init();

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  const body = request.method === 'POST' ? await text(request) : '';
  await api.handleRequest(
    { method: request.method, path, query, headers: request.headers, body },
    request,
    response,
  );
}

createServer((request, response) => {
  answer(request, response).catch((error: unknown) =>
    send(response, 500, refusal(500, 'failed', String(error))),
  );
}).listen(listenAt, '127.0.0.1');
