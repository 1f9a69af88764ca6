import type { ArazzoDocument } from '../../arazzo/model.ts';
import type { Contract, EffectOverrides } from '../../contract/model.ts';
import { openEnvelopes } from '../../contract/infer/open-envelopes.ts';
import { suggestWord, usage } from '../../errors.ts';
import { hostOf, isLoopbackHost } from '../../http/host.ts';
import { type JsonValue, mapMembers, pick } from '../../json/value.ts';
import { readBaseUrl } from '../model/base-url.ts';
import type { BaselineEntry } from './baseline/baseline.ts';
import type { Check } from '../topics/check.ts';
import { type CheckChoice, checks, chooseChecks } from '../topics/index.ts';
import { chooseOperations } from '../model/choose-operations.ts';
import type { Shard } from './choose/shard.ts';
import type { CleanupLedger } from './cleanup/cleanup-ledger.ts';
import { type EffectRules, readEffectRules } from '../model/effect-rules.ts';
import { hash } from '../model/case.ts';
import type { Severity } from '../model/finding.ts';
import type { RunEvent } from '../model/event.ts';
import type { Mode } from '../model/phase.ts';
import type { ParameterExamples } from '../plan/draft.ts';
import { type GivenValues, refuseStrayValues } from '../plan/given-values.ts';
import type { GivenIdentities, Identity } from '../secrets/identities.ts';
import { readIdentities, runIdentityOf } from '../secrets/identities.ts';
import type { Credentials, GivenHeaders, TokenSource } from '../secrets/run-credentials.ts';
import { readCredentialOptions } from '../secrets/run-credentials.ts';
import type { GivenSecrets, Secret } from '../secrets/secrets.ts';
import { refuseStraySkips } from './skip.ts';
import { hasExpired, type Skip } from '../plan/skip.ts';
import { type Send, type Wait, waitFor } from '../transport/send.ts';
import { wordsIn } from '../../words-in.ts';

/**
 * The options of a check run. Everything except the URL, the contract and vouch's version has a
 * default.
 */
export interface CheckOptions extends CheckChoice {
  /**
   * The base URL that replaces the contract's servers; with or without a path, and a trailing
   * slash.
   */
  readonly url: string;
  readonly contract: Contract;
  /**
   * A bearer token, `user:password` for basic, the key for apiKey. It is sent for the only security
   * scheme (or several with the same form) that operations require and that has none in `tokens`;
   * if there are several, use `tokens`.
   */
  readonly token?: string;
  /** Tokens by the name of their security scheme in the contract. */
  readonly tokens?: Readonly<Record<string, string>>;
  /** The source of `token`; default: the environment variable VOUCH_TOKEN. */
  readonly tokenSource?: TokenSource;
  /**
   * Headers to send with every request, by name: literal values, or secret ones with the variable
   * that holds them.
   */
  readonly headers?: GivenHeaders;
  /**
   * The identities by name. The run uses the first, unless `may` or `sees` limits it; a `token` or
   * `tokens` of these options replaces its own.
   */
  readonly identities?: GivenIdentities;
  /** Base URLs of servers that operations declare, by the server's `x-name`. */
  readonly servers?: Readonly<Record<string, string>>;
  /** Default: `read-write` if every URL is on this machine, otherwise `read-only`. */
  readonly mode?: Mode;
  /** The same seed gives the same plan; default: from the clock. */
  readonly seed?: string;
  /**
   * The most parallel requests. Default: 8 at first, then as many as the service takes without
   * answering later, up to 64.
   */
  readonly concurrency?: number;
  /** Requests per second; default: unlimited. */
  readonly rate?: number;
  readonly maxRequests?: number;
  /** From the first request on: the plan is made before. */
  readonly maxTimeMs?: number;
  /** For each request, from the first byte sent to the last one received; default: 10 s. */
  readonly timeoutMs?: number;
  /**
   * `http://host:port` of an HTTP proxy for all requests. The environment's HTTP_PROXY is ignored.
   */
  readonly proxy?: string;
  /**
   * The operations to include or exclude: by id, `tag:pets`, path (`/pets/**`), method (`GET`), or
   * both (`GET /pets/**`).
   */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Only operations whose contract changed: their ids, and since when, in words. */
  readonly changed?: Changed;
  /** Only this part of the plan: runs with the same seed and count together send all of it. */
  readonly shard?: Shard;
  /**
   * The time for the whole run: the most informative requests are sent first, and the remaining
   * time is used for the others.
   */
  readonly budgetMs?: number;
  /** The mildest severity that fails the run; default: `error`. */
  readonly failOn?: Severity;
  /** Operations to skip, or findings to ignore, with the reason. An expired entry has no effect. */
  readonly skips?: readonly Skip[];
  /** Corrections of inferred effects, by operation id. */
  readonly effects?: EffectOverrides;
  /** Operations that the run may send regardless of their effect: ids, or `POST /path`. */
  readonly allow?: readonly string[];
  /**
   * Values of parameters that only the user knows, such as identifiers, by operation id (`*`: all
   * that require it) and parameter name.
   */
  readonly examples?: ParameterExamples;
  /**
   * Values that only the user knows, by operation (id, or `POST /path`) and then by parameter or
   * member of the body, or by the pointer of a schema: `#/components/schemas/Zone/properties/kind`.
   */
  readonly values?: GivenValues;
  /** Workflows that run before the plan. */
  readonly workflows?: WorkflowOptions;
  readonly clock?: () => Date;
  /** Ends the run early: created records are cleaned up, and the verdict is `interrupted`. */
  readonly signal?: AbortSignal;
  /** Ends the cleanup early too: the remaining records are reported. */
  readonly hurry?: AbortSignal;
  /** How requests are sent; default: over the network. */
  readonly send?: Send;
  /** Known and accepted findings: they are reported as notes, and do not fail the run. */
  readonly baseline?: readonly BaselineEntry[];
  /** Stores what the run may leave, before each write; default: nowhere. */
  readonly cleanupLedger?: CleanupLedger;
  readonly beforeCleanUp?: BeforeCleanUp;
  /** How the run waits; default: by the system clock. */
  readonly wait?: Wait;
  /** vouch's own version, for the report and the `User-Agent`. */
  readonly version?: string;
}

