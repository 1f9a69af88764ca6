import { VouchError } from '../../errors.ts';

/** A header value that is secret, and the environment variable from which a shell reads it. */
export interface SecretHeaderValue {
  readonly value: string;
  readonly variable: string;
}

/** Headers by name that a run sends with every request: literal values, or secret ones. */
export type GivenHeaders = Readonly<Record<string, string | SecretHeaderValue>>;

/** A header that a run sends with every request. */
export interface RunHeader {
  readonly name: string;
  readonly value: string;
  /** How a shell writes a secret value, `$GATEWAY_KEY`; absent where the value may be shown. */
  readonly shell?: string;
}

/**
 * What vouch writes for each request or connection itself (RFC 9110, sections 7.2, 7.6.1 and 8).
 */
const ownedByVouch: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Why a header of this name cannot be added to every request, in a clause; undefined where it can.
 */
export function whyNotHeaderName(name: string): string | undefined {
  if (!fieldName.test(name)) return 'is not a valid header name';
  if (!ownedByVouch.has(name.toLowerCase())) return undefined;
  return 'is set by vouch for each request or connection';
}

/**
 * Why a text cannot be the value of a header, in a clause; undefined where it can. Never repeats
 * the value.
 */
export function whyNotHeaderValue(value: string): string | undefined {
  if (value.trim() === '') return 'has no value';
  return fieldValue.test(value)
    ? undefined
    : 'has a value with a character that no HTTP header can carry';
}

const secretWords =
  /authorization|cookie|token|key|secret|passw|passphrase|credential|session|signature|jwt|[cx]srf/i;

/** Whether the value of a header is probably secret, by its name. */
export function looksSecret(name: string): boolean {
  return secretWords.test(name) || /(^|[-_.])(auth|sid|pwd|sig)([-_.]|$)/i.test(name);
}

/**
 * Reads the headers of a run. Throws a VouchError that names the one that cannot be sent, and never
 * its value.
 */
export function readRunHeaders(given: GivenHeaders = {}): RunHeader[] {
  const headers = Object.entries(given).map(([name, value]) => readHeader(name, value));
  const names = headers.map(({ name }) => name.toLowerCase());
  const twice = headers.find(({ name }, index) => names.indexOf(name.toLowerCase()) !== index);
  if (twice !== undefined) throw refuse(twice.name, 'is given twice');
  return headers;
}

function readHeader(name: string, given: string | SecretHeaderValue): RunHeader {
  const value = typeof given === 'string' ? given : given.value;
  const fault = whyNotHeaderName(name) ?? whyNotHeaderValue(value);
  if (fault !== undefined) throw refuse(name, fault);
  if (typeof given !== 'string') return { name, value: value.trim(), shell: `$${given.variable}` };
  const shell = looksSecret(name)
    ? { shell: `$VOUCH_HEADER_${name.toUpperCase().replaceAll(/\W/g, '_')}` }
    : {};
  return { name, value: value.trim(), ...shell };
}

function refuse(name: string, fault: string): VouchError {
  return new VouchError('usage', `The header ${JSON.stringify(name)} ${fault}.`, {
    hint: 'Name each header once, as in X-Tenant; its value is one line of printable characters.',
  });
}
