import { credentialHeaderNames } from '../credential.ts';
import { Memory } from '../memory.ts';
import type { Plan } from '../plan/make-plan.ts';
import { planOf } from '../plan/plan-of.ts';
import { makeRedactor, type Redactor } from '../redact.ts';
import { makeSecrets, shellSecrets, type Secrets } from '../secrets.ts';
import { baseUrlOf, type Settings } from '../settings.ts';
import { makePace } from '../transport/pace.ts';
import { sendPolitely } from '../transport/polite-send.ts';
import type { Transport } from '../transport/send.ts';
import { openTransport } from '../transport/undici-transport.ts';
import type { Sender } from './execute-sequence.ts';
import { Guard } from './guard.ts';
import { Ledger } from './ledger.ts';

/** Everything that a run works with, from its first event to its last. */
export interface OpenRun {
  readonly settings: Settings;
  readonly plan: Plan;
  readonly secrets: Secrets;
  readonly redactor: Redactor;
  readonly guard: Guard;
  readonly ledger: Ledger;
  readonly sender: Sender;
  readonly startedAt: Date;
  /** Lets timers and connections go. */
  close(): Promise<void>;
}

/** Makes a run ready; nothing is sent yet. */
export function openRun(settings: Settings): OpenRun {
  const { contract, token, seed, maxRequests, maxTimeMs, signal, clock } = settings;
  const secrets = makeSecrets(token, seed);
  const guard = new Guard({ maxRequests, clock, ...(maxTimeMs === undefined ? {} : { maxTimeMs }), ...(signal === undefined ? {} : { signal }) });
  const transport = transportOf(settings);
  return {
    settings,
    plan: planOf(settings),
    secrets,
    redactor: makeRedactor({
      secrets: shellSecrets(secrets),
      invented: secrets.wrong.shell.includes('VOUCH_TOKEN') ? [] : [secrets.wrong.value],
      headerNames: credentialHeaderNames(contract.securitySchemes.values()),
    }),
    guard,
    ledger: new Ledger(),
    sender: makeSender(settings, { secrets, guard, transport }),
    startedAt: clock(),
    async close() {
      guard.close();
      await transport.close();
    },
  };
}

function transportOf({ send, timeoutMs, concurrency }: Settings): Transport {
  return send === undefined ? openTransport({ timeoutMs, connections: concurrency }) : { send, close: async () => {} };
}

interface SenderParts {
  readonly secrets: Secrets;
  readonly guard: Guard;
  readonly transport: Transport;
}

function makeSender(settings: Settings, { secrets, guard, transport }: SenderParts): Sender {
  const { contract, rate, wait, clock, version, url } = settings;
  return {
    send: sendPolitely({ send: transport.send, pace: makePace(rate, wait, () => performance.now()), clock }),
    secrets,
    memory: new Memory(contract),
    userAgent: `vouch/${version}`,
    signals: guard.signals,
    baseUrl(operation) {
      const base = baseUrlOf(settings, operation);
      return base.ok ? base.url : url;
    },
    spend: (baseUrl) => guard.spend(baseUrl),
    isPointless: (tried) => guard.isPointless(tried),
  };
}
