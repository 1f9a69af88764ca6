import { chooseOperations } from '../../check/model/choose-operations.ts';
import { credentialNotes, describeCredentialNote } from '../../check/secrets/credential-note.ts';
import type { GivenIdentities } from '../../check/secrets/identities.ts';
import { isMayWord, mayWords, runIdentityOf } from '../../check/secrets/identities.ts';
import type { CredentialOptions } from '../../check/secrets/run-credentials.ts';
import { readCredentialOptions } from '../../check/secrets/run-credentials.ts';
import { makeSecrets } from '../../check/secrets/secrets.ts';
import type { Config, IdentityConfig, TargetConfig } from '../../config/config.ts';
import type { Contract } from '../../contract/model.ts';
import { suggestWord, usage, VouchError } from '../../errors.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { readConfigHeaders, readHeaderFlags } from '../../library/read-header-flags.ts';
import type { Io } from '../io.ts';
import type { RunningReporter } from './run-reporters.ts';
import { mapMembers } from '../../json/value.ts';

/**
 * The tokens for a target: one without a scheme, with the name of its variable, and one for each
 * named scheme.
 */
export type GivenCredentials = Omit<CredentialOptions, 'headers'>;

/** The sources of tokens: the command line and the configuration. */
export interface CredentialFlags {
  readonly auth: readonly string[];
  /**
   * The `auth` of the target. A flag overrides the entry of its scheme; a flag without a scheme
   * overrides all entries.
   */
  readonly target?: TargetConfig['auth'];
  /** Whether VOUCH_TOKEN belongs to another target and is not used. */
  readonly withoutDefault?: boolean;
}

const defaultVariable = 'VOUCH_TOKEN';

/**
 * Reads the tokens for a target from environment variables, because every user of the machine can
 * see a command line. `env:NAME` names the variable of the token without a scheme (default
 * VOUCH_TOKEN), `SCHEME=env:NAME` the variable of one security scheme.
 */
export function readCredentials(
  io: Io,
  flags: CredentialFlags,
  schemes: readonly string[],
): GivenCredentials {
  const given = flags.auth.map((word) => splitAuthValue(word, schemes));
  refuseRepeats(given, schemes);
  const isReplaced = given.some(({ scheme }) => scheme === undefined);
  const configured = isReplaced
    ? []
    : authValuesOf(flags.target).map((word) => splitAuthValue(word, schemes));
  const named = new Map(
    [...configured, ...given].flatMap(({ scheme, variable }) =>
      scheme === undefined ? [] : [[scheme, variable]],
    ),
  );
  const unnamed = [...given, ...configured].find(({ scheme }) => scheme === undefined)?.variable;
  const tokens = [...named].map(
    ([scheme, variable]) => [scheme, readVariable(io, variable)] as const,
  );
  return {
    ...(unnamed === undefined
      ? readDefault(io, flags, [...named.values()])
      : { token: readVariable(io, unnamed), tokenSource: { variable: unnamed, named: true } }),
    ...(tokens.length === 0 ? {} : { tokens: Object.fromEntries(tokens) }),
  };
}

/** VOUCH_TOKEN, unless a flag assigns it to one scheme. */
function readDefault(
  { env }: Io,
  { withoutDefault = false }: CredentialFlags,
  named: readonly string[],
): GivenCredentials {
  const token = trimmedOrUndefined(env[defaultVariable]);
  if (token === undefined || withoutDefault || named.includes(defaultVariable)) return {};
  return { token, tokenSource: { variable: defaultVariable, named: false } };
}

function authValuesOf(auth: TargetConfig['auth']): string[] {
  if (auth === undefined) return [];
  if (typeof auth === 'string') return [auth];
  return Object.entries(auth).map(([scheme, variable]) => `${scheme}=${variable}`);
}

interface AuthValue {
  readonly scheme?: string;
  readonly variable: string;
}

function splitAuthValue(word: string, schemes: readonly string[]): AuthValue {
  const at = word.lastIndexOf('=env:');
  if (at < 1) return { variable: variableIn(word) };
  const scheme = word.slice(0, at);
  if (!schemes.includes(scheme)) {
    const where = `the security scheme ${scheme}, which the contract does not define`;
    const message = `--auth names ${where}.`;
    throw usage(message, { hint: suggestWord(scheme, schemes) });
  }
  return { scheme, variable: variableIn(word.slice(at + 1)) };
}

function refuseRepeats(values: readonly AuthValue[], schemes: readonly string[]): void {
  const repeated = values.find(
    ({ scheme }, index) => values.findIndex((other) => other.scheme === scheme) !== index,
  );
  if (repeated === undefined) return;
  const { scheme } = repeated;
  const message =
    scheme === undefined
      ? '--auth names two variables without a security scheme.'
      : `--auth names two variables for ${scheme}.`;
  throw usage(message, {
    hint: `Name the scheme of each: --auth ${schemes[0] ?? 'SCHEME'}=env:NAME.`,
  });
}

function variableIn(word: string): string {
  const name = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(word)?.[1];
  if (name !== undefined) return name;
  throw usage('--auth takes the name of an environment variable, not the token itself.', {
    hint: 'Put the token into an environment variable and pass its name: --auth env:MY_TOKEN.',
  });
}

function readVariable(io: Io, name: string): string {
  const token = trimmedOrUndefined(io.env[name]);
  if (token !== undefined) {
    io.keepSecret?.(token);
    return token;
  }
  throw usage(`The environment variable ${name} with the token is empty or not set.`, {
    hint: `Set it: export ${name}=…`,
  });
}

