import { planCheck, runCheck, type CheckOptions } from '../../check/check-target.ts';
import type { Mode, Verdict } from '../../check/event.ts';
import type { TargetConfig } from '../../config/config.ts';
import { VouchError } from '../../errors.ts';
import { startSelfTarget } from '../../library/check-self.ts';
import type { ChosenContract } from '../../library/choose-contract.ts';
import { findContract, type ContractWords } from '../find-contract.ts';
import { suggestWord } from '../../nearest-word.ts';
import { formatPlan } from './format-plan.ts';
import type { Io } from '../io.ts';
import { showProgress } from './progress.ts';
import { readCredential } from './read-credential.ts';
import { startReporters } from './read-reporters.ts';
import { readVersion } from '../../library/version.ts';

/** The flags of `vouch check`. */
export interface CheckWords extends ContractWords {
  readonly self: boolean;
  readonly mode?: Mode;
  readonly auth?: string;
  readonly server: Readonly<Record<string, string>>;
  readonly reporter: readonly string[];
  readonly plan: boolean;
  readonly seed?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly rate?: number;
  readonly maxRequests?: number;
  readonly maxTime?: number;
  readonly timeout?: number;
  readonly verbose: boolean;
}

/** The whole command line of `vouch check`. */
export interface CheckRequest {
  readonly url: string | undefined;
  readonly document: string | undefined;
  readonly words: CheckWords;
}

/** Runs the check that was asked for, lets the reporters write, and answers the verdict. */
export async function runCheckCommand(io: Io, request: CheckRequest): Promise<Verdict> {
  const { words } = request;
  if (words.self) return checkSelf(io, request);
  const chosen = await findContract(request.document, words);
  const target = findTarget(request.url, chosen);
  const token = readCredential(io, words.auth ?? target.auth);
  const mode = words.mode ?? target.mode;
  return runWith(io, words, {
    url: target.url,
    contract: chosen.contract,
    servers: { ...target.servers, ...words.server },
    ...(token === undefined ? {} : { token }),
    ...(mode === undefined ? {} : { mode }),
  });
}

async function checkSelf(io: Io, { url, document, words }: CheckRequest): Promise<Verdict> {
  if (url !== undefined && document !== undefined) throw new VouchError('usage', '--self checks the mock, so no URL can be given.', { hint: 'Leave the URL out, or leave --self out.' });
  if (url !== undefined && /^https?:/.test(url)) throw new VouchError('usage', `--self checks the mock, not ${url}.`, { hint: 'Leave the URL out, or leave --self out.' });
  const contract = document ?? url;
  const self = await startSelfTarget({ ...(contract === undefined ? {} : { contract }), ...(words.config === undefined ? {} : { config: words.config }), ...(words.allowRefHost === undefined ? {} : { allowRefHosts: words.allowRefHost }) });
  try {
    return await runWith(io, words, self.options);
  } finally {
    await self.mock.close();
  }
}

async function runWith(io: Io, words: CheckWords, target: Pick<CheckOptions, 'url' | 'contract' | 'servers' | 'mode' | 'token'>): Promise<Verdict> {
  const options: CheckOptions = { ...target, ...limitsOf(words), signal: io.signal, clock: io.clock, version: readVersion() };
  if (words.plan) {
    io.out(formatPlan(planCheck(options)));
    return 'kept';
  }
  const reporters = startReporters(words.reporter.length === 0 ? ['pretty'] : words.reporter, io, words.verbose);
  const progress = showProgress(io);
  let verdict: Verdict = 'crashed';
  for await (const event of runCheck(options)) {
    progress(event);
    for (const reporter of reporters) reporter.take(event);
    if (event.type === 'run-finished') verdict = event.summary.verdict;
  }
  await Promise.all(reporters.map((reporter) => reporter.finish()));
  return verdict;
}

function limitsOf(words: CheckWords): Partial<CheckOptions> {
  return {
    ...(words.mode === undefined ? {} : { mode: words.mode }),
    ...(words.seed === undefined ? {} : { seed: words.seed }),
    ...(words.include === undefined ? {} : { include: words.include }),
    ...(words.exclude === undefined ? {} : { exclude: words.exclude }),
    ...(words.only === undefined ? {} : { only: words.only }),
    ...(words.skip === undefined ? {} : { skip: words.skip }),
    ...(words.rate === undefined ? {} : { rate: words.rate }),
    ...(words.maxRequests === undefined ? {} : { maxRequests: words.maxRequests }),
    ...(words.maxTime === undefined ? {} : { maxTimeMs: words.maxTime * 1000 }),
    ...(words.timeout === undefined ? {} : { timeoutMs: words.timeout * 1000 }),
  };
}

/** A URL as it is, or the target of that name in the configuration. */
function findTarget(url: string | undefined, { config }: ChosenContract): TargetConfig {
  const names = Object.keys(config.targets);
  if (url === undefined) {
    throw new VouchError('usage', 'There is nothing to check: no base URL is given.', { hint: `Give one (vouch check http://127.0.0.1:4010/v1)${names.length === 0 ? '' : `, name a target of the configuration (${names.join(', ')})`}, or check the mock itself with --self.` });
  }
  const named = config.targets[url];
  if (named !== undefined) return named;
  if (/^https?:\/\/[^/]/i.test(url) && URL.canParse(url)) return { url };
  throw new VouchError('usage', `${url} is neither a base URL nor a target of the configuration.`, { hint: /^[a-z+]+:\/\//i.test(url) ? 'A base URL begins with http:// or https://.' : names.length === 0 ? 'Write a base URL, such as http://127.0.0.1:4010/v1.' : suggestWord(url, names) });
}
