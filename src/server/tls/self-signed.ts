import { isIP } from 'node:net';

/** A certificate with its key, and the CA certificate that signed it, as PEM texts. */
export interface MadeCertificate {
  readonly cert: string;
  readonly key: string;
  /**
   * The CA certificate for clients to trust. Its key is discarded at once, so that it cannot sign
   * anything else.
   */
  readonly authority: string;
}

const hour = 3_600_000;
const year = 365 * 24 * hour;

/**
 * Makes a certificate for localhost, 127.0.0.1, ::1 and the host, valid for a year, with a new CA.
 */
export async function makeCertificate(host: string, now: Date): Promise<MadeCertificate> {
  // Loaded on demand, because it takes longer than the rest of the start.
  const { generate } = await import('selfsigned');
  const common = {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now.getTime() - hour),
    notAfterDate: new Date(now.getTime() + year),
  } as const;
  const authority = await generate([{ name: 'commonName', value: 'vouch, for this mock alone' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, pathLenConstraint: 0, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: namesFor(host) },
    ],
  });
  return { cert: leaf.cert, key: leaf.private, authority: authority.cert };
}

type AlternativeName =
  { readonly type: 2; readonly value: string } | { readonly type: 7; readonly ip: string };

function namesFor(host: string): AlternativeName[] {
  const names = new Set([
    'localhost',
    '127.0.0.1',
    '::1',
    ...(['', '0.0.0.0', '::'].includes(host) ? [] : [host]),
  ]);
  return [...names].map((name) =>
    isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
  );
}
