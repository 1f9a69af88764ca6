import type { Contract } from '../../contract/model.ts';
import type { HeaderList, HttpRequest } from '../../http/message.ts';
import type { MockOptions } from '../../mock/mock.ts';
import { keyText } from '../../mock/security/credentials.ts';

/** Takes secrets out of what is shown of an exchange. */
export interface Redact {
  headers(headers: HeaderList): [name: string, value: string][];
  target(target: string): string;
  text(text: string): string;
  /**
   * A sentence about a header, a parameter or a member of the body: `header X must be a, but is b`.
   */
  sentence(sentence: string): string;
  /** The same, which also knows what a request was sent as a secret. */
  within(request: Pick<HttpRequest, 'headers' | 'target'>): Redact;
}

/** What stands where a secret stood. */
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
/** The same in a text that holds JSON as a text, such as an answer that repeats what was sent. */
const quotedMember = new RegExp(
  `(\\\\+"(?:${secretMembers.join('|')})\\\\+"\\s*:\\s*\\\\+")[^"\\\\]*`,
  'g',
);
const field = new RegExp(`((?:^|&)(?:${secretMembers.join('|')})=)[^&]*`, 'g');
/** A signed token (RFC 7519): three parts, the first of which begins an object. */
const signedToken = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g;

/** What tells a secret: where it stands, and what it is. */
interface Secrets {
  readonly headers: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
  readonly values: readonly string[];
}

/**
 * Knows the secrets of a contract by place (its API keys), by name (credentials, cookies, the
 * members of OAuth), by shape (signed tokens), and by value: what is `known`, and what an exchange
 * itself was sent as a secret, wherever that is repeated.
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

const redactors = new WeakMap<MockOptions, Redact>();

/**
 * The same for a mock: its contract, and the keys that it knows. Made once, because every request
 * line is redacted.
 */
export function redactFor(options: MockOptions): Redact {
  const known = redactors.get(options);
  if (known !== undefined) return known;
  const made = makeRedact(options.contract, options.keys.map(keyText));
  redactors.set(options, made);
  return made;
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

/**
 * What a request was sent as a secret, piece by piece: `Bearer abc` has one, a cookie may have
 * several.
 */
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

/** A short text may be a word of its own, which stands in many places. */
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
