import { connectionFields } from '../../http/connection-fields.ts';
import type { RunHeader } from './secrets.ts';
import type {
  Contract,
  Operation,
  SecurityRequirement,
  SecurityScheme,
} from '../../contract/model.ts';
import { suggestWord, usage, type VouchError } from '../../errors.ts';
import { looksSecret } from '../../redact/secret-names.ts';
import { isSendable, usableRequirements } from './credential.ts';
import { isSecured } from '../../contract/model/operation.ts';
import { membersWhere } from '../../json/value.ts';

/** The source of the unnamed token. */
export interface TokenSource {
  /** The environment variable, as named in messages. */
  readonly variable: string;
  /**
   * Whether the user named the variable for this run; one that happens to be set may be ignored.
   */
  readonly named: boolean;
}

export interface CredentialOptions extends GivenTokens {
  readonly tokenSource?: TokenSource;
  readonly headers?: GivenHeaders;
}

/** The credentials of a run, each with its purpose. */
export interface Credentials {
  readonly token?: string | undefined;
  /** The names of the schemes that get the unnamed token; empty if it is not sent. */
  readonly tokenFor: readonly string[];
  readonly tokenSource: TokenSource;
  /** The tokens of schemes by name. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly headers: readonly RunHeader[];
  /** The given schemes that no operation requires: they go with those that require nothing. */
  readonly everywhere: SecurityRequirement;
}

const defaultSource: TokenSource = { variable: 'VOUCH_TOKEN', named: true };

/**
 * Decides which scheme gets which token. Throws a VouchError for a token that could be for several
 * schemes, and for unknown names.
 */
export function readCredentialOptions(contract: Contract, options: CredentialOptions): Credentials {
  const { tokenSource = defaultSource } = options;
  const tokens = membersWhere(options.tokens ?? {}, (_name, token) => token !== '');
  refuseUnknownSchemes(contract, Object.keys(options.tokens ?? {}));
  for (const token of [options.token, ...Object.values(tokens)]) refuseToken(token);
  const token = options.token === '' ? undefined : options.token;
  const { candidates, ...assigned } = assignToken(contract, { tokens });
  const asked = schemesAskedFor(contract);
  const unasked = [...contract.securitySchemes.values()].filter(
    (scheme) => isSendable(scheme) && !asked.has(scheme.name),
  );
  const only = contract.securitySchemes.size === 1 ? unasked[0]?.name : undefined;
  const schemes = only === undefined || tokens[only] !== undefined ? assigned.schemes : [only];
  const mayLeaveOut = !tokenSource.named && Object.keys(tokens).length > 0;
  if (token !== undefined && candidates.length > 1 && !mayLeaveOut)
    throw ambiguous(tokenSource.variable, candidates);
  return {
    token,
    tokenFor: token === undefined ? [] : schemes,
    tokenSource,
    tokens,
    headers: readRunHeaders(options.headers),
    everywhere: unasked
      .filter(({ name }) => tokens[name] !== undefined || (name === only && token !== undefined))
      .map((scheme) => ({ scheme, scopes: [] })),
  };
}

/** The names of the schemes that operations require. */
export function schemesAskedFor({ operations }: Contract): Set<string> {
  const requirements = operations.filter(isSecured).flatMap(usableRequirements);
  return new Set(requirements.flat().map(({ scheme }) => scheme.name));
}

function ambiguous(variable: string, candidates: readonly (readonly string[])[]): VouchError {
  const flags = candidates.map(([scheme = '']) => `--auth ${scheme}=env:NAME`);
  const names = candidates.map((group) => group.join(' or ')).join(', ');
  const choice = `any of ${String(candidates.length)} security schemes: ${names}`;
  const message = `${variable} could be for ${choice}. A token is sent only for its own scheme.`;
  const hint =
    `Name the variable of each: ${flags.join(' ')}. A scheme without a flag gets ` +
    'no credential.';
  return usage(message, { hint });
}

function refuseUnknownSchemes({ securitySchemes }: Contract, given: readonly string[]): void {
  const known = [...securitySchemes.keys()];
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw usage(`There is no security scheme ${unknown}.`, { hint: suggestWord(unknown, known) });
}

function refuseToken(token: string | undefined): void {
  if (token === undefined || /^[\x20-\x7e\x80-\xff]*$/.test(token)) return;
  throw usage('The token has a character that HTTP headers cannot contain.', {
    hint: 'Check for a line break at its end, or for quotes that were meant to be straight.',
  });
}

/** The user's tokens: one without a name, and those of named security schemes. */
interface GivenTokens {
  readonly token?: string;
  readonly tokens?: Readonly<Record<string, string>>;
}

