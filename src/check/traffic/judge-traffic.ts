import { wordsIn } from '../../words-in.ts';
import { pick } from '../../json/value.ts';
import { hasTrait } from '../topics/index.ts';
import type { HttpRequest } from '../../http/message.ts';
import type { Check } from '../topics/check.ts';
import { gatherKnowledge } from '../engine/judge/gather-knowledge.ts';
import { groupSuspicions } from '../engine/judge/group.ts';
import { addCounts, type Inspections, judgeStep, type Suspicion } from '../engine/judge/judge.ts';
import { makeFinding } from '../engine/judge/make-finding.ts';
import { gapObserved } from '../engine/judge/observe-gaps.ts';
import { RunJudge } from '../engine/judge/run-judge.ts';
import { joinCauses } from '../engine/judge/join-causes.ts';
import { rankFindings } from '../engine/judge/rank.ts';
import { type CountedExchange, summarise } from '../engine/judge/summary.ts';
import { makeSequence } from '../model/case.ts';
import type { Crash, RunEvent, RunInfo } from '../model/event.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { RunSummary } from '../model/run-summary.ts';
import type { Step } from '../model/step.ts';
import { redactEvent, type Redactor, assembleRedactor, withoutCodings } from '../secrets/redact.ts';
import {
  makeSecrets,
  type Secret,
  type Secrets,
  inventedCredentials,
  shellSecrets,
} from '../secrets/secrets.ts';
import { type CheckOptions, resolveSettings, type Settings } from '../engine/settings.ts';
import {
  type FindOperation,
  type PlacedTraffic,
  makeTrafficFinder,
  placeTraffic,
  toStep,
} from './place-traffic.ts';
import { KeptExamples, sizeOf } from './kept-examples.ts';
import type { RecordedTraffic, Traffic } from './read-har.ts';
import { ruleTraffic, type TrafficCounts, weighTraffic } from './rule-traffic.ts';
import type { Contract } from '../../contract/model.ts';
import { redacted } from '../../redact/hide-named.ts';
import { makeValueHider, type ValueHider, withPlain } from '../../redact/hide-values.ts';
import { secretsIn } from '../../redact/redactor.ts';
import { SecretNames } from '../../redact/secret-names.ts';

/** Options of a run that sends nothing. Without `url`, every host counts. */
export type TrafficOptions = Omit<CheckOptions, 'url' | 'send' | 'wait' | 'mode'> & {
  readonly url?: string;
  readonly traffic: Traffic;
};

/** Judges recorded traffic, with the same events and findings as a run. Sends nothing. */
export async function* judgeTraffic(options: TrafficOptions): AsyncGenerator<RunEvent, void> {
  const { traffic, contract, url } = options;
  const { placed } = placeTraffic(contract, traffic.exchanges, url);
  const bases = [...new Set(placed.map(({ exchange }) => exchange.baseUrl))];
  // The settings require a base URL. The default is never shown: nothing was placed then.
  const settings = resolveSettings({
    ...options,
    url: url ?? bases[0] ?? 'http://127.0.0.1',
    mode: 'read-only',
  });
  const find = makeTrafficFinder(contract, url === undefined ? undefined : [url]);
  const judge = new TrafficJudge({ settings, find, source: traffic.file });
  judge.learn(placed.map(({ exchange }) => exchange));
  const shown = `${bases.slice(0, 3).join(', ')}${bases.length > 3 ? ', …' : ''}`;
  yield judge.begin(`${traffic.file}${bases.length === 0 ? '' : ` (recorded from ${shown})`}`);
  yield { type: 'plan-made', cases: placed.length, requests: placed.length };
  for (const [reason, times] of traffic.unusable) judge.skip(reason, times);
  for (const recorded of traffic.exchanges) yield* judge.add(recorded).events;
  yield* judge.finish();
}

/**
 * The most bytes of exchanges that the checks over several exchanges may keep. After that, an
 * exchange is judged alone: traffic has no end.
 */
const maxKept = 64 * 1024 * 1024;
/** The most names of undocumented requests, reasons and crashes that are told apart. */
const maxNames = 1_000;

export interface TrafficJudgeOptions {
  readonly settings: Settings;
  readonly find: FindOperation;
  /** The source of the traffic, for messages: `traffic.har`. */
  readonly source: string;
  /** Whether the traffic is a proxy's: then the summary also counts requests that break rules. */
  readonly isLive?: boolean;
}

