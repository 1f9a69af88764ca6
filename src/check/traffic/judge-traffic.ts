import type { Contract } from '../../contract/model.ts';
import { decodeBase64Text } from '../../http/base64.ts';
import type { HeaderList } from '../../http/message.ts';
import type { Check } from '../checks/check.ts';
import { gatherKnowledge } from '../judge/gather-knowledge.ts';
import { groupSuspicions } from '../judge/group.ts';
import { type JudgeContext, type Judgement, judgeRun } from '../judge/judge.ts';
import { makeFinding } from '../judge/make-finding.ts';
import { observeGaps } from '../judge/observe-gaps.ts';
import { orderFindings, summarise } from '../judge/summary.ts';
import { makeSequence, type Sequence } from '../model/case.ts';
import type { RunEvent, RunInfo } from '../model/event.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { Step } from '../model/step.ts';
import { redactEvent, type Redactor, redactorFor } from '../secrets/redact.ts';
import { makeSecrets, type Secret, shellSecrets } from '../secrets/secrets.ts';
import { type CheckOptions, resolveSettings, type Settings } from '../settings.ts';
import { type Placement, placeTraffic, toStep } from './place-traffic.ts';
import type { Traffic } from './read-har.ts';
import { ruleTraffic, weighTraffic } from './rule-traffic.ts';

/** Options of a run that sends nothing. Without `url`, every host counts. */
export type TrafficOptions = Omit<CheckOptions, 'url' | 'send' | 'wait' | 'mode'> & {
  readonly url?: string;
  readonly traffic: Traffic;
};

/** The checks that work without a recorded body. */
const bodilessChecks: readonly string[] = ['no-server-error', 'status-documented', 'headers-match'];

/**
 * The checks of whether a request should have been accepted or refused: that depends on records
 * whose state then is unknown.
 */
const unknowableChecks: readonly string[] = [
  'valid-accepted',
  'credential-accepted',
  'credential-required',
  'missing-refused',
];

/** Judges recorded traffic, with the same events and findings as a run. Sends nothing. */
export async function* judgeTraffic(options: TrafficOptions): AsyncGenerator<RunEvent, void> {
  const { traffic, contract, url } = options;
  const placement = placeTraffic(contract, traffic.exchanges, url);
  // The settings require a base URL. The default is never shown: nothing was placed then.
  const settings = resolveSettings({
    ...options,
    url: url ?? placement.placed[0]?.exchange.baseUrl ?? 'http://127.0.0.1',
    mode: 'read-only',
  });
  const began = settings.clock();
  yield* judgePlaced({ settings, traffic, placement, began, ...secretsIn(settings, placement) });
}

/** What a judgement of traffic is made from. */
interface TrafficRun {
  readonly settings: Settings;
  readonly traffic: Traffic;
  readonly placement: Placement;
  readonly began: Date;
  readonly redactor: Redactor;
  /** How secrets are written in shell commands. */
  readonly shellSecrets: readonly Secret[];
}

function secretsIn(
  { contract, credentials, seed }: Settings,
  { placed }: Placement,
): Pick<TrafficRun, 'redactor' | 'shellSecrets'> {
  const given = makeSecrets(credentials, seed);
  const gathered = gatherSecrets(
    contract,
    placed.map(({ exchange }) => exchange),
  );
  return {
    redactor: redactorFor(contract, given, gathered),
    shellSecrets: [...shellSecrets(given), ...gathered],
  };
}

/** A recorded exchange as a separate sequence. */
interface RecordedSequence {
  readonly sequence: Sequence;
  readonly steps: readonly [Step];
  readonly bodyRecorded: boolean;
}

function* judgePlaced(run: TrafficRun): Generator<RunEvent, void> {
  const { settings, placement, redactor } = run;
  const { contract, runId } = settings;
  const redacted = (event: RunEvent): RunEvent => redactEvent(event, redactor);
  const sequences = placement.placed.map((placed): RecordedSequence => {
    const step = toStep(placed);
    return { sequence: makeSequence(step.case), steps: [step], bodyRecorded: placed.bodyRecorded };
  });
  yield redacted({ type: 'run-started', run: describeRun(run) });
  yield { type: 'plan-made', cases: sequences.length, requests: sequences.length };
  const steps = sequences.map(({ steps: [step] }) => step);
  for (const step of steps) yield exchangeRecorded(step, redactor);
  const checks = settings.checks.filter(({ id }) => !unknowableChecks.includes(id));
  const knowledge = gatherKnowledge(contract, steps, runId);
  const judged = judgeAll({ contract, checks, knowledge }, sequences);
  const findings = findingsOf(run, judged, steps);
  for (const { gap, observed } of observeGaps(contract, steps))
    yield redacted({ type: 'gap-observed', gap, observed: redactor.text(observed) });
  for (const { check, message, stack } of judged.crashes)
    yield {
      type: 'check-crashed',
      check,
      message: redactor.text(message),
      stack: redactor.text(stack),
    };
  for (const finding of findings) yield redacted({ type: 'finding-reported', finding });
  const summary = summariseTraffic(run, { judged, steps, checks, findings });
  yield redacted({ type: 'run-finished', summary });
}

function findingsOf(
  { settings: { contract, runId }, redactor, shellSecrets: secrets }: TrafficRun,
  { suspicions }: Judgement,
  steps: readonly Step[],
): Finding[] {
  const context = { contract, redactor, shellSecrets: secrets, runId };
  return orderFindings(
    groupSuspicions(suspicions, steps).flatMap(
      (group) => makeFinding(group, weighTraffic(group), context) ?? [],
    ),
  );
}