export type { Credentials } from '../secrets/run-credentials.ts';

/**
 * Called once, if the run has created or changed something and before it deletes anything, with the
 * events that would follow if it ended now; the last one is `run-finished`. What a run that is
 * killed from here on has to say.
 */
export type BeforeCleanUp = (conclusion: readonly RunEvent[]) => void;

/** The user's workflows (Arazzo), and the values of their inputs. */
export interface WorkflowOptions {
  readonly files: readonly ArazzoDocument[];
  /** By the names of inputs, for every workflow that has them. */
  readonly inputs?: Readonly<Record<string, JsonValue>>;
  /** Inputs that are never shown. */
  readonly secrets?: readonly Secret[];
  /** Whether nothing else is sent. */
  readonly alone?: boolean;
}

/** The changed operations of a contract: their ids, and since when. */
export interface Changed {
  readonly since: string;
  readonly operations: readonly string[];
}

/** The options that a run takes as they are given. */
const untouched = wordsIn(
  'proxy examples values changed shard signal hurry send baseline cleanupLedger beforeCleanUp',
  'workflows',
);

/** The options with defaults, and with names resolved. */
export interface Settings
  extends
    Pick<CheckOptions, 'contract' | 'url' | 'rate' | 'maxTimeMs' | 'budgetMs'>,
    Pick<CheckOptions, (typeof untouched)[number]>,
    Required<Pick<CheckOptions, 'servers' | 'mode' | 'seed' | 'maxRequests' | 'timeoutMs'>>,
    Required<Pick<CheckOptions, 'failOn' | 'clock' | 'wait' | 'version'>> {
  readonly credentials: Credentials & Pick<GivenSecrets, 'identities'>;
  /** The name of the identity that the run uses; absent without one. */
  readonly runIdentity?: string | undefined;
  /** The other identities, including those without a credential. */
  readonly identities: readonly Identity[];
  readonly runId: string;
  /** Parallel requests at first, and at most. */
  readonly concurrency: number;
  readonly maxConcurrency: number;
  /** Ids of operations. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly checks: readonly Check[];
  /** The skips that have not expired. */
  readonly skips: readonly Skip[];
  readonly rules: EffectRules;
}

/** Resolves the options. Throws a VouchError that names an invalid one. */
export function resolveSettings(given: CheckOptions): Settings {
  const options = { ...given, contract: openEnvelopes(given.contract) };
  const { contract } = options;
  const target = readTarget(options);
  const clock = options.clock ?? (() => new Date());
  const seed = options.seed ?? hash(clock().toISOString()).slice(0, 8);
  refuseStrays(options);
  const rules = readEffectRules(contract, options);
  const access = readAccess(options, rules);
  const today = clock().toISOString().slice(0, 10);
  return {
    ...pick(options, untouched),
    contract,
    ...target,
    seed,
    runId: `vouch-${hash(`run ${seed}`).slice(0, 6)}`,
    ...readBounds(options),
    checks: chooseChecks(
      options.slowMs === undefined
        ? options
        : { ...options, slowMs: requireMinimum('slowMs', options.slowMs, 1) },
    ),
    skips: (options.skips ?? []).filter((skip) => !hasExpired(skip, today)),
    rules,
    ...access,
    clock,
    wait: options.wait ?? waitFor,
    version: options.version ?? '0.0.0',
    failOn: options.failOn ?? 'error',
    include: options.include && chooseOperations(options.contract, options.include),
    exclude: options.exclude && chooseOperations(options.contract, options.exclude),
  };
}

