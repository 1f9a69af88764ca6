import { isIP } from 'node:net';
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { codeOf, VouchError } from '../../errors.ts';
import { writeWholeFile } from '../../files/file-writer.ts';

/** A certificate and its key: each a file or PEM text. */
export interface GivenCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The TLS options of a server. */
export interface TlsChoice {
  /** Default: a certificate that is generated at each start. */
  readonly certificate?: GivenCertificate;
  /** The file to which the CA certificate of a generated certificate is written. */
  readonly caFile?: string | undefined;
  /**
   * The CA of client certificates: a file or PEM text. Client certificates are requested, and never
   * refused.
   */
  readonly clientCa?: string | undefined;
}

export interface TlsSettings {
  readonly cert: string;
  readonly key: string;
  /** The SHA-256 fingerprint of the certificate, as browsers show it. */
  readonly fingerprint: string;
  /** The CA certificate for clients to trust, if the certificate is generated. */
  readonly authority?: string;
  readonly caFile?: string | undefined;
  readonly clientCa?: string;
}

/**
 * Prepares the certificate. Throws `config-invalid` for files that cannot be read, are invalid, or
 * do not match.
 */
export async function prepareTls(choice: TlsChoice, host: string, now: Date): Promise<TlsSettings> {
  const clientCa = choice.clientCa === undefined ? undefined : await readAuthority(choice.clientCa);
  const common = clientCa === undefined ? {} : { clientCa };
  if (choice.certificate !== undefined) {
    if (choice.caFile !== undefined)
      throw invalid(
        'A certificate that is given has its own authority, so there is none to write.',
        'Leave one of the two out.',
      );
    return { ...(await readGiven(choice.certificate, now)), ...common };
  }
  // Loaded on demand, for generated certificates only.
  const { cert, key, authority } = await makeCertificate(host, now);
  if (choice.caFile !== undefined) writeAuthority(choice.caFile, authority);
  return {
    cert,
    key,
    authority,
    fingerprint: new X509Certificate(cert).fingerprint256,
    caFile: choice.caFile,
    ...common,
  };
}

async function readGiven(given: GivenCertificate, now: Date): Promise<TlsSettings> {
  const [cert, key] = [await readPem(given.cert, 'certificate'), await readPem(given.key, 'key')];
  const certificate = parseCertificate(cert, given.cert);
  if (!certificate.checkPrivateKey(parseKey(key, given.key))) {
    throw invalid(
      `The key${named(given.key)} is not that of the certificate${named(given.cert)}.`,
      "Give the two that were made together; of a chain, the server's own certificate comes first.",
    );
  }
  if (now > new Date(certificate.validTo))
    throw invalid(
      `The certificate${named(given.cert)} ran out on ${certificate.validTo}.`,
      'Renew it, or leave it out: then one is made.',
    );
  return { cert, key, fingerprint: certificate.fingerprint256 };
}

async function readAuthority(given: string): Promise<string> {
  const pem = await readPem(given, 'authority of clients');
  parseCertificate(pem, given);
  return pem;
}

async function readPem(given: string, what: string): Promise<string> {
  if (isPem(given)) return given;
  try {
    return await readFile(given, 'utf8');
  } catch (error) {
    throw invalid(
      `The ${what} ${given} cannot be read: ${codeOf(error) ?? String(error)}.`,
      'Name a file in PEM format.',
      error,
    );
  }
}

function writeAuthority(file: string, authority: string): void {
  try {
    writeWholeFile(file, authority);
  } catch (error) {
    if (!(error instanceof VouchError)) throw error;
    const message = `The authority cannot be written: ${error.message}`;
    throw invalid(message, error.hint ?? 'Name another file.', error);
  }
}

function parseCertificate(pem: string, given: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw invalid(
      `${placeOf(given)} holds no certificate.`,
      'It must begin with -----BEGIN CERTIFICATE-----.',
      error,
    );
  }
}

function parseKey(pem: string, given: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (error) {
    const locked =
      error instanceof Error && /passphrase|interrupted|bad decrypt/i.test(error.message);
    throw invalid(
      `${placeOf(given)} holds no private key that can be used.`,
      locked
        ? 'It is locked with a passphrase: give one that is not.'
        : 'It must begin with -----BEGIN PRIVATE KEY-----.',
      error,
    );
  }
}

function isPem(given: string): boolean {
  return given.includes('-----BEGIN ');
}

/** The name of a file for messages. PEM text is not repeated, because it may be a key. */
function named(given: string): string {
  return isPem(given) ? '' : ` ${given}`;
}

function placeOf(given: string): string {
  return isPem(given) ? 'The text that was given' : given;
}

function invalid(message: string, hint: string, cause?: unknown): VouchError {
  return new VouchError('config-invalid', message, { hint, cause });
}

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
