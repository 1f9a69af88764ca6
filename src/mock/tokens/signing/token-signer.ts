import type { CryptoKey, JWK } from 'jose';
import { quoteExcerpt } from '../../../json/json-problem.ts';
import { parseJson } from '../../../json/parse-json.ts';
import { isJsonObject, type JsonObject, stringifyJson } from '../../../json/value.ts';
import { RecentMap } from '../../../store/recent-map.ts';
import { isOwnIssuer } from '../token-verdict.ts';

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

/** The key that the mock signs with: ECDSA on P-256, which is `ES256` (RFC 7518, section 3.4). */
interface SigningKey {
  /** The thumbprint of the public part (RFC 7638): the same key has the same name everywhere. */
  readonly id: string;
  readonly secret: CryptoKey;
  readonly open: CryptoKey;
  /** The public part, as `jwks.json` shows it. */
  readonly jwk: JWK;
}

/** The one algorithm that tokens are signed with, and that is accepted (RFC 8725, section 3.1). */
export const algorithm = 'ES256';

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;

/** The number of points of the curve (SEC 2, section 2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * What stands before the 32 bytes of a P-256 key in PKCS #8 without its public part (RFC 5958; RFC
 * 5915).
 */
const pkcs8Prefix = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420';

/**
 * Makes the key that belongs to a secret: the same secret gives the same key, on every replica and
 * after every restart (HKDF with extra bits, FIPS 186-5, section A.2.1).
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

/** The claims of a token of our own that carries rights, as they were signed. */
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

/** Reads the claims of a token that was verified. */
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

/** A claim that is a text. */
export function textOf(claims: JsonObject, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' ? value : undefined;
}

function numberOf(claims: JsonObject, name: string): number {
  const value = claims[name];
  return typeof value === 'number' ? value : 0;
}