function trimmedOrUndefined(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

/**
 * The identities of the configuration: those of the target, otherwise those of the top level. An
 * identity whose variable is not set is kept, with the name of the variable. Throws a VouchError
 * with line and column for names that the contract or the configuration does not have.
 */
export function readConfigIdentities(
  io: Io,
  { config, contract }: { readonly config: Config; readonly contract: Contract },
  target: string | undefined,
): GivenIdentities {
  const chosen = target === undefined ? undefined : config.targets[target]?.identities;
  const given = chosen ?? config.identities ?? {};
  const at =
    chosen === undefined ? '/identities' : joinPointer('/targets', target ?? '', 'identities');
  const own = runIdentityOf(given);
  return mapMembers(given, (identity, name) => {
    const place = joinPointer(at, name);
    refuseStrayNames(identity, { config, contract, at: place });
    if (name !== own) refuseLimits(identity, { config, at: place, own });
    const { headers, may, sees } = identity;
    const owner = `the identity ${name}`;
    const named = { given: headers, at: joinPointer(place, 'headers'), owner };
    return {
      ...readIdentityTokens(io, identity, [...contract.securitySchemes.keys()]),
      headers: readConfigHeaders(config, named, io.env),
      may,
      sees,
    };
  });
}

/** Whether the identity that the run uses has a credential of its own. */
export function hasOwnCredential(identities: GivenIdentities): boolean {
  const own = identities[runIdentityOf(identities) ?? ''];
  return own !== undefined && (own.token !== undefined || own.tokens !== undefined);
}

/** The tokens of an identity, or the variable that is not set. */
function readIdentityTokens(
  io: Io,
  { auth }: IdentityConfig,
  schemes: readonly string[],
): GivenCredentials & { readonly lacks?: string } {
  if (auth === undefined) return {};
  const variables = authValuesOf(auth).map((word) => splitAuthValue(word, schemes).variable);
  const lacks = variables.find((name) => trimmedOrUndefined(io.env[name]) === undefined);
  return lacks === undefined
    ? readCredentials(io, { auth: [], target: auth, withoutDefault: true }, schemes)
    : { lacks };
}

interface IdentityPlace {
  readonly config: Config;
  readonly at: Pointer;
}

function refuseStrayNames(
  { auth, may = [], sees }: IdentityConfig,
  { config, contract, at }: IdentityPlace & { readonly contract: Contract },
): void {
  const schemes = [...contract.securitySchemes.keys()];
  for (const scheme of typeof auth === 'object' ? Object.keys(auth) : [])
    if (!schemes.includes(scheme)) {
      const message = `The configuration names an unknown security scheme: ${scheme}.`;
      throw faultAt(config, joinPointer(at, 'auth', scheme), message, suggestWord(scheme, schemes));
    }
  const selectors = [
    ...may
      .map((word, index) => ({ word, place: joinPointer(at, 'may', index) }))
      .filter(({ word }) => !isMayWord(word)),
    ...(sees?.except ?? []).map((word, index) => ({
      word,
      place: joinPointer(at, 'sees', 'except', index),
    })),
  ];
  for (const { word, place } of selectors) {
    try {
      chooseOperations(contract, [word]);
    } catch (error) {
      if (!(error instanceof VouchError)) throw error;
      const words = Object.keys(mayWords).join(', ');
      const hint = `${error.hint ?? ''} Words for all operations of a kind: ${words}.`.trim();
      throw faultAt(config, place, error.message, hint);
    }
  }
}

/** An identity that is limited needs a credential, and the run's identity to be compared with. */
function refuseLimits(
  { auth, headers, sees }: IdentityConfig,
  { config, at, own }: IdentityPlace & { readonly own: string | undefined },
): void {
  if (auth === undefined && headers === undefined) {
    const hint = 'Name the variable that holds its token: auth: env:NAME.';
    throw faultAt(config, at, 'An identity that the run does not use itself needs auth.', hint);
  }
  const named = sees?.['nothing-of'];
  if (named === undefined || named === own) return;
  const message = `The identity ${named} does not create the records of the run.`;
  const hint =
    own === undefined
      ? `Put ${named} first, without may and sees: the run uses the first identity.`
      : `Write nothing-of: ${own}, the identity that the run uses.`;
  throw faultAt(config, joinPointer(at, 'sees', 'nothing-of'), message, hint);
}

function faultAt({ fault }: Config, at: Pointer, message: string, hint: string): VouchError {
  return fault?.(at, message, hint) ?? new VouchError('config-invalid', message, { hint });
}

/** The flags that add credentials and headers to requests. */
interface AccessFlags {
  readonly auth: readonly string[];
  readonly header: readonly string[];
}

/**
 * Reads credentials and headers, and prints to stderr which of them are not sent. For commands
 * whose output has no run header.
 */
export function readAccess(io: Io, flags: AccessFlags, contract: Contract): CredentialOptions {
  const credentials = readCredentials(io, { auth: flags.auth }, [
    ...contract.securitySchemes.keys(),
  ]);
  const access = { ...credentials, headers: readHeaderFlags(flags.header, io.env) };
  const settled = readCredentialOptions(contract, access);
  const secrets = makeSecrets(settled, 'notes');
  const notes = credentialNotes({ contract, credentials: settled, secrets, operations: [] });
  for (const note of notes) io.err(`${describeCredentialNote(note)}\n`);
  return access;
}

/**
 * Prints to stderr which credentials are missing or not sent, if no reporter prints the run header
 * to stdout.
 */
export function printCredentialNotes(io: Io): RunningReporter {
  return {
    take(event) {
      if (event.type !== 'run-started') return;
      for (const note of event.run.credentials ?? []) io.err(`${describeCredentialNote(note)}\n`);
    },
    async finish() {},
    discard() {},
  };
}
