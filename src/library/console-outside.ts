import { baseUrlOf, readBaseUrl } from '../check/base-url.ts';
import type { RunEvent } from '../check/event.ts';
import type { Finding } from '../check/finding.ts';
import { placeCredential } from '../check/secrets/credential.ts';
import type { TargetConfig } from '../config/config.ts';
import type { Contract, Operation } from '../contract/model.ts';
import { formatPlace, VouchError } from '../errors.ts';
import { mountedPaths } from '../mock/arrival/mounted-paths.ts';
import type { CheckFinding, CheckNews, CheckWish, ConsoleOutside, OtherAddress, OtherService } from '../server/console/outside.ts';
import type { PreparedMock } from './prepare-mock.ts';
import { readVersion } from './version.ts';

/** What the console of a mock can do beyond it: ask Prism and the targets of the configuration, and check servers. */
export function consoleOutside(current: () => PreparedMock, prismUrl: () => string | undefined = () => undefined): ConsoleOutside {
  return {
    others: () => [...prismService(prismUrl(), current()), ...Object.entries(current().config.targets).map(([name, target]) => targetService(name, target, current().contract))],
    check: (wish, signal) => checkNews(wish, current(), signal),
  };
}

/** Prism takes any credential, so it gets the mock's first key. */
function prismService(url: string | undefined, { keys, documents }: PreparedMock): OtherService[] {
  if (url === undefined) return [];
  const { origin } = new URL(url);
  const baseOf = (operation: Operation): string => mountedPaths({ operations: [operation] }, documents[0]?.base)[0]?.[0].slice(0, -operation.path.length) ?? '';
  return [{ name: 'prism', kind: 'prism', url, addressOf: (operation) => ({ url: operation === undefined ? url : `${origin}${baseOf(operation)}`, ...credentialFor(operation, { token: keys[0] }) }) }];
}

function targetService(name: string, target: TargetConfig, contract: Contract): OtherService {
  return { name, kind: 'target', url: target.url, addressOf: (operation) => addressOn(name, target, { contract, operation }) };
}

function addressOn(name: string, target: TargetConfig, { contract, operation }: { readonly contract: Contract; readonly operation: Operation | undefined }): OtherAddress | undefined {
  const url = readBaseUrl(target.url, `The URL of the target ${name}`);
  const base = operation === undefined ? { ok: true as const, url } : baseUrlOf({ url, servers: target.servers ?? {} }, operation);
  return base.ok ? { url: base.url.replace(/\/+$/, ''), ...credentialFor(operation, readTokens(target, contract)) } : undefined;
}

/** The tokens of a target. */
interface Tokens {
  readonly token?: string | undefined;
  readonly tokens?: Readonly<Record<string, string>>;
}

function credentialFor(operation: Operation | undefined, { token, tokens = {} }: Tokens): Pick<OtherAddress, 'headers' | 'query'> {
  if (operation === undefined || (token === undefined && Object.keys(tokens).length === 0)) return { headers: [], query: [] };
  const { headers, query, cookies } = placeCredential(operation, (scheme) => tokens[scheme.name] ?? token);
  return { headers: [...headers, ...(cookies.length === 0 ? [] : [['Cookie', cookies.map(([key, value]) => `${key}=${value}`).join('; ')] as const])], query };
}

/** Only environment variables hold tokens; one that is not set is no token here, because a page can ask without. */
function readTokens({ auth }: TargetConfig, { securitySchemes }: Contract): Tokens {
  const read = (word: string): string | undefined => process.env[word.replace(/^env:/, '')]?.trim() || undefined;
  if (auth === undefined) return { token: process.env['VOUCH_TOKEN']?.trim() || undefined };
  if (typeof auth === 'string') return { token: read(auth) };
  const pairs = Object.entries(auth).flatMap(([scheme, word]) => (securitySchemes.has(scheme) ? [[scheme, read(word)] as const] : []));
  return { tokens: Object.fromEntries(pairs.flatMap(([scheme, token]) => (token === undefined ? [] : [[scheme, token]]))) };
}

const mostFindings = 500;

/** Checks are loaded when one is asked for: most mocks never do. */
async function* checkNews(wish: CheckWish, { contract, config, keys }: PreparedMock, signal: AbortSignal): AsyncGenerator<CheckNews> {
  const { runCheck } = await import('../check/check-target.ts');
  const target = wish.target === undefined ? undefined : config.targets[wish.target];
  const url = target?.url ?? wish.url;
  if (url === undefined) throw new VouchError('usage', 'There is nothing to check.');
  const { token, tokens = {} } = target === undefined ? { token: process.env['VOUCH_TOKEN'] ?? keys[0] } : readTokens(target, contract);
  const limits = { ...config.check, ...target };
  const events = runCheck({
    url,
    contract,
    mode: wish.mode,
    signal,
    version: readVersion(),
    tokens,
    ...(token === undefined ? {} : { token }),
    ...(target?.servers === undefined ? {} : { servers: target.servers }),
    ...(limits.rate === undefined ? {} : { rate: limits.rate }),
    ...(limits.maxRequests === undefined ? {} : { maxRequests: limits.maxRequests }),
    ...(limits.examples === undefined ? {} : { examples: limits.examples }),
    ...(limits.skip === undefined ? {} : { skips: limits.skip }),
    ...(limits.checks === undefined ? {} : { severities: limits.checks }),
  });
  yield* tellNews(events);
}

async function* tellNews(events: AsyncIterable<RunEvent>): AsyncGenerator<CheckNews> {
  let done = 0;
  let findings = 0;
  for await (const event of events) {
    if (event.type === 'plan-made') yield { type: 'planned', requests: event.requests };
    else if (event.type === 'exchange-recorded' && (done += 1) % 10 === 0) yield { type: 'progress', done };
    else if (event.type === 'finding-reported' && (findings += 1) <= mostFindings) yield { type: 'finding', finding: showFinding(event.finding) };
    else if (event.type === 'run-finished') yield { type: 'finished', verdict: event.summary.verdict, reason: event.summary.reason, requests: event.summary.requests };
  }
}

function showFinding({ id, check, severity, operation, message, expected, actual, place, frame, curl }: Finding): CheckFinding {
  return { id, check, severity, operation: `${operation.method} ${operation.path}`, message, expected, actual, place: formatPlace(place), frame, curl };
}
