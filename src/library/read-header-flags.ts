import type { GivenHeaders, SecretHeaderValue } from '../check/secrets/run-credentials.ts';
import { whyNotHeaderName, whyNotHeaderValue } from '../check/secrets/run-credentials.ts';
import type { Config } from '../config/config.ts';
import { usage, VouchError } from '../errors.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import { defined, mapMembers } from '../json/value.ts';
import { looksSecret } from '../redact/secret-names.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the values of `--header`: `Name: value`, or `Name=env:VARIABLE` for a secret. Messages
 * never show a value.
 */
export function readHeaderFlags(words: readonly string[], env: Environment): GivenHeaders {
  const headers = words.map((word) => {
    const [name, value] = readFlag(word, env);
    if (typeof value === 'string' && looksSecret(name)) throw literalSecret(name);
    return [name, value] as const;
  });
  refuseRepeated(headers);
  return Object.fromEntries(headers);
}

/**
 * Reads the headers for the request of a contract, which may also give a secret as it is: a token
 * that reads a document changes nothing. Messages never show a value.
 */
export function readDocumentHeaders(
  words: readonly string[],
  env: Environment,
): Readonly<Record<string, string>> {
  const headers = words.map((word) => readFlag(word, env));
  refuseRepeated(headers);
  return plainHeaders(Object.fromEntries(headers));
}

/** Headers with the values of the secrets among them. */
export function plainHeaders(headers: GivenHeaders): Readonly<Record<string, string>> {
  return mapMembers(headers, (value) => (typeof value === 'string' ? value : value.value));
}

function refuseRepeated(headers: readonly HeaderEntry[]): void {
  const names = headers.map(([name]) => name.toLowerCase());
  const twice = headers.find(([name], index) => names.indexOf(name.toLowerCase()) !== index);
  if (twice !== undefined) {
    throw usage(`--header gives ${twice[0]} twice.`, { hint: 'Give each header once.' });
  }
}

type HeaderEntry = readonly [name: string, value: string | SecretHeaderValue];

function readFlag(word: string, env: Environment): HeaderEntry {
  const [, name, variable] = /^([^:=\s]+)=env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(word) ?? [];
  if (name !== undefined && variable !== undefined) {
    refuseFault(name, whyNotHeaderName(name));
    return [name, readSecret(name, variable, env)];
  }
  const at = word.indexOf(':');
  if (at < 1 || /=env:?$/.test(word.slice(0, at + 1))) {
    throw usage('--header is given neither as Name: value nor as Name=env:VARIABLE.', {
      hint:
        "Write --header 'X-Tenant: acme', or for a secret --header " +
        'X-Gateway-Key=env:GATEWAY_KEY.',
    });
  }
  const literal = word.slice(0, at);
  const value = word.slice(at + 1).trim();
  refuseFault(literal, whyNotHeaderName(literal) ?? whyNotHeaderValue(value));
  return [literal, value];
}

function refuseFault(name: string, fault: string | undefined): void {
  if (fault === undefined) return;
  throw usage(`The header ${JSON.stringify(name)} of --header ${fault}.`, {
    hint: "Write --header 'X-Tenant: acme': letters, digits and hyphens, then a value in one line.",
  });
}

function literalSecret(name: string): VouchError {
  const why = 'every user of this machine can read a command line';
  const message = `The value of ${name} is probably secret, and ${why}.`;
  return usage(message, {
    hint: `Put it into a variable and name that: --header ${name}=env:NAME`,
  });
}

function readSecret(name: string, variable: string, env: Environment): SecretHeaderValue {
  const value = env[variable]?.trim() ?? '';
  if (value === '') {
    const holder = `The environment variable ${variable}, which should hold the header ${name},`;
    const message = `${holder} is empty or not set.`;
    throw usage(message, { hint: `Set it first: export ${variable}=…` });
  }
  refuseFault(name, whyNotHeaderValue(value));
  return { value, variable };
}

/** Headers of the configuration, with their position and their owner. */
export interface ConfigHeaders {
  readonly given: Readonly<Record<string, string>> | undefined;
  readonly at: Pointer;
  /** `the target staging`. */
  readonly owner: string;
}

/**
 * Reads headers of the configuration. Errors have the location but no code frame, because the line
 * may contain a secret.
 */
export function readConfigHeaders(
  { fault }: Pick<Config, 'fault'>,
  { given = {}, at, owner }: ConfigHeaders,
  env: Environment,
): GivenHeaders {
  return mapMembers(given, (text, name) => {
    const place = fault?.(joinPointer(at, name), '').place;
    const variable = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(text)?.[1];
    const why =
      whyNotHeaderName(name) ?? (variable === undefined ? whyNotLiteral(name, text) : undefined);
    if (why !== undefined) {
      const message = `The header ${JSON.stringify(name)} of ${owner} ${why}.`;
      const hint =
        'Write a literal value that is not secret, or name the variable that holds it: env:NAME.';
      throw new VouchError('config-invalid', message, { place, hint });
    }
    return variable === undefined ? text.trim() : readSecret(name, variable, env);
  });
}

/** Reads the headers of a target of the configuration. */
export function readTargetHeaders(
  { targets, fault }: Config,
  target: string,
  env: Environment,
): GivenHeaders {
  const at = joinPointer('/targets', target, 'headers');
  const headers = { given: targets[target]?.headers, at, owner: `the target ${target}` };
  return readConfigHeaders(defined({ fault }), headers, env);
}

function whyNotLiteral(name: string, text: string): string | undefined {
  if (text.startsWith('env:')) return 'names no environment variable';
  return (
    whyNotHeaderValue(text) ??
    (looksSecret(name) ? 'is probably secret, and secrets are never written down' : undefined)
  );
}

/** Merges headers; later ones replace earlier ones of the same name, which is case-insensitive. */
export function overrideHeaders(headers: GivenHeaders, by: GivenHeaders): GivenHeaders {
  const names = new Set(Object.keys(by).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...by };
}
