import {
  collectionsOf,
  isLogin,
  isTokenScheme,
  type TokenPlace,
  tokenPlaces,
  tokensAt,
} from '../../contract/infer/infer-logins.ts';
import type { Contract, Operation, SecurityScheme } from '../../contract/model.ts';
import { isLogout } from '../../contract/words/read-logout.ts';
import { selectResponse } from '../../contract/select-response.ts';
import { readJson } from '../../http/media-type.ts';
import { headerValue, type HttpResponse, isSuccess } from '../../http/message.ts';
import { stringifyJson, objectOf, type JsonObject } from '../../json/value.ts';
import { type CredentialSource, readCredential } from './credentials.ts';

/** How many tokens are remembered, the latest ones. */
const maxTokens = 1_000;

/** What an operation hands out: a token in its documented answer, or one that is added to it. */
type Handing =
  | { readonly kind: 'documented'; readonly places: readonly TokenPlace[] }
  | { readonly kind: 'oauth' }
  | { readonly kind: 'undocumented'; readonly scheme: SecurityScheme };

/**
 * The tokens that the operations of a mock gave: clients that log in are admitted with them. Where
 * no answer of the contract documents a token, its login gives one as requests have to send it.
 */
export class GivenTokens {
  readonly #contract: Contract;
  readonly #known = new Set<string>();
  #handings: ReadonlyMap<string, Handing> | undefined;
  #count = 0;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  has(secret: string): boolean {
    return this.#known.has(secret);
  }

  /** The response as the client gets it, whose token is a credential from now on. */
  give(operation: Operation, response: HttpResponse, asked: CredentialSource): HttpResponse {
    if (isSuccess(response.status) && isLogout(operation)) this.#end(operation, asked);
    this.#handings ??= handingsOf(this.#contract);
    const handing = this.#handings.get(operation.id);
    if (handing === undefined || !isSuccess(response.status)) return response;
    const places = handing.kind === 'documented' ? handing.places : undefined;
    const answer = { headers: response.headers, body: readJson(response) };
    const given = places?.flatMap((place) => tokensAt(place, answer)) ?? [];
    if (places !== undefined && given.length === 0) return response;
    const made = `token-${String((this.#count += 1))}`;
    for (const token of places === undefined ? [made] : given) this.#remember(token);
    if (handing.kind === 'oauth') return withMembers(operation, response, made);
    return handing.kind === 'undocumented' ? withField(response, handing.scheme, made) : response;
  }

  /** Forgets the tokens of a request that ends its session. */
  #end({ security }: Operation, asked: CredentialSource): void {
    for (const { scheme } of security.flat()) {
      const credential = readCredential(scheme, asked);
      const tokens = credential.kind === 'present' ? credential.secrets : [];
      for (const token of tokens) this.#known.delete(token);
    }
  }

  #remember(token: string): void {
    const [oldest] = this.#known;
    if (this.#known.size >= maxTokens && oldest !== undefined) this.#known.delete(oldest);
    this.#known.add(token);
  }
}

function handingsOf(contract: Contract): ReadonlyMap<string, Handing> {
  const { operations, securitySchemes } = contract;
  const schemes = [...securitySchemes.values()];
  const documented = operations.flatMap((operation): [string, Handing][] => {
    const places = tokenPlaces(operation);
    if (places.length > 0) return [[operation.id, { kind: 'documented', places }]];
    return isTokenUrl(operation, schemes) ? [[operation.id, { kind: 'oauth' }]] : [];
  });
  const scheme = schemes.find(isTokenScheme);
  if (documented.length > 0 || scheme === undefined) return new Map(documented);
  const isCollection = collectionsOf(operations);
  const logins = operations.filter((operation) => isLogin(operation, isCollection));
  return new Map(logins.map(({ id }) => [id, { kind: 'undocumented', scheme }] as const));
}

/** Whether an operation stands where a flow of OAuth gets its tokens. */
function isTokenUrl({ method, path }: Operation, schemes: readonly SecurityScheme[]): boolean {
  return schemes.some(
    (scheme) =>
      method === 'POST' &&
      scheme.kind === 'bearer' &&
      scheme.source === 'oauth2' &&
      scheme.flows.some(({ tokenUrl }) => {
        const url = tokenUrl !== undefined && URL.parse(tokenUrl, 'http://mock.invalid/');
        return url && url.pathname.replace(/\/$/, '').endsWith(path.replace(/\/$/, ''));
      }),
  );
}

/** The answer of OAuth (RFC 6749, section 5.1), where the contract leaves that of its token open. */
function withMembers(operation: Operation, response: HttpResponse, token: string): HttpResponse {
  const before = readJson(response);
  const whole: JsonObject = {
    ...objectOf(before),
    access_token: token,
    token_type: 'bearer',
  };
  const documented = selectResponse(operation, response.status)?.content ?? [];
  const isAllowed = documented.every(({ schema }) => schema?.accepts(whole, 'response') !== false);
  const isPlain = before !== undefined || response.body.length === 0;
  if (!isAllowed || !isPlain) return response;
  const others = response.headers.filter(([name]) => !/^content-(type|length)$/i.test(name));
  return {
    ...response,
    headers: [...others, ['Content-Type', 'application/json']],
    body: new TextEncoder().encode(stringifyJson(whole)),
  };
}

/** The token in the field that later requests send it in. */
function withField(response: HttpResponse, scheme: SecurityScheme, token: string): HttpResponse {
  const field =
    scheme.kind === 'apiKey' && scheme.in === 'cookie'
      ? (['Set-Cookie', `${scheme.key}=${token}; Path=/; HttpOnly`] as const)
      : (['Authorization', `Bearer ${token}`] as const);
  const isThere = headerValue(response.headers, field[0]) !== undefined;
  return isThere ? response : { ...response, headers: [...response.headers, field] };
}