/** The credentials of the run and of its other identities. */
function readAccess(
  options: CheckOptions,
  rules: EffectRules,
): Pick<Settings, 'credentials' | 'identities' | 'runIdentity'> {
  const { contract, headers } = options;
  const runIdentity = runIdentityOf(options.identities);
  const own = runIdentity === undefined ? undefined : options.identities?.[runIdentity];
  const isGiven = options.token !== undefined || Object.keys(options.tokens ?? {}).length > 0;
  const used =
    isGiven || own === undefined ? options : { ...own, headers: { ...headers, ...own.headers } };
  const credentials = readCredentialOptions(contract, used);
  const identities = readIdentities(options.identities, { contract, rules, headers });
  const asked = identities.filter(({ lacks }) => lacks === undefined);
  return {
    credentials: { ...credentials, ...(asked.length === 0 ? {} : { identities: asked }) },
    identities,
    runIdentity,
  };
}

/** The targets of requests, and whether they may be changed. */
function readTarget(options: CheckOptions): Pick<Settings, 'url' | 'servers' | 'mode'> {
  const url = readBaseUrl(options.url, 'The URL to check');
  const servers = mapMembers(options.servers ?? {}, (given, name) =>
    readBaseUrl(given, `The URL of the server ${name}`),
  );
  const isLocal = [url, ...Object.values(servers)].every((base) =>
    isLoopbackHost(hostOf(new URL(base))),
  );
  return { url, servers, mode: options.mode ?? (isLocal ? 'read-write' : 'read-only') };
}

/** The limits of requests, rate and time. */
function readBounds(
  options: CheckOptions,
): Pick<
  Settings,
  'concurrency' | 'maxConcurrency' | 'maxRequests' | 'timeoutMs' | 'rate' | 'maxTimeMs' | 'budgetMs'
> {
  const lanes = readConcurrency(options.concurrency);
  const least = { maxRequests: 1, timeoutMs: 1, rate: 0.001, maxTimeMs: 1, budgetMs: 1 };
  const given = pick(options, wordsIn('maxRequests timeoutMs rate maxTimeMs budgetMs'));
  for (const [name, value] of Object.entries(given))
    requireMinimum(name, value, least[name as keyof typeof least]);
  return { ...lanes, maxRequests: Infinity, timeoutMs: 10_000, ...given };
}

/** Parallel requests, if the user states no number: at first, and at most. */
const [usualConcurrency, maxConcurrency] = [8, 64];

function readConcurrency(
  stated: number | undefined,
): Pick<Settings, 'concurrency' | 'maxConcurrency'> {
  if (stated === undefined) return { concurrency: usualConcurrency, maxConcurrency };
  const concurrency = requireMinimum('concurrency', stated, 1);
  return { concurrency, maxConcurrency: concurrency };
}

/** Throws if an option names an unknown check, operation or parameter. */
function refuseStrays(options: CheckOptions): void {
  const { contract, only = [], skip = [], severities = {} } = options;
  const known = checks.map(({ id }) => id);
  refuseUnknown(known, [...only, ...skip, ...Object.keys(severities)], 'check');
  refuseStrayExamples(contract, options.examples ?? {});
  refuseStrayValues(contract, options.values ?? {});
  refuseStraySkips(options.skips ?? [], contract);
}

function refuseUnknown(known: readonly string[], given: readonly string[], noun: string): void {
  const unknown = given.find((id) => !known.includes(id));
  if (unknown !== undefined)
    throw usage(`There is no ${noun} ${unknown}.`, { hint: suggestWord(unknown, known) });
}

function refuseStrayExamples({ operations }: Contract, examples: ParameterExamples): void {
  for (const [id, values] of Object.entries(examples)) {
    refuseUnknown(['*', ...operations.map((operation) => operation.id)], [id], 'operation');
    const names = operations
      .filter((operation) => id === '*' || operation.id === id)
      .flatMap(({ parameters }) => parameters.map(({ name }) => name));
    refuseUnknown(names, Object.keys(values), `parameter of ${id} called`);
  }
}

/**
 * The value of an option. Throws a VouchError that names the option if the value is too small, or
 * not a number.
 */
function requireMinimum(name: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw usage(`${name} is ${String(value)}, and must be ${String(least)} or more.`);
}