/** What an exchange breaks, as far as it is known at once. All texts are redacted. */
export interface TrafficVerdict {
  /** `placed`: it belongs to an operation of the contract, and was judged. */
  readonly kind: 'placed' | 'undocumented' | 'elsewhere';
  readonly operation?: string | undefined;
  /** The rule of the contract that the request breaks, as a clause. */
  readonly request?: string | undefined;
  /** What the response breaks; notes are left out. */
  readonly response: readonly Pick<Finding, 'check' | 'severity' | 'message'>[];
  readonly events: readonly RunEvent[];
  /** What was judged, with secrets; absent if it was not judged. */
  readonly step?: Step;
}

/**
 * Judges exchanges one after the other, as the checks of a run do, without sending anything. Memory
 * is bounded, because traffic may never end. Yields the events of a run: `begin`, `add` for each
 * exchange, `finish`.
 */
export class TrafficJudge {
  readonly #options: TrafficJudgeOptions;
  readonly #checks: readonly Check[];
  readonly #secrets: GatheredSecrets;
  readonly #judge: RunJudge;
  readonly #found: Suspicion[] = [];
  readonly #examples = new KeptExamples();
  readonly #alone = new Map<string, Map<string, number>>();
  readonly #crashes = new Map<string, Crash>();
  readonly #counted = new Map<string, CountedExchange & { times: number }>();
  readonly #undocumented = new Map<string, number>();
  readonly #unusable = new Map<string, number>();
  readonly #began: Date;
  #latest: readonly Suspicion[] = [];
  #judged = 0;
  #kept = 0;
  #elsewhere = 0;
  #broken = 0;

