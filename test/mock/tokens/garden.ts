import { parseContract } from '../../../src/contract/load.ts';
import type { Contract } from '../../../src/contract/model.ts';
import { headerValue, type HeaderList, type HttpResponse } from '../../../src/http/message.ts';
import { TokenService } from '../../../src/mock/tokens/token-service.ts';
import type { TokenMemory } from '../../../src/mock/tokens/token-memory.ts';
import type { TokenSettings } from '../../../src/mock/tokens/token-options.ts';

/** A contract with every kind of scheme that has tokens, on a server with a base path. */
export const gardenText = `
openapi: 3.2.0
info: { title: Garden, version: '1' }
servers: [{ url: https://garden.example/v1 }]
components:
  securitySchemes:
    oauth:
      type: oauth2
      flows:
        clientCredentials: { tokenUrl: /oauth/token, scopes: { 'read:trees': see them,
            'write:trees': plant them } }
        authorizationCode: { authorizationUrl: 'https://garden.example/oauth/authorize',
            tokenUrl: 'https://garden.example/v1/trees',
            refreshUrl: 'https://elsewhere.example/refresh', scopes: { 'read:trees': see them } }
        deviceAuthorization: { deviceAuthorizationUrl: oauth/device, tokenUrl: /oauth/token,
            scopes: {} }
    key: { type: apiKey, in: header, name: X-Key }
security: [{ oauth: ['read:trees'] }]
paths:
  /trees:
    get: { operationId: listTrees, responses: { '200': { description: ok, content: {
        application/json: { schema: { type: array, items: { type: string } } } } } } }
    post:
      operationId: plantTree
      security: [{ oauth: ['write:trees', 'read:trees'] }, { key: ['admin'] }]
      responses:
        '204': { description: planted }
        '403': { description: not yours, content: { application/json: { schema: { type: object,
            required: [why], properties: { why: { type: string }, message: {
            type: string } } } } } }
`;

export const garden: Contract = parseContract(gardenText, 'garden.yaml');

const origin = 'http://localhost:4010';
export const issuer = `${origin}/__vouch/oauth2`;
export const start = new Date('2030-01-02T03:04:05Z');

/** Endpoints whose clock can be moved. */
export interface Desk {
  readonly service: TokenService;
  /** Moves the clock on by so many seconds. */
  wait(seconds: number): void;
  now(): Date;
  get(path: string, parameters?: Parameters, headers?: HeaderList): Promise<HttpResponse>;
  post(path: string, parameters?: Parameters, headers?: HeaderList): Promise<HttpResponse>;
  /** The members of a token response. */
  token(parameters: Parameters): Promise<Record<string, string>>;
}

export type Parameters = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** The secret that every desk has, unless told otherwise: its keys are always the same. */
export const secret = 'a secret of sixteen characters';

export function openDesk(
  settings: Omit<TokenSettings, 'secret'> & { readonly secret?: string | undefined } = {},
  contract: Contract = garden,
  memory?: TokenMemory,
): Desk {
  const { secret: chosen, ...others } = { secret, ...settings };
  let passed = 0;
  let drawn = 0;
  const now = (): Date => new Date(start.getTime() + passed * 1000);
  const service = new TokenService({
    contract,
    keys: ['demo-key', { key: 'narrow-key', scopes: ['read:trees'] }],
    settings: { ...others, ...(chosen === undefined ? {} : { secret: chosen }) },
    ...(memory === undefined ? {} : { memory }),
    clock: now,
    random: (length) => Uint8Array.from({ length }, () => (drawn = (drawn * 7 + 31) % 256)),
    isOwned: (path) => path === '/v1/trees',
  });
  const ask = (
    method: string,
    target: string,
    body: string,
    headers: HeaderList,
  ): Promise<HttpResponse> =>
    service.answer({ method, target, headers, body: new TextEncoder().encode(body) }, origin);
  const desk: Desk = {
    service,
    now,
    wait: (seconds) => {
      passed += seconds;
    },
    get: (path, parameters, headers = []) =>
      ask(
        'GET',
        `/__vouch/oauth2${path}${parameters === undefined ? '' : `?${write(parameters)}`}`,
        '',
        headers,
      ),
    post: (path, parameters = {}, headers = []) =>
      ask('POST', `/__vouch/oauth2${path}`, write(parameters), [
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ...headers,
      ]),
    token: async (parameters) => membersOf(await desk.post('/token', parameters)),
  };
  return desk;
}

function write(parameters: Parameters): string {
  const pairs: Iterable<readonly [string, string]> = isList(parameters)
    ? parameters
    : Object.entries(parameters);
  return new URLSearchParams(
    [...pairs].map(([name, value]): [string, string] => [name, value]),
  ).toString();
}

function isList(parameters: Parameters): parameters is readonly (readonly [string, string])[] {
  return Array.isArray(parameters);
}

/** The body as JSON. */
export function jsonOf(response: HttpResponse): unknown {
  return JSON.parse(textOf(response));
}

/** The members of a JSON body as texts. */
export function membersOf(response: HttpResponse): Record<string, string> {
  return Object.fromEntries(
    Object.entries(JSON.parse(textOf(response))).map(([name, value]) => [name, String(value)]),
  );
}

export function textOf(response: HttpResponse): string {
  return new TextDecoder().decode(response.body);
}

/** Status, error and description in one line. */
export function refusalOf(response: HttpResponse): string {
  const { error, error_description: description } = membersOf(response);
  return `${String(response.status)} ${error ?? ''}: ${description ?? ''}`;
}

/** The parameters that a redirection brings back, from its query or its fragment. */
export function broughtBack(response: HttpResponse): Record<string, string> {
  const location = headerValue(response.headers, 'location') ?? '';
  return Object.fromEntries(new URLSearchParams(location.slice(location.search(/[?#]/) + 1)));
}

/** A verifier and its S256 challenge, as RFC 7636, appendix B has them. */
export const pkce = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

/** Logs in without a page, and answers the code. */
export async function getCode(
  desk: Desk,
  parameters: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await desk.get('/authorize', {
    response_type: 'code',
    client_id: 'app',
    redirect_uri: 'http://localhost/cb',
    login_hint: 'ada',
    ...parameters,
  });
  return broughtBack(response)['code'] ?? '';
}
