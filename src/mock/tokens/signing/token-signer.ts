import type { JWK } from 'jose';
import { quoteExcerpt } from '../../../json/json-problem.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { stringifyJson } from '../../../json/stringify-json.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { RecentMap } from '../../../store/recent-map.ts';
import { algorithm, makeSigningKey, type SigningKey } from './signing-key.ts';
import { isOwnIssuer } from './token-prefix.ts';

/**
 * What a token is for: its header's `typ`. Access tokens are told apart by RFC 9068, section 2.1;
 * codes and refresh tokens are our own.
 */
export type TokenType = 'at+jwt' | 'JWT' | 'vouch-refresh+jwt' | 'vouch-code+jwt';

/** A token that this mock signed, or why it is not one. */
export type TokenReading =
  | { readonly kind: 'own'; readonly type: string; readonly claims: JsonObject }
  | { readonly kind: 'foreign'; readonly reason: string };

/**
 * How many tokens are remembered as verified: verifying costs a hundred times what reading does.
 */
const remembered = 1000;

/**
 * Signs tokens and knows its own again. The key is made, and the library for it loaded, when the
 * first token needs them.
 */
export class TokenSigner {
  readonly #secret: string;
  readonly #verified = new RecentMap<string, TokenReading>(remembered);
  #key: Promise<SigningKey> | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  async sign(type: TokenType, claims: JsonObject): Promise<string> {
    const [{ CompactSign }, key] = await Promise.all([import('jose'), this.#loadKey()]);
    const payload = new TextEncoder().encode(stringifyJson(claims));
    return new CompactSign(payload)
      .setProtectedHeader({ alg: algorithm, typ: type, kid: key.id })
      .sign(key.secret);
  }

  /** Reads a token in the compact form; never throws. Neither its time nor its use is judged. */
  async read(token: string): Promise<TokenReading> {
    const known = this.#verified.get(token);
    if (known !== undefined) return known;
    const reading = await this.#verify(token);
    if (reading.kind === 'own') this.#verified.set(token, reading);
    return reading;
  }

  /** The public keys (RFC 7517, section 5). */
  async keySet(): Promise<{ readonly keys: readonly JWK[] }> {
    const { jwk } = await this.#loadKey();
    return { keys: [jwk] };
  }

  #loadKey(): Promise<SigningKey> {
    return (this.#key ??= makeSigningKey(this.#secret));
  }

  async #verify(token: string): Promise<TokenReading> {
    const [jose, key] = await Promise.all([import('jose'), this.#loadKey()]);
    try {
      const { payload, protectedHeader } = await jose.compactVerify(token, key.open, {
        algorithms: [algorithm],
      });
      const claims = parseJson(payload);
      if (claims.ok && isJsonObject(claims.value))
        return { kind: 'own', type: protectedHeader.typ ?? '', claims: claims.value };
      return { kind: 'foreign', reason: 'The token holds no claims' };
    } catch (error) {
      return { kind: 'foreign', reason: describeForeign(token, error, jose) };
    }
  }
}

/** Why a token was not verified, told from what it says of itself. */
function describeForeign(token: string, error: unknown, jose: typeof import('jose')): string {
  if (error instanceof jose.errors.JOSEAlgNotAllowed) {
    const { alg } = jose.decodeProtectedHeader(token);
    return alg === 'none'
      ? 'The token is not signed (its alg is none)'
      : `The token is signed with ${quoteExcerpt(String(alg))}, and this mock signs with ${algorithm}`;
  }
  if (!(error instanceof jose.errors.JWSSignatureVerificationFailed))
    return 'The token cannot be read as a JSON Web Token';
  const issuer = issuerOf(token, jose);
  const other =
    issuer === undefined || isOwnIssuer(issuer)
      ? ''
      : `; it says that ${quoteExcerpt(issuer)} issued it`;
  return `The signature of the token is not one of this mock${other}`;
}

function issuerOf(token: string, jose: typeof import('jose')): string | undefined {
  try {
    const { iss } = jose.decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
