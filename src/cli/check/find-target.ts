import type { CheckOptions } from '../../check/engine/check-target.ts';
import type { Config, TargetConfig } from '../../config/config.ts';
import { isAddress, shownSource } from '../../contract/load/source.ts';
import { suggestWord, usage } from '../../errors.ts';
import type { ChosenContract } from '../../library/choose-contract.ts';
import {
  overrideHeaders,
  readHeaderFlags,
  readTargetHeaders,
} from '../../library/read-header-flags.ts';
import type { Io } from '../io.ts';
import { readSettingsAndWarn } from './check-settings.ts';
import { hasOwnCredential, readConfigIdentities, readCredentials } from './credentials.ts';
import { looksLike } from '../../words-in.ts';

/**
 * The flags that set the URL, credentials and headers of requests: `--auth`, `--header` and
 * `--server`.
 */
export interface TargetFlags {
  readonly auth: readonly string[];
  /** Whether VOUCH_TOKEN belongs to another target and is not used. */
  readonly withoutDefault?: boolean;
  readonly header: readonly string[];
  readonly server: Readonly<Record<string, string>>;
}

/**
 * The options of a run against a URL or a target of the configuration. Prints warnings about
 * expired skips.
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
  const identities = withoutDefault ? {} : readConfigIdentities(io, chosen, url);
  const isUsed = auth.length === 0 && target.auth === undefined && hasOwnCredential(identities);
  return {
    ...readSettingsAndWarn(io, chosen, url),
    url: target.url,
    contract: chosen.contract,
    servers: { ...target.servers, ...flags.server },
    headers: overrideHeaders(own, readHeaderFlags(flags.header, io.env)),
    ...(isUsed ? {} : readCredentials(io, { auth, withoutDefault, target: target.auth }, schemes)),
    ...(Object.keys(identities).length === 0 ? {} : { identities }),
  };
}

/** Whether an argument is a base URL or the name of a target, as opposed to a document. */
export function isTarget(word: string, targets: Config['targets']): boolean {
  return Object.hasOwn(targets, word) || isBaseUrl(word);
}

/** Whether an argument can only be a base URL: a URL that does not end as a document does. */
export function isBaseUrl(word: string): boolean {
  const url = /^https?:\/\/[^/]/i.test(word) ? URL.parse(word) : null;
  return url !== null && !isDocumentPath(url.pathname);
}

/** A base URL and a document, which may be given in either order. */
export function urlAndDocument(
  first: string | undefined,
  second: string | undefined,
): { readonly url: string | undefined; readonly document: string | undefined } {
  const isTurned =
    first !== undefined && second !== undefined && isDocumentPath(first) && isBaseUrl(second);
  return isTurned ? { url: second, document: first } : { url: first, document: second };
}

const isDocumentPath = looksLike(/\.(?:ya?ml|json)$/i);

/** A base URL without its scheme: `127.0.0.1:4010/v1`, `localhost:4010`, `api.example.com/v1`. */
function hasNoScheme(word: string): boolean {
  return (
    /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/|$)/i.test(word) &&
    /[:/]|^\d/.test(word) &&
    URL.canParse(`http://${word}`)
  );
}

/** Throws a VouchError if a document is given by its URL, and no base URL. */
export function refuseDocumentAlone(url: string | undefined): void {
  if (url === undefined || !isAddress(url) || isBaseUrl(url)) return;
  throw usage(`${shownSource(url)} is a document, and no base URL is given.`, {
    hint: `Pass both: vouch check http://127.0.0.1:4010 ${shownSource(url)}`,
  });
}

/** The given URL, or the target of that name in the configuration. */
function findTarget(url: string | undefined, { config }: ChosenContract): TargetConfig {
  const names = Object.keys(config.targets);
  if (url === undefined) {
    const known =
      names.length === 0 ? '' : `, name a target of the configuration (${names.join(', ')})`;
    throw usage('No base URL given.', {
      hint:
        `Pass one (vouch check http://127.0.0.1:4010/v1)${known}, or ` +
        'check the mock with --self.',
    });
  }
  const named = config.targets[url];
  if (named !== undefined) return named;
  if (isBaseUrl(url)) return { url };
  throw usage(`${url} is neither a base URL nor a target of the configuration.`, {
    hint: hasNoScheme(url)
      ? `Did you mean http://${url}?`
      : /^[a-z+]+:\/\//i.test(url)
        ? 'A base URL starts with http:// or https://.'
        : names.length === 0
          ? 'Pass a base URL, such as http://127.0.0.1:4010/v1.'
          : suggestWord(url, names),
  });
}
