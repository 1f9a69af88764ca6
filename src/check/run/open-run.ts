import { makeRecordNotes, noteWrites } from '../cleanup/note-writes.ts';
import { CoverageMeter } from '../coverage/coverage-meter.ts';
import { credentialHeaderNames } from '../secrets/credential.ts';
import { Docket } from '../judge/docket.ts';
import { Memory } from '../memory/memory.ts';
import type { Plan, SkippedOperation } from '../plan/make-plan.ts';
import { planOf } from '../plan/plan-of.ts';
import { makeRedactor, type Redactor } from '../secrets/redact.ts';
import { inventedCredentials, makeSecrets, shellSecrets, type Secrets } from '../secrets/secrets.ts';
import { baseUrlOf } from '../base-url.ts';
import type { Settings } from '../settings.ts';
import { makePace } from '../transport/pace.ts';
import { sendPolitely } from '../transport/polite-send.ts';
import type { Transport } from '../transport/send.ts';
import { openTransport } from '../transport/wire/wire-transport.ts';
import { Agenda } from './agenda.ts';
import type { Sender } from './execute-sequence.ts';
import { Guard } from './guard.ts';
import { Ledger } from './ledger.ts';

/** Everything that a run works with, from its first event to its last. */
export interface OpenRun {
  readonly settings: Settings;
  readonly agenda: Agenda;
  readonly skipped: readonly SkippedOperation[];
  /** The whole plan, where a budget may leave some of it out. */
  readonly plan?: Plan;
  readonly secrets: Secrets;
  readonly redactor: Redactor;
  readonly guard: Guard;
  readonly ledger: Ledger;
  readonly coverage: CoverageMeter;
  readonly docket: Docket;
  readonly sender: Sender;
  readonly startedAt: Date;
  /** Lets timers and connections go. */
  close(): Promise<void>;
}

/** Makes a run ready; nothing is sent yet. */
export function openRun(settings: Settings): OpenRun {
  const { contract, token, tokens, seed, maxRequests, maxTimeMs, budgetMs, signal, hurry, clock, checks, runId } = settings;
  // Before the guard: to plan a large contract takes its seconds, and a bounded run is to send something.
  const plan = planOf(settings);
  const docket = new Docket({ contract, checks, runId });
  const secrets = makeSecrets(token, seed, tokens);
  const guard = new Guard({ maxRequests, clock, ...(maxTimeMs === undefined ? {} : { maxTimeMs }), ...(budgetMs === undefined ? {} : { budgetMs }), ...(signal === undefined ? {} : { signal }), ...(hurry === undefined ? {} : { hurry }) });
  const transport = transportOf(settings);
  const redactor = makeRedactor({
    secrets: shellSecrets(secrets),
    invented: inventedCredentials(secrets),
    headerNames: credentialHeaderNames(contract.securitySchemes.values()),
  });
  const coverage = new CoverageMeter();
  return {
    settings,
    agenda: new Agenda(plan.stages),
    skipped: plan.skipped,
    ...(budgetMs === undefined ? {} : { plan }),
    secrets,
    redactor,
    guard,
    docket,
    ledger: new Ledger((sequence, steps) => {
      coverage.note(steps);
      return docket.hear(sequence, steps);
    }),
    coverage,
    sender: makeSender(settings, { secrets, guard, transport, redactor }),
    startedAt: clock(),
    async close() {
      guard.close();
      await transport.close();
    },
  };
}

function transportOf({ send, timeoutMs, concurrency, proxy }: Settings): Transport {
  return send === undefined ? openTransport({ timeoutMs, connections: concurrency, ...(proxy === undefined ? {} : { proxy }) }) : { send, close: async () => {} };
}

interface SenderParts {
  readonly secrets: Secrets;
  readonly guard: Guard;
  readonly transport: Transport;
  readonly redactor: Redactor;
}

function makeSender(settings: Settings, { secrets, guard, transport, redactor }: SenderParts): Sender {
  const { contract, rate, wait, clock, version, url, cleanupLedger, runId } = settings;
  const memory = new Memory(contract);
  const send = cleanupLedger === undefined ? transport.send : noteWrites(transport.send, cleanupLedger, { mark: runId, hide: redactor.text });
  return {
    send: sendPolitely({ send, pace: makePace(rate, wait, () => performance.now()), clock }),
    secrets,
    memory,
    ...(cleanupLedger === undefined ? {} : { noteRecords: makeRecordNotes(cleanupLedger, runId) }),
    userAgent: `vouch/${version}`,
    runId: settings.runId,
    signals: guard.signals,
    baseUrl(operation) {
      const base = baseUrlOf(settings, operation);
      return base.ok ? base.url : url;
    },
    spend: (baseUrl) => guard.spend(baseUrl),
    isPointless: (tried) => guard.isPointless(tried),
  };
}
