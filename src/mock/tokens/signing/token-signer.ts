import type { CryptoKey, JWK } from 'jose';
import { quoteExcerpt } from '../../../json/json-problem.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../../../json/value.ts';
import { RecentMap } from '../../../store/recent-map.ts';
import { isOwnIssuer } from '../token-verdict.ts';

/**
 * The use of a token: `typ` in its header. RFC 9068, section 2.1 defines that of access tokens;
 * codes and refresh tokens are private.
 */
export type TokenType = 'at+jwt' | 'JWT' | 'vouch-refresh+jwt' | 'vouch-code+jwt';

/** A token that this mock signed, or why it is refused. */
export type TokenReading =
  | { readonly kind: 'own'; readonly type: string; readonly claims: JsonObject }
  | { readonly kind: 'foreign'; readonly reason: string };

/** The number of cached verifications: verifying costs a hundred times as much as reading. */
const remembered = 1000;

/** Signs and verifies tokens. The key and its library are loaded for the first token. */
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

  /**
   * Verifies the signature of a compact token; never throws. Does not check its lifetime or use.
   */
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

/** Why a token was not verified, from its content. */
function describeForeign(token: string, error: unknown, jose: typeof import('jose')): string {
  if (error instanceof jose.errors.JOSEAlgNotAllowed) {
    const { alg } = jose.decodeProtectedHeader(token);
    return alg === 'none'
      ? 'The token is not signed (its alg is none)'
      : `The token is signed with ${quoteExcerpt(String(alg))}, and this mock ` +
          `signs with ${algorithm}`;
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

/** The signing key: ECDSA on P-256, which is `ES256` (RFC 7518, section 3.4). */
interface SigningKey {
  /** The thumbprint of the public part (RFC 7638): equal keys have equal ids. */
  readonly id: string;
  readonly secret: CryptoKey;
  readonly open: CryptoKey;
  /** The public part, as in `jwks.json`. */
  readonly jwk: JWK;
}

/** The only algorithm that is used and accepted (RFC 8725, section 3.1). */
export const algorithm = 'ES256';

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** The number of points of the curve (SEC 2, section 2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * The bytes before the 32 bytes of a P-256 key in PKCS #8 without its public part (RFC 5958; RFC
 * 5915).
 */
const pkcs8Prefix = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420';

/**
 * Derives the key from a secret: the same secret gives the same key, on every replica and after
 * every restart (HKDF with extra bits, FIPS 186-5, section A.2.1).
 */
export async function makeSigningKey(text: string): Promise<SigningKey> {
  const [{ calculateJwkThumbprint }, scalar] = await Promise.all([
    import('jose'),
    deriveScalar(text),
  ]);
  const whole = await crypto.subtle.importKey(
    'pkcs8',
    bytesOfHex(pkcs8Prefix + scalar),
    curve,
    true,
    ['sign'],
  );
  const { kty = '', crv = '', x = '', y = '' } = await crypto.subtle.exportKey('jwk', whole);
  const point = { kty, crv, x, y };
  const id = await calculateJwkThumbprint(point);
  const open = await crypto.subtle.importKey('jwk', point, curve, true, ['verify']);
  return { id, secret: whole, open, jwk: { ...point, kid: id, alg: algorithm, use: 'sig' } };
}

/** A number from 1 up to the order of the curve, as 64 hexadecimal digits. */
async function deriveScalar(text: string): Promise<string> {
  const encoder = new TextEncoder();
  const secret = await crypto.subtle.importKey('raw', encoder.encode(text), 'HKDF', false, [
    'deriveBits',
  ]);
  const derivation = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(0),
    info: encoder.encode('vouch signs tokens'),
  };
  const bits = new Uint8Array(await crypto.subtle.deriveBits(derivation, secret, 320));
  const number = BigInt(
    `0x${Array.from(bits, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  );
  return ((number % (order - 1n)) + 1n).toString(16).padStart(64, '0');
}

function bytesOfHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  );
}

/** Bytes in the alphabet of URLs, without padding (RFC 4648, section 5). */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** The signed claims of this mock's access and refresh tokens and codes. */
export interface TokenClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly clientId: string;
  readonly person: string | undefined;
  readonly scopes: readonly string[];
  readonly id: string;
  readonly grant: string;
  readonly issued: number;
  readonly expires: number;
  readonly all: JsonObject;
}

export function readClaims({ claims: all }: Extract<TokenReading, { kind: 'own' }>): TokenClaims {
  return {
    issuer: textOf(all, 'iss') ?? '',
    subject: textOf(all, 'sub') ?? '',
    clientId: textOf(all, 'client_id') ?? '',
    person: textOf(all, 'person'),
    scopes: (textOf(all, 'scope') ?? '').split(' ').filter((scope) => scope !== ''),
    id: textOf(all, 'jti') ?? '',
    grant: textOf(all, 'grant') ?? '',
    issued: numberOf(all, 'iat'),
    expires: numberOf(all, 'exp'),
    all,
  };
}

export function textOf(claims: JsonObject, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' ? value : undefined;
}

function numberOf(claims: JsonObject, name: string): number {
  const value = claims[name];
  return typeof value === 'number' ? value : 0;
}
