import type { Contract } from '../contract/model.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isJsonArray, isJsonObject, memberOf, objectOf } from '../json/value.ts';
import { valueAt } from '../json/pointer.ts';

/** Words that name a secret where a name ends in one of them. */
const secretWords: ReadonlySet<string> = new Set(
  (
    'password passwd pwd passphrase passcode secret token credential authorization jwt ' +
    'otp totp cvv cvc'
  ).split(' '),
);
/** The same where they end a word of several without a separator: `accesstoken`. */
const secretEndings = /(?:password|passwd|passphrase|secret|token|apikey|sess(?:ion)?id)$/;
/** A token with one of these words before it is a place in a list, or a count. */
const cursorWords = new RegExp(
  '^(?:page|next|prev(?:ious)?|continuation|cursor|sync|skip|pagination|delta|max|min)+' +
    '(?:tokens?)?$',
);
/** A key with one of these words before it opens something; other keys identify something. */
const keyWords: ReadonlySet<string> = new Set([
  ...['api', 'secret', 'private', 'access', 'auth', 'signing', 'encryption', 'master'],
  ...['subscription', 'shared', 'session'],
]);
/** Values of OAuth 2.0 that stand for a credential (RFC 6749, 7521, 7636, 8628). */
const oauthValues =
  /(?:^| )(?:client assertion|assertion|code verifier|device code|auth(?:orization)? code)$/;
/** Words after the name of a secret that leave it one: `password_confirmation`, `tokenValue`. */
const qualifiers: ReadonlySet<string> = new Set([
  ...['confirmation', 'confirm', 'repeat', 'repeated', 'again', 'verify', 'new', 'old', 'current'],
  ...['value', 'text', 'raw', 'plain', 'encrypted', 'hash', 'hashed'],
]);
/** Words that also name a secret in a header or a query. */
const fieldWords: ReadonlySet<string> = new Set([
  ...['cookie', 'sig', 'signature', 'sid', 'auth', 'csrf', 'xsrf', 'csrftoken'],
]);

/** The words of a name, in lower case: of camelCase, snake_case, kebab-case, `user[password]`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/\d+$/, ''))
    .filter((word) => word !== '');
}

/** What a name says of its value. `several`: a number under it is a count of them. */
export type NamedSecret = 'one' | 'several' | undefined;

/** Whether a member, a parameter or a form field of this name has a secret value. */
function readName(name: string): NamedSecret {
  const words = wordsOf(name);
  while (words.length > 1 && qualifiers.has(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  const one = last.replace(/s$/, '');
  if (/tokens?$/.test(last) && words.some((word) => cursorWords.test(word))) return undefined;
  if (secretWords.has(last)) return 'one';
  if (secretWords.has(one)) return 'several';
  return secretEndings.test(last) || isSecretPhrase(words) ? 'one' : undefined;
}

/** Names of which the last word alone says nothing: `api key`, `session id`, `device code`. */
function isSecretPhrase(words: readonly string[]): boolean {
  const [before = '', last = ''] = words.slice(-2);
  if (last === 'key') return keyWords.has(before);
  if (last === 'id' || last === 'identifier') return before === 'session';
  return oauthValues.test(words.join(' '));
}

/**
 * Knows by its name whether a value is secret: from the words of the name, and from the contract
 * (keys of security schemes, `format: password`).
 */
export class SecretNames {
  readonly #fields: ReadonlySet<string>;
  readonly #members: ReadonlySet<string>;
  /** The same few names come again and again. */
  readonly #known = new Map<string, NamedSecret>();

  /** `contract`: none without one; `fields`: further names of secret headers. */
  constructor(
    contract?: Pick<Contract, 'securitySchemes' | 'document'>,
    fields: readonly string[] = [],
  ) {
    const schemes = [...(contract?.securitySchemes.values() ?? [])];
    const keys = schemes.flatMap((scheme) => (scheme.kind === 'apiKey' ? [scheme] : []));
    const inHeader = keys.filter((key) => key.in === 'header').map(({ key }) => key);
    const elsewhere = keys.filter((key) => key.in !== 'header').map(({ key }) => key);
    const passwords = contract === undefined ? [] : passwordNames(contract.document);
    this.#fields = new Set([...inHeader, ...fields].map((name) => name.toLowerCase()));
    this.#members = new Set([...elsewhere, ...passwords].map((name) => name.toLowerCase()));
  }

  /** For a member of a body, or a field of a form. */
  member(name: string): NamedSecret {
    if (name.length > 100) return undefined;
    if (!this.#known.has(name)) {
      if (this.#known.size >= 1_000) this.#known.clear();
      this.#known.set(name, this.#members.has(name.toLowerCase()) ? 'one' : readName(name));
    }
    return this.#known.get(name);
  }

  /** For a parameter of a query or a fragment. */
  parameter(name: string): NamedSecret {
    return this.member(name) ?? (fieldWords.has(wordsOf(name).at(-1) ?? '') ? 'one' : undefined);
  }

  /** For a header field. */
  isHeader(name: string): boolean {
    return this.#fields.has(name.toLowerCase()) || this.parameter(name) !== undefined;
  }
}

const passwordNamesOf = new WeakMap<JsonObject, readonly string[]>();

/** The names of members and parameters whose schema has `format: password`. */
function passwordNames(document: JsonObject): readonly string[] {
  const known = passwordNamesOf.get(document) ?? findPasswordNames(document);
  passwordNamesOf.set(document, known);
  return known;
}

function findPasswordNames(document: JsonObject): string[] {
  const names: string[] = [];
  const waiting: JsonValue[] = [document];
  // Aliases of YAML are the same object at several places.
  const seen = new Set<JsonValue>();
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (isJsonArray(value)) waiting.push(...value);
    if (!isJsonObject(value) || seen.has(value)) continue;
    seen.add(value);
    names.push(
      ...namedSchemas(value).flatMap(([name, node]) => (isPassword(document, node) ? [name] : [])),
    );
    waiting.push(...Object.values(value));
  }
  return names;
}

/** The schemas that have a name here: of properties, or of a parameter, which 2.0 has in itself. */
function namedSchemas(value: JsonObject): (readonly [name: string, schema: JsonValue])[] {
  const { properties, name, schema } = value;
  return [
    ...Object.entries(objectOf(properties)),
    ...(typeof name === 'string' ? [[name, schema ?? value] as const] : []),
  ];
}

function isPassword(document: JsonObject, schema: JsonValue): boolean {
  const reference = memberOf(schema, '$ref');
  const node =
    typeof reference === 'string' && reference.startsWith('#/')
      ? valueAt(document, reference.slice(1))
      : schema;
  return isJsonObject(node) && node['format'] === 'password';
}

const suspiciousWords = new RegExp(
  [
    'authorization|cookie|token|key|secret|passw|passphrase',
    'credential|session|signature|jwt|[cx]srf',
  ].join('|'),
  'i',
);

/**
 * Whether the value of a header is probably secret, by its name: then it must not stand on a
 * command line. This suspects more than is hidden, because a false alarm costs little there.
 */
export function looksSecret(name: string): boolean {
  return suspiciousWords.test(name) || /(^|[-_.])(auth|sid|pwd|sig)([-_.]|$)/i.test(name);
}
