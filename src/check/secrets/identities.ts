import type { Contract, Operation } from '../../contract/model.ts';
import { suggestWord, usage, VouchError } from '../../errors.ts';
import { isSameName } from '../../http/message.ts';
import { defined } from '../../json/value.ts';
import { chooseOperations } from '../model/choose-operations.ts';
import type { EffectRules } from '../model/effect-rules.ts';
import { headerOf } from './credential.ts';
import type { CredentialOptions, Credentials, GivenHeaders } from './run-credentials.ts';
import { readCredentialOptions, readRunHeaders } from './run-credentials.ts';
import type { RunHeader } from './secrets.ts';

/** An identity that uses a service, and what it may see and do there. */
export interface IdentityOptions extends CredentialOptions {
  /**
   * What it may do: `read`, `create`, `change`, `delete`, `act`, `write` for all changes, or
   * operations as in `--include`. The service must refuse everything else that needs a credential.
   * Default: nothing is expected.
   */
  readonly may?: readonly string[] | undefined;
  /** The identity whose records it must not see, and operations to which that does not apply. */
  readonly sees?:
    { readonly 'nothing-of': string; readonly except?: readonly string[] } | undefined;
  /**
   * The environment variable for its credential, if it is empty: then the identity sends nothing.
   */
  readonly lacks?: string;
}

/** The identities of a run by name, in order. */
export type GivenIdentities = Readonly<Record<string, IdentityOptions>>;

/** An identity other than the run's, settled. */
export interface Identity {
  readonly name: string;
  readonly credentials: Credentials;
  /** Its permissions as in the configuration; absent if nothing is expected. */
  readonly may?: readonly string[] | undefined;
  /** The identity of the run, if it must see none of its records. */
  readonly seesNothingOf?: string | undefined;
  readonly lacks?: string | undefined;
  mayDo(operation: Operation): boolean;
  /** Whether the operation shows records of others on purpose. */
  isShared(operation: Operation): boolean;
}

export interface IdentitySettings {
  readonly contract: Contract;
  readonly rules: EffectRules;
  readonly headers?: GivenHeaders | undefined;
}

/** The words of `may` for all operations of some effects. */
export const mayWords: Readonly<Record<string, readonly string[]>> = {
  read: ['reads'],
  create: ['creates one'],
  change: ['changes one'],
  delete: ['deletes one'],
  act: ['acts on one', 'acts'],
  write: ['creates one', 'changes one', 'deletes one', 'acts on one', 'acts', 'sweeps'],
};

/** Whether a word of `may` means all operations of some effects. */
export function isMayWord(word: string): boolean {
  return Object.hasOwn(mayWords, word);
}

/**
 * The name of the identity that the run uses: the first, if nothing limits it. Undefined if the run
 * only has the credentials of its target.
 */
export function runIdentityOf(given: GivenIdentities = {}): string | undefined {
  const [first] = Object.entries(given);
  return first !== undefined && first[1].may === undefined && first[1].sees === undefined
    ? first[0]
    : undefined;
}

/** The options of a run with only its own identity: no credential of others is sent. */
export function asRunIdentity<Options extends CredentialOptions>({
  identities,
  ...options
}: Options & { readonly identities?: GivenIdentities }): Omit<Options, 'identities'> {
  const own = identities?.[runIdentityOf(identities) ?? ''];
  if (own === undefined || options.token !== undefined || options.tokens !== undefined)
    return options;
  const { token, tokens, tokenSource } = own;
  return { ...options, ...defined({ token, tokens, tokenSource }) };
}

/** The identities of a run except its own. Throws a VouchError that names an invalid one. */
export function readIdentities(
  given: GivenIdentities = {},
  settings: IdentitySettings,
): readonly Identity[] {
  const own = runIdentityOf(given);
  return Object.entries(given)
    .filter(([name]) => name !== own)
    .map(([name, options]) => readIdentity(name, options, { ...settings, own }));
}

function readIdentity(
  name: string,
  options: IdentityOptions,
  { contract, rules, headers, own }: IdentitySettings & { readonly own: string | undefined },
): Identity {
  const { may, sees, lacks } = options;
  if (sees !== undefined && sees['nothing-of'] !== own) throw notOfRun(name, sees, own);
  const chosen = within(name, () => readMay(contract, rules, may ?? []));
  const shared = within(name, () => new Set(chooseOperations(contract, sees?.except ?? [])));
  const credentials = within(name, () => readCredentialOptions(contract, options));
  return {
    name,
    credentials: { ...credentials, headers: headersFor(credentials.headers, contract, headers) },
    may,
    lacks,
    seesNothingOf: sees?.['nothing-of'],
    mayDo: (operation) => may === undefined || chosen.has(operation.id),
    isShared: ({ id }) => shared.has(id),
  };
}

function notOfRun(
  name: string,
  sees: NonNullable<IdentityOptions['sees']>,
  own: string | undefined,
): VouchError {
  const message =
    `The identity ${name} must see nothing of ${sees['nothing-of']}, but only the records of the ` +
    'identity that the run uses are known.';
  const hint =
    own === undefined
      ? `Put ${sees['nothing-of']} first, without may and sees: the run uses the first identity.`
      : suggestWord(sees['nothing-of'], [own]);
  return usage(message, { hint });
}

/** Puts the name of an identity before the message of an error about it. */
function within<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof VouchError)) throw error;
    const { code, message, hint } = error;
    throw new VouchError(code, `The identity ${name}: ${message}`, { hint });
  }
}

function readMay(
  contract: Contract,
  { effects }: EffectRules,
  words: readonly string[],
): ReadonlySet<string> {
  const expected = new Set(
    words.flatMap((word) => (isMayWord(word) ? (mayWords[word] ?? []) : [])),
  );
  const named = words.filter((word) => !isMayWord(word));
  const byEffect = contract.operations.filter((operation) =>
    expected.has(effects.get(operation)?.effect ?? ''),
  );
  return new Set([...byEffect.map(({ id }) => id), ...chooseOperations(contract, named)]);
}

/**
 * The headers of an identity: its own, and those of the run, except where the contract expects a
 * credential: there, a header of the run would authenticate the identity as the run.
 */
function headersFor(
  own: readonly RunHeader[],
  contract: Contract,
  given: GivenHeaders | undefined,
): RunHeader[] {
  const fields = [...contract.securitySchemes.values()].flatMap((scheme) => headerOf(scheme) ?? []);
  const taken = new Set(['authorization', 'cookie', ...fields]);
  const shared = readRunHeaders(given).filter(
    ({ name }) =>
      !taken.has(name.toLowerCase()) && !own.some((each) => isSameName(each.name, name)),
  );
  return [...own, ...shared];
}