  constructor(options: TrafficJudgeOptions) {
    const { contract, credentials, seed, checks, runId, clock } = options.settings;
    this.#options = options;
    this.#began = clock();
    this.#secrets = new GatheredSecrets(contract, makeSecrets(credentials, seed));
    this.#checks = checks.filter(({ id }) => !hasTrait(id, 'state'));
    this.#judge = new RunJudge({
      contract,
      checks: this.#checks,
      runId,
      keep: (suspicions) => {
        this.#latest = suspicions;
        return this.#examples.limit(suspicions);
      },
    });
  }

  /** Hides all credentials that are known now. */
  get redactor(): Redactor {
    return this.#secrets.redactor;
  }

  /** Learns the secrets of exchanges, which are never shown afterwards. */
  learn(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) this.#secrets.learn(exchange);
  }

  /** The first event; `target` says in words where the traffic is from. */
  begin(target: string): RunEvent {
    const { contract, runId, seed, version } = this.#options.settings;
    const run: RunInfo = {
      id: runId,
      target: this.#secrets.redactor.text(target),
      servers: {},
      contract: pick(contract, wordsIn('title version file')),
      mode: 'read-only',
      recorded: true,
      ...(this.#options.isLive === true ? { proxied: true } : {}),
      seed,
      startedAt: this.#began.toISOString(),
      version,
    };
    return redactEvent({ type: 'run-started', run }, this.#secrets.redactor);
  }

  /** Counts an exchange that cannot be judged; `reason` is a clause: `without a response`. */
  skip(reason: string, times = 1): void {
    const counted = nameIn(this.#unusable, reason, 'could not be judged for other reasons');
    this.#unusable.set(counted, (this.#unusable.get(counted) ?? 0) + times);
  }

  /** Judges the next exchange. */
  add(recorded: RecordedTraffic): TrafficVerdict {
    const { exchange } = recorded;
    this.learn([exchange]);
    const found = this.#options.find(exchange);
    if (found === 'elsewhere') this.#elsewhere += 1;
    if (found === 'undocumented') this.#countUndocumented(exchange.request);
    if (typeof found === 'string') return { kind: found, response: [], events: [] };
    const { operation, path, baseUrl } = found;
    const placed = { ...recorded, operation, path, exchange: { ...exchange, baseUrl } };
    return this.#judgePlaced(placed);
  }

  #countUndocumented({ method, target }: HttpRequest): void {
    const name = `${method} ${target.replace(/\?.*$/s, '')}`;
    const counted = nameIn(this.#undocumented, name, 'other requests');
    this.#undocumented.set(counted, (this.#undocumented.get(counted) ?? 0) + 1);
  }

  #judgePlaced(placed: PlacedTraffic): TrafficVerdict {
    const step = toStep(placed);
    const { operation, intent } = step.case;
    this.#count(operation.id, String(step.exchange.response?.status ?? 'nothing'));
    if (intent.kind === 'invalid') this.#broken += 1;
    const suspicions = this.#suspect(step, placed.bodyRecorded);
    const { text, name } = this.#secrets.redactor;
    return {
      kind: 'placed',
      operation: name(operation.id),
      ...(intent.kind === 'invalid' ? { request: text(intent.rule) } : {}),
      response: suspicions.flatMap((suspicion) => {
        const severity = weighTraffic({
          suspicions: [suspicion],
          violation: suspicion.violation,
        }).severity;
        return severity === undefined || severity === 'note'
          ? []
          : [{ check: suspicion.check.id, severity, message: text(suspicion.violation.message) }];
      }),
      events: [exchangeRecorded(step, this.#secrets.redactor)],
      step,
    };
  }

  #count(operation: string, outcome: string): void {
    const name = `${outcome} ${operation}`;
    const counted = this.#counted.get(name) ?? { operation, outcome, times: 0 };
    this.#counted.set(name, counted);
    counted.times += 1;
    this.#judged += 1;
  }

  #suspect(step: Step, bodyRecorded: boolean): readonly Suspicion[] {
    const size = sizeOf(step);
    if (!bodyRecorded || this.#kept + size > maxKept)
      return this.#judgeAlone(step, (check) =>
        bodyRecorded
          ? check.needs === undefined || hasTrait(check.id, 'one response')
          : hasTrait(check.id, 'head'),
      );
    this.#kept += size;
    this.#judge.judgeSequence(makeSequence(step.case), [step]);
    return this.#latest;
  }

  #judgeAlone(step: Step, selects: (check: Check) => boolean): readonly Suspicion[] {
    const { contract, runId } = this.#options.settings;
    const checks = this.#checks.filter(selects);
    const knowledge = gatherKnowledge(contract, [step], runId);
    const judged = judgeStep({ contract, checks, knowledge }, makeSequence(step.case), [step]);
    this.#found.push(...this.#examples.limit(judged.suspicions));
    for (const crash of judged.crashes)
      this.#crashes.set(nameIn(this.#crashes, `${crash.check} ${crash.message}`, 'others'), crash);
    for (const [operation, counts] of judged.inspected) addCounts(this.#alone, operation, counts);
    return judged.suspicions;
  }

  /** Gaps, findings, and the summary of all exchanges so far: the last events of a run. */
  *finish(remarks: readonly string[] = []): Generator<RunEvent, void> {
    const redactor = this.#secrets.redactor;
    const judged = this.#judge.finish();
    this.#found.push(...judged.suspicions);
    for (const crash of judged.crashes) this.#crashes.set(`${crash.check} ${crash.message}`, crash);
    const inspected = new Map<string, Map<string, number>>();
    for (const counts of [judged.inspected, this.#alone])
      for (const [operation, own] of counts) addCounts(inspected, operation, own);
    const findings = this.#findings(this.#found, inspected);
    for (const gap of this.#judge.observedGaps())
      yield redactEvent(gapObserved(gap, redactor.text), redactor);
    for (const { check, message, stack } of this.#crashes.values())
      yield {
        type: 'check-crashed',
        check,
        message: redactor.text(message),
        stack: redactor.text(stack),
      };
    for (const finding of findings)
      yield redactEvent({ type: 'finding-reported', finding }, redactor);
    const summary = this.#summary(findings, inspected, remarks);
    yield redactEvent({ type: 'run-finished', summary }, redactor);
  }

  #findings(suspicions: readonly Suspicion[], inspected: Inspections): Finding[] {
    const { contract, runId } = this.#options.settings;
    const { redactor, all: secrets } = this.#secrets;
    const context = { contract, redactor, shellSecrets: secrets, runId };
    // Steps only count where invalid requests are errors if accepted, which in traffic none are.
    const findings = groupSuspicions(suspicions, []).flatMap((group) => {
      const finding = makeFinding(group, weighTraffic(group), context);
      if (finding === undefined) return [];
      const more = this.#examples.moreThan(group.suspicions);
      return [more === 0 ? finding : { ...finding, count: finding.count + more }];
    });
    return rankFindings(joinCauses(findings, contract, inspected));
  }

  #summary(
    findings: readonly Finding[],
    inspected: Inspections,
    remarks: readonly string[],
  ): RunSummary {
    const { contract, clock } = this.#options.settings;
    const { operations } = contract;
    const ruling = ruleTraffic({
      counts: this.#counts(remarks),
      findings,
      crashed: this.#crashes.size > 0,
    });
    const tally = {
      operations,
      skipped: new Map(operations.map(({ id }) => [id, 'no request to it was recorded'])),
      exchanges: [...this.#counted.values()],
      findings,
      checks: this.#checks,
      inspected,
      durationMs: clock().getTime() - this.#began.getTime(),
    };
    return summarise(tally, { ...ruling, reason: this.#secrets.redactor.text(ruling.reason) });
  }

  #counts(remarks: readonly string[]): TrafficCounts {
    const broken =
      this.#broken === 0 ? [] : [`Requests that break the contract: ${String(this.#broken)}.`];
    return {
      source: this.#options.source,
      judged: this.#judged,
      undocumented: this.#undocumented,
      elsewhere: this.#elsewhere,
      unusable: this.#unusable,
      ...(this.#options.isLive === true ? { noun: 'exchange' } : {}),
      remarks: this.#options.isLive === true ? [...broken, ...remarks] : remarks,
    };
  }
}

/** A new name is counted under another one if there are too many. */
function nameIn(known: ReadonlyMap<string, unknown>, name: string, other: string): string {
  return known.has(name) || known.size < maxNames ? name : other;
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

/** The secrets that are searched in every way in which they may be written: that takes long. */
const maxThorough = 10;
/** The secrets that are searched as they are; the oldest are forgotten first. */
const maxPlain = 100;

/**
 * The secrets in traffic: vouch was not given them, and must not show them. They are found by their
 * names, and then hidden by their values too. There may be a new one in every exchange.
 */
class GatheredSecrets {
  readonly #names: SecretNames;
  readonly #given: readonly Secret[];
  readonly #invented: readonly string[];
  readonly #thorough = new Map<string, Secret>();
  readonly #plain = new Map<string, Secret>();
  #values: ValueHider;
  #redactor: Redactor;

  constructor(contract: Contract, given: Secrets) {
    this.#given = shellSecrets(given);
    this.#invented = inventedCredentials(given);
    const inHeaders = given.headers.flatMap(({ name, shell }) => (shell === undefined ? [] : name));
    this.#names = new SecretNames(contract, inHeaders);
    this.#values = makeValueHider(this.#given);
    this.#redactor = this.#makeRedactor();
  }

  /** Hides all secrets that are known now. */
  get redactor(): Redactor {
    return this.#redactor;
  }

  /** All secrets, with what a shell writes in their place. */
  get all(): readonly Secret[] {
    return [...this.#given, ...this.#thorough.values(), ...this.#plain.values()];
  }

  learn({ request, response }: Exchange): void {
    const found = [request, ...(response === undefined ? [] : [response])].flatMap((message) => {
      const { credentials, others } = secretsIn(message, this.#names, withoutCodings);
      return [
        ...credentials.map((value) => ({ value, shell: '$VOUCH_TOKEN' })),
        ...others.filter(isTelling).map((value) => ({ value, shell: redacted })),
      ];
    });
    const before = this.#thorough.size;
    const fresh = found.filter((secret) => this.#add(secret));
    if (fresh.length === 0) return;
    if (this.#thorough.size > before)
      this.#values = makeValueHider([...this.#given, ...this.#thorough.values()]);
    this.#redactor = this.#makeRedactor();
  }

  #add(secret: Secret): boolean {
    const { value } = secret;
    if (this.#thorough.has(value) || this.#plain.has(value)) return false;
    if (this.#thorough.size < maxThorough) this.#thorough.set(value, secret);
    else this.#plain.set(value, secret);
    const [oldest] = this.#plain.keys();
    if (oldest !== undefined && this.#plain.size > maxPlain) this.#plain.delete(oldest);
    return true;
  }

  #makeRedactor(): Redactor {
    return assembleRedactor({
      values: withPlain(this.#values, [...this.#plain.values()]),
      names: this.#names,
      shells: [...new Set(this.all.map(({ shell }) => shell))],
      invented: this.#invented,
      isRecorded: true,
    });
  }
}

/** A shorter text, or a plain word, occurs in harmless texts too; in its place it is hidden. */
function isTelling(value: string): boolean {
  return value.length >= 6 && !/^\p{L}+$/u.test(value);
}