/**
 * The schemes that the unnamed token is sent for. With several candidates it is unknown which one
 * it is for.
 */
interface TokenAssignment {
  /** The names of one scheme, or of several with the same form; empty if the token is not sent. */
  readonly schemes: readonly string[];
  /**
   * Groups of schemes that operations require and that have no token; schemes of a group are sent
   * alike.
   */
  readonly candidates: readonly (readonly string[])[];
}

/**
 * Decides what the unnamed token is for: the only scheme without a named token that an operation
 * still needs. Schemes that are sent alike, such as OAuth 2.0 and bearer, count as one. With
 * several it is for none, since any choice would be a guess. All operations of the contract count,
 * so that a narrower run never sends the token to another scheme.
 */
export function assignToken(contract: Contract, { tokens = {} }: GivenTokens): TokenAssignment {
  const named = new Set(
    Object.entries(tokens).flatMap(([name, value]) => (value === '' ? [] : [name])),
  );
  const needed = contract.operations.flatMap((operation) => schemesWithout(operation, named));
  const groups = Map.groupBy(new Set(needed), travelForm);
  const candidates = [...groups.values()].map((group) => group.map(({ name }) => name));
  return { schemes: candidates.length === 1 ? (candidates[0] ?? []) : [], candidates };
}

/**
 * The schemes for which an operation lacks a credential; empty if the named ones are enough. One
 * credential alone cannot meet what asks for two more, where another requirement asks for one.
 */
function schemesWithout(operation: Operation, named: ReadonlySet<string>): SecurityScheme[] {
  if (!isSecured(operation)) return [];
  const lacking = usableRequirements(operation).map((requirement) =>
    requirement.map(({ scheme }) => scheme).filter(({ name }) => !named.has(name)),
  );
  if (lacking.some(({ length }) => length === 0)) return [];
  const alone = lacking.filter(({ length }) => length === 1);
  return (alone.length > 0 ? alone : lacking).flat();
}

/** The form of a scheme's credential: equal for schemes that a server cannot distinguish. */
function travelForm(scheme: SecurityScheme): string {
  if (scheme.kind !== 'apiKey') return scheme.kind;
  return `${scheme.in} ${scheme.in === 'header' ? scheme.key.toLowerCase() : scheme.key}`;
}

/** How a run is given the key of a mock, which knows it under every scheme. */
export function giveMockKey(contract: Contract, token: string): GivenTokens {
  if (assignToken(contract, {}).candidates.length < 2) return { token };
  return {
    tokens: Object.fromEntries([...contract.securitySchemes.keys()].map((name) => [name, token])),
  };
}

/** The tokens of a contract's schemes by name; an ambiguous token is not assigned. */
export function tokensByScheme(
  contract: Contract,
  given: GivenTokens,
): Readonly<Record<string, string>> {
  const { token, tokens = {} } = given;
  if (token === undefined) return tokens;
  return {
    ...Object.fromEntries(assignToken(contract, given).schemes.map((name) => [name, token])),
    ...tokens,
  };
}

/** A header value that is secret, and the environment variable from which a shell reads it. */
export interface SecretHeaderValue {
  readonly value: string;
  readonly variable: string;
}

/** Headers by name that a run sends with every request: literal values, or secret ones. */
export type GivenHeaders = Readonly<Record<string, string | SecretHeaderValue>>;

/**
 * Headers that vouch writes for each request or connection (RFC 9110, sections 7.2, 7.6.1 and 8).
 */
const ownedByVouch: ReadonlySet<string> = new Set([
  ...connectionFields,
  'content-encoding',
  'content-type',
  'expect',
  'host',
]);

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * A clause that says why a header of this name cannot be added to every request; undefined if it
 * can.
 */
export function whyNotHeaderName(name: string): string | undefined {
  if (!fieldName.test(name)) return 'is not a valid header name';
  if (!ownedByVouch.has(name.toLowerCase())) return undefined;
  return 'is set by vouch for each request or connection';
}

/**
 * A clause that says why a text cannot be the value of a header; undefined if it can. Never
 * contains the value.
 */
export function whyNotHeaderValue(value: string): string | undefined {
  if (value.trim() === '') return 'has no value';
  return fieldValue.test(value)
    ? undefined
    : 'has a value with a character that HTTP headers cannot contain';
}

/** Reads the headers of a run. Throws a VouchError that names an invalid one, never its value. */
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
  return usage(`The header ${JSON.stringify(name)} ${fault}.`, {
    hint: 'Name each header once, as in X-Tenant; its value is one line of printable characters.',
  });
}