interface JudgedTraffic {
  readonly judged: Judgement;
  readonly steps: readonly Step[];
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
}

function summariseTraffic(
  { settings, traffic, placement, began, redactor }: TrafficRun,
  { judged, steps, checks, findings }: JudgedTraffic,
): RunSummary {
  const { operations } = settings.contract;
  const crashed = judged.crashes.length > 0;
  const ruling = ruleTraffic({ traffic, placement, findings, crashed });
  const tally = {
    operations,
    skipped: new Map(operations.map(({ id }) => [id, 'no request to it was recorded'])),
    exchanges: steps.map(({ case: { operation }, exchange }) => ({
      operation: operation.id,
      outcome: String(exchange.response?.status ?? 'nothing'),
    })),
    findings,
    checks,
    inspected: judged.inspected,
    durationMs: settings.clock().getTime() - began.getTime(),
  };
  return summarise(tally, { ...ruling, reason: redactor.text(ruling.reason) });
}

function describeRun({ settings, traffic, placement, began, redactor }: TrafficRun): RunInfo {
  const { contract, runId, seed, version } = settings;
  const bases = [...new Set(placement.placed.map(({ exchange }) => exchange.baseUrl))];
  const shown = `${bases.slice(0, 3).join(', ')}${bases.length > 3 ? ', …' : ''}`;
  const target = `${traffic.file}${bases.length === 0 ? '' : ` (recorded from ${shown})`}`;
  return {
    id: runId,
    target: redactor.text(target),
    servers: {},
    contract: { title: contract.title, version: contract.version, file: contract.file },
    mode: 'read-only',
    recorded: true,
    seed,
    startedAt: began.toISOString(),
    version,
  };
}

function exchangeRecorded(
  { case: { id, title, phase, operation }, exchange }: Step,
  redactor: Redactor,
): RunEvent {
  const shown = { id: redactor.name(id), title: redactor.text(title), phase };
  return {
    type: 'exchange-recorded',
    case: { ...shown, operation: redactor.name(operation.id) },
    exchange: redactor.exchange(exchange),
  };
}

/** Exchanges whose body was not recorded only get the checks that work without it. */
function judgeAll(court: JudgeContext, sequences: readonly RecordedSequence[]): Judgement {
  const whole = judgeRun(
    court,
    sequences.filter(({ bodyRecorded }) => bodyRecorded),
  );
  const partial = judgeRun(
    { ...court, checks: court.checks.filter(({ id }) => bodilessChecks.includes(id)) },
    sequences.filter(({ bodyRecorded }) => !bodyRecorded),
  );
  return {
    suspicions: [...whole.suspicions, ...partial.suspicions],
    inspected: addCounts(whole.inspected, partial.inspected),
    crashes: [...whole.crashes, ...partial.crashes],
  };
}

function addCounts(
  left: Judgement['inspected'],
  right: Judgement['inspected'],
): Judgement['inspected'] {
  const total = new Map([...left].map(([operation, counts]) => [operation, new Map(counts)]));
  for (const [operation, counts] of right) {
    const sums = total.get(operation) ?? new Map<string, number>();
    for (const [check, count] of counts) sums.set(check, (sums.get(check) ?? 0) + count);
    total.set(operation, sums);
  }
  return total;
}

/** Headers that usually carry credentials. */
const credentialHeaders = [
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
];

/** The credentials in recorded traffic: vouch was not given them, and must not print them. */
function gatherSecrets(contract: Contract, exchanges: readonly Exchange[]): Secret[] {
  const schemes = [...contract.securitySchemes.values()];
  const keys = (place: 'header' | 'query'): string[] =>
    schemes.flatMap((scheme) =>
      scheme.kind === 'apiKey' && scheme.in === place ? [scheme.key] : [],
    );
  const headers = new Set([
    ...credentialHeaders,
    ...keys('header').map((key) => key.toLowerCase()),
  ]);
  const queries = new Set(keys('query'));
  const values = exchanges.flatMap(({ request, response }) => [
    ...request.headers
      .filter(([name]) => headers.has(name.toLowerCase()))
      .flatMap(([, value]) => credentialsIn(value)),
    ...cookiesIn(request.headers, 'cookie'),
    ...cookiesIn(response?.headers ?? [], 'set-cookie'),
    ...queriesIn(request.target, queries),
  ]);
  return [...new Set(values)]
    .filter((value) => value !== '')
    .map((value) => ({ value, shell: '$VOUCH_TOKEN' }));
}

/** What follows the scheme, and for a basic credential the decoded pair with the password. */
function credentialsIn(header: string): string[] {
  const [, scheme = '', credential = ''] = /^([\w-]+) +(.+)$/s.exec(header.trim()) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? decodeBase64Text(credential) : undefined;
  return credential === '' ? [header.trim()] : [credential, ...(pair === undefined ? [] : [pair])];
}

function cookiesIn(headers: HeaderList, field: 'cookie' | 'set-cookie'): string[] {
  const texts = headers
    .filter(([name]) => name.toLowerCase() === field)
    .map(([, value]) => (field === 'cookie' ? value : value.replace(/;.*$/s, '')));
  return texts
    .flatMap((text) => text.split(';'))
    .map((pair) =>
      pair
        .slice(pair.indexOf('=') + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1'),
    );
}

function queriesIn(target: string, names: ReadonlySet<string>): string[] {
  const mark = target.indexOf('?');
  if (mark === -1 || names.size === 0) return [];
  return [...new URLSearchParams(target.slice(mark + 1))]
    .filter(([name]) => names.has(name))
    .map(([, value]) => value);
}
