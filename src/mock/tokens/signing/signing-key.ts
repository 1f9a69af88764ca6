import type { CryptoKey, JWK } from 'jose';

/** The key that the mock signs with: ECDSA on P-256, which is `ES256` (RFC 7518, section 3.4). */
export interface SigningKey {
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
