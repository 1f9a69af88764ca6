import { serversAt } from '../check/model/base-url.ts';
import { isAtLeast } from '../contract/model/severity.ts';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type CheckOptions, type CheckReport, checkTarget } from '../check/engine/check-target.ts';
import { separate } from '../check/engine/judge/evidence.ts';
import type { Exchange } from '../check/model/exchange.ts';
import type { Finding, Severity } from '../check/model/finding.ts';
import { giveMockKey } from '../check/secrets/run-credentials.ts';
import type { Verdict } from '../check/model/run-summary.ts';
import type { Send } from '../check/transport/send.ts';
import type { Contract, Operation } from '../contract/model.ts';
import type { HttpRequest } from '../http/message.ts';
import { defined } from '../json/value.ts';
import { makeMock } from '../mock/contract-mock.ts';
import type { AuthenticationMode } from '../mock/model/reply.ts';
import { makeMemoryStore } from '../store/local-store.ts';
import { makeRandom } from '../values/random.ts';
import type { Mutation, ServiceReply, Respond, Service } from '../check/mutants/mutant.ts';
import type { Variant } from './variant.ts';
import { isOther, knownKey, otherKey } from '../check/topics/credentials/authentication-mutants.ts';
import type { MockOptions } from '../mock/mock.ts';

/** The settings for the runs of a proof: those of a check, except what the proof itself decides. */
export type ProofSettings = Omit<
  CheckOptions,
  'url' | 'contract' | 'token' | 'tokens' | 'servers' | 'send' | 'wait' | 'seed' | 'mode'
> & { readonly seed: string };

/**
 * The result of one mutation, in the terms of mutation testing. `killed`: a check reports it, or
 * the run has no verdict because of it and says why. `survived`: it changed a response, and nothing
 * reports it. `noCoverage`: no request of the run triggers it. `equivalent`: the contract leaves no
 * way to observe it.
 */
export type MutationStatus = 'killed' | 'survived' | 'noCoverage' | 'equivalent';

export interface MutationResult {
  readonly mutator: string;
  readonly title: string;
  readonly status: MutationStatus;
  /** Why it is equivalent: a clause about the contract. */
  readonly reason?: string;
  /** How many responses it changed. */
  readonly changedResponses: number;
  /** The findings that the conforming service does not have, the worst first. */
  readonly findings: readonly ProofFinding[];
  /**
   * Why its run is inconclusive, where that of the conforming service is not: it answers every path
   * with a redirect, or refuses the right credential.
   */
  readonly inconclusive?: string;
  readonly requests: number;
}

export type ProofFinding = Pick<Finding, 'check' | 'severity' | 'message'>;

const origin = 'http://127.0.0.1';

const fixedConcurrency = 8;

/** Runs the check on a service in this process. */
export async function checkService(
  served: ServedContract,
  respond: Respond,
  settings: ProofSettings,
): Promise<CheckReport> {
  const { contract } = served;
  return checkTarget({
    ...settings,
    contract,
    url: `${origin}${contract.servers[0]?.basePath ?? ''}`,
    servers: serversAt(origin, contract),
    ...giveMockKey(contract, knownKey),
    mode: 'read-write',
    // The same at every load of this machine.
    concurrency: fixedConcurrency,
    send: sendTo(respond),
    // Waiting is unnecessary: the service is local.
    wait: async () => {},
  });
}

/** How many exchanges in the process come before they yield to timers and signals. */
const exchangesInTurn = 25;

function sendTo(respond: Respond): Send {
  let count = 0;
  return async (baseUrl, request): Promise<Exchange> => {
    // By their number and not by the clock: a proof is the same on every machine.
    count += 1;
    if (count % exchangesInTurn === 0) await setImmediate();
    const began = performance.now();
    const { response, fault, delayMs = 0 } = await respond(request);
    const durationMs = performance.now() - began + delayMs;
    return { baseUrl, request, response, fault, durationMs };
  };
}

/** The result of a run on the conforming service. */
export interface SoundRun {
  /** The findings by id and severity: a mutation must cause further ones. */
  readonly known: ReadonlySet<string>;
  readonly verdict: Verdict;
  readonly requests: number;
}

export interface ProofReference {
  readonly settings: ProofSettings;
  /** The same run on the conforming service. */
  readonly sound: SoundRun;
  /** The severity that the check must report. */
  readonly killedBy: Severity;
}

/** Plants a mutation and reports what a run finds. */
export async function runMutation(
  served: ServedContract,
  mutation: Mutation,
  { settings, sound, killedBy }: ProofReference,
): Promise<MutationResult> {
  const { contract, authentication, plant, mutator, title, hidden, seedRecords } = mutation;
  const open = mutation.second === true ? openApart : openService;
  const service = await open(startingWith(served, seedRecords), {
    seed: settings.seed,
    contract,
    authentication,
    seedRecords,
  });
  let fired = 0;
  const onFired = (): void => void (fired += 1);
  const respond =
    plant?.(service, onFired) ??
    (await besideSound(served, service, { seed: settings.seed, authentication, fired: onFired }));
  const report = await checkService(served, respond, settingsFor(mutation, served, settings));
  const findings = report.findings
    .flatMap(separate)
    .filter((finding) => !sound.known.has(findingKey(finding)));
  const inconclusive = whyInconclusive(report, sound);
  const killed =
    inconclusive !== undefined || findings.some(({ severity }) => isAtLeast(severity, killedBy));
  return {
    mutator,
    title,
    ...statusOf(killed, hidden, fired),
    changedResponses: fired,
    findings: findings.map(({ check, severity, message }) => ({ check, severity, message })),
    ...defined({ inconclusive }),
    requests: report.summary.requests,
  };
}

