import type { Contract } from '../../contract/model.ts';
import type { HeaderList, HttpRequest } from '../../http/message.ts';
import type { MockOptions } from '../../mock/mock.ts';
import { keyText } from '../../mock/security/credentials.ts';

/** Redacts secrets of an exchange. */
export interface Redact {
  headers(headers: HeaderList): [name: string, value: string][];
  target(target: string): string;
  text(text: string): string;
  /**
   * Redacts a sentence about a header, a parameter or a member of the body: `header X must be a,
   * but is b`.
   */
  sentence(sentence: string): string;
  /** The same redactor, which also redacts the secrets of this request. */
  within(request: Pick<HttpRequest, 'headers' | 'target'>): Redact;
}

/** Replaces a secret. */
const redacted = '[redacted]';

const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];
const secretMembers = [
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'client_assertion',
  'code_verifier',
  'device_code',
  'password',
];
const member = new RegExp(`("(?:${secretMembers.join('|')})"\\s*:\\s*")(?:[^"\\\\]|\\\\.)*`, 'g');
/**
 * The same member in JSON that is embedded in a text, such as a response that echoes the request.
 */
const quotedMember = new RegExp(
  `(\\\\+"(?:${secretMembers.join('|')})\\\\+"\\s*:\\s*\\\\+")[^"\\\\]*`,
  'g',
);
const field = new RegExp(`((?:^|&)(?:${secretMembers.join('|')})=)[^&]*`, 'g');
/** A signed token (RFC 7519): three parts, the first of which is the start of an object. */
const signedToken = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;

/** The secrets of a contract and a run. */
interface Secrets {
  readonly headers: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  readonly values: readonly string[];
}

/**
 * Redacts by location (API keys of the contract), by name (credentials, cookies, members of OAuth),
 * by form (signed tokens), and by value: `known` secrets, and secrets of the request wherever they
 * are echoed.
 */
export function makeRedact(
  { securitySchemes }: Pick<Contract, 'securitySchemes'>,
  known: readonly string[],
): Redact {
  const keys = [...securitySchemes.values()].flatMap((scheme) =>
    scheme.kind === 'apiKey' ? [scheme] : [],
  );
  return redactOf({
    headers: new Set([
      ...secretHeaders,
      ...keys.filter((key) => key.in === 'header').map(({ key }) => key.toLowerCase()),
    ]),
    parameters: new Set([
      ...secretMembers,
      ...keys.filter((key) => key.in === 'query').map(({ key }) => key),
    ]),
    values: known.filter(isTelling),
  });
}

/** The redactor of a mock: its contract and its keys. */
export function redactFor({ contract, keys }: MockOptions): Redact {
  return makeRedact(contract, keys.map(keyText));
}

function redactOf(secrets: Secrets): Redact {
  const { headers, parameters, values } = secrets;
  const byValue = (text: string): string =>
    values.reduce(
      (rest, value) => rest.replaceAll(value, redacted),
      text.replaceAll(signedToken, redacted),
    );
  return {
    headers: (list) =>
      list.map(([name, value]) => [
        name,
        headers.has(name.toLowerCase()) ? redacted : byValue(value),
      ]),
    target: (target) => byValue(redactQuery(target, parameters)),
    text: (text) =>
      byValue(
        text
          .replaceAll(member, `$1${redacted}`)
          .replaceAll(quotedMember, `$1${redacted}`)
          .replaceAll(field, `$1${redacted}`),
      ),
    sentence: (sentence) => {
      const [, place = '', name = ''] =
        /^((?:header |query |body\S*\.)(\S+)) (?:must|is) /.exec(sentence) ?? [];
      const secret = place.startsWith('header ')
        ? headers.has(name.toLowerCase())
        : parameters.has(name);
      return secret ? `${place} is not as it must be (its value is a secret)` : byValue(sentence);
    },
    within: (request) =>
      redactOf({ ...secrets, values: [...values, ...secretsOf(request, secrets)] }),
  };
}

/** The secrets of a request: `Bearer abc` has one, a cookie can have several. */
function secretsOf(
  { headers: list, target }: Pick<HttpRequest, 'headers' | 'target'>,
  { headers, parameters }: Secrets,
): string[] {
  const fields = list
    .filter(([name]) => headers.has(name.toLowerCase()))
    .flatMap(([, value]) => value.split(/[\s;=,]+/));
  const query = [...new URLSearchParams(target.split('?', 2)[1] ?? '')]
    .filter(([name]) => parameters.has(name))
    .map(([, value]) => value);
  return [...new Set([...fields, ...query])].filter(isTelling);
}

/** Short texts are not redacted by value, because they occur as ordinary words. */
function isTelling(value: string): boolean {
  return value.length >= 6 && !/^(bearer|digest)$/i.test(value);
}

function redactQuery(target: string, names: ReadonlySet<string>): string {
  const mark = target.indexOf('?');
  if (mark === -1) return target;
  const pieces = target
    .slice(mark + 1)
    .split('&')
    .map((piece) => {
      const [name = ''] = piece.split('=', 1);
      return names.has(decode(name)) && piece.includes('=') ? `${name}=${redacted}` : piece;
    });
  return `${target.slice(0, mark)}?${pieces.join('&')}`;
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
