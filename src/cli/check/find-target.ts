import type { CheckOptions } from '../../check/check-target.ts';
import type { TargetConfig } from '../../config/config.ts';
import { VouchError } from '../../errors.ts';
import type { ChosenContract } from '../../library/choose-contract.ts';
import {
  overrideHeaders,
  readHeaderFlags,
  readTargetHeaders,
} from '../../library/read-header-flags.ts';
import { suggestWord } from '../../nearest-word.ts';
import type { Io } from '../io.ts';
import { readSettingsAndWarn } from './check-settings.ts';
import { readCredentials } from './credentials.ts';

/** What decides where requests go, and what they carry: `--auth`, `--header` and `--server`. */
export interface TargetFlags {
  readonly auth: readonly string[];
  /** Whether VOUCH_TOKEN is for another target. */
  readonly withoutDefault?: boolean;
  readonly header: readonly string[];
  readonly server: Readonly<Record<string, string>>;
}

/**
 * The run that a URL, or a target of the configuration, asks for; expired skips are told on the
 * way.
 */
export function readTarget(
  io: Io,
  chosen: ChosenContract,
  url: string | undefined,
  flags: TargetFlags,
): CheckOptions {
  const target = findTarget(url, chosen);
  const { auth, withoutDefault = false } = flags;
  const schemes = [...chosen.contract.securitySchemes.keys()];
  const own = url === undefined ? {} : readTargetHeaders(chosen.config, url, io.env);
  return {
    ...readSettingsAndWarn(io, chosen, url),
    url: target.url,
    contract: chosen.contract,
    servers: { ...target.servers, ...flags.server },
    headers: overrideHeaders(own, readHeaderFlags(flags.header, io.env)),
    ...readCredentials(io, { auth, withoutDefault, target: target.auth }, schemes),
  };
}

/**
 * Whether a word of the command line is a base URL or a target of the configuration, and no
 * document.
 */
export function isTarget(word: string, { config }: ChosenContract): boolean {
  return Object.hasOwn(config.targets, word) || isBaseUrl(word);
}

/** Whether a word can only be a base URL. */
export function isBaseUrl(word: string): boolean {
  return /^https?:\/\/[^/]/i.test(word) && URL.canParse(word);
}

/** `127.0.0.1:4010/v1`, `localhost:4010`, `api.example.com/v1`: a base URL but for its scheme. */
function hasNoScheme(word: string): boolean {
  return (
    /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)/i.test(word) &&
    /[:/]|^\d/.test(word) &&
    URL.canParse(`http://${word}`)
  );
}

/** A URL as it is, or the target of that name in the configuration. */
function findTarget(url: string | undefined, { config }: ChosenContract): TargetConfig {
  const names = Object.keys(config.targets);
  if (url === undefined) {
    throw new VouchError('usage', 'No base URL given.', {
      hint:
        'Pass one (vouch check http://127.0.0.1:4010/' +
        `v1)${names.length === 0 ? '' : `, name a target of the configuration (${names.join(', ')})`}, ` +
        'or check the mock with --self.',
    });
  }
  const named = config.targets[url];
  if (named !== undefined) return named;
  if (isBaseUrl(url)) return { url };
  throw new VouchError('usage', `${url} is neither a base URL nor a target of the configuration.`, {
    hint: hasNoScheme(url)
      ? `Did you mean http://${url}?`
      : /^[a-z+]+:\/\//i.test(url)
        ? 'A base URL starts with http:// or https://.'
        : names.length === 0
          ? 'Pass a base URL, such as http://127.0.0.1:4010/v1.'
          : suggestWord(url, names),
  });
}