/** Why a run has no verdict, if the conforming service gets one: such a run never passes. */
function whyInconclusive(
  { summary: { verdict, reason } }: CheckReport,
  sound: SoundRun,
): string | undefined {
  return verdict === 'inconclusive' && sound.verdict !== verdict ? reason : undefined;
}

function statusOf(
  killed: boolean,
  hidden: string | undefined,
  fired: number,
): Pick<MutationResult, 'status' | 'reason'> {
  if (killed) return { status: 'killed' };
  if (hidden !== undefined) return { status: 'equivalent', reason: hidden };
  return { status: fired === 0 ? 'noCoverage' : 'survived' };
}

/**
 * A service with a changed contract beside the conforming one: the mutation is visible if one
 * refuses what the other accepts.
 */
async function besideSound(
  served: ServedContract,
  service: Service,
  {
    seed,
    authentication,
    fired,
  }: {
    readonly seed: string;
    readonly authentication: Mutation['authentication'];
    readonly fired: () => void;
  },
): Promise<Respond> {
  // Authentication differs in every request: the mutation is visible without a comparison.
  if (authentication !== undefined) {
    fired();
    return service.respond;
  }
  const sound = await openService(served, { seed });
  return async (request) => {
    const [reply, expected] = [await service.respond(request), await sound.respond(request)];
    if (isRefused(reply) !== isRefused(expected)) fired();
    return reply;
  };
}

/**
 * Whether a request was refused as invalid. A difference in stored records is not a difference
 * between contracts.
 */
function isRefused({ response }: ServiceReply): boolean {
  return [400, 415, 422].includes(response?.status ?? 0);
}

/**
 * The identity of a finding with its severity: the same finding may be a note for one service and
 * an error for another.
 */
export function findingKey({ id, severity }: Finding): string {
  return `${severity} ${id}`;
}

/**
 * Runs the check on a conforming variant: errors are false positives, and warnings are reported.
 */
export async function runVariant(
  served: ServedContract,
  variant: Variant,
  settings: ProofSettings,
): Promise<CheckReport> {
  const { seedRecords } = variant;
  const open = variant.second === true ? openApart : openService;
  const service = await open(startingWith(served, seedRecords), {
    seed: settings.seed,
    seedRecords,
  });
  return checkService(served, variant.plant(service), settingsFor(variant, served, settings));
}

/** The settings of a run, with two identities if a second one takes part. */
function settingsFor(
  { second }: Pick<Mutation, 'second'>,
  { contract }: ServedContract,
  settings: ProofSettings,
): ProofSettings {
  if (second !== true) return settings;
  const identities = {
    run: giveMockKey(contract, knownKey),
    other: { ...giveMockKey(contract, otherKey), sees: { 'nothing-of': 'run' } },
  };
  return { ...settings, identities };
}

/** A contract to serve, with the records at the start. */
export type ServedContract = Pick<MockOptions, 'contract' | 'fixtures' | 'assumptions'>;

/** The contract without its own records if a number of records replaces them. */
function startingWith(served: ServedContract, seedRecords: number | undefined): ServedContract {
  return seedRecords === undefined ? served : { ...served, fixtures: new Map() };
}

/** How a service differs from what the contract says. */
interface ServiceChoice {
  readonly contract?: Contract | undefined;
  readonly authentication?: AuthenticationMode | undefined;
  readonly seed: string;
  readonly seedRecords?: number | undefined;
  /** The key that it accepts; the default is that of the run. */
  readonly key?: string;
}

/** Opens a service where the second identity has its own records, under the same identifiers. */
async function openApart(served: ServedContract, choice: ServiceChoice): Promise<Service> {
  const own = await openService(served, choice);
  const other = await openService(served, { ...choice, key: otherKey });
  return {
    ...own,
    respond: (request) => {
      const operation = own.operationOf(request) ?? own.operationOf({ ...request, method: 'GET' });
      const isSecond = operation !== undefined && isOther(request, operation);
      return (isSecond ? other : own).respond(request);
    },
  };
}

/** Opens a separate service for each run: the mock, without a network. */
export async function openService(
  { contract, fixtures, assumptions }: ServedContract,
  choice: ServiceChoice,
): Promise<Service> {
  const mock = await makeMock({
    contract: choice.contract ?? contract,
    store: makeMemoryStore(),
    fixtures,
    seedRecords: choice.seedRecords ?? 6,
    scenarios: [],
    assumptions,
    keys: [choice.key ?? knownKey],
    authentication: choice.authentication ?? 'known',
    clock: () => new Date(),
    seed: choice.seed,
    makeId: randomUUID,
  });
  const random = makeRandom(`${choice.seed} chance`);
  return {
    contract,
    async remember() {
      const before = await mock.snapshot();
      return () => mock.restore(before);
    },
    respond: async (request) => {
      // The result of the mock has more members than a response.
      const { status, headers, body } = await mock.answer(request);
      return { response: { status, headers, body } };
    },
    chance: random.next,
    operationOf: (request) =>
      operationOf(contract, mock.view(request.target)?.operations ?? [], request),
  };
}

/** By id: the mock may serve a changed contract with its own operation objects. */
function operationOf(
  { operations }: Contract,
  there: readonly Operation[],
  { method }: HttpRequest,
): Operation | undefined {
  const found = there.find((operation) => operation.method === method);
  return found && operations.find(({ id }) => id === found.id);
}
