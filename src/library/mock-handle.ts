import { VouchError, withHint } from '../errors.ts';
import type { Snapshot } from '../mock/control/snapshot.ts';
import { defined, type JsonObject } from '../json/value.ts';
import { type ClockChange, moveClock } from '../mock/control/move-clock.ts';
import type { Mock } from '../mock/mock.ts';
import { parseScenario } from '../mock/scenarios/parse/parse-scenario.ts';
import { Fields } from '../server/control/fields.ts';
import type { Claim, ExchangePattern } from '../server/journal/claim.ts';
import { claimNames, readClaim } from '../server/journal/claim.ts';
import type { Journal } from '../server/journal/journal.ts';
import { holdClaim, readJournal, type ShownVerification } from '../server/journal/read-journal.ts';
import type { ShownExchange } from '../server/journal/show-entry.ts';

/**
 * The functions of the control API without HTTP. Every method throws a VouchError ('usage') for
 * invalid arguments. `Id`: the ids of the operations, which `vouch types` writes.
 */
export interface MockHandle<Id extends string = string> {
  /**
   * Restores the fixtures, restarts every scenario and clears the journal, in one session or in
   * all.
   */
  reset(session?: string): Promise<void>;
  /**
   * The recorded exchanges that match the pattern, oldest first, with secrets redacted; default:
   * all.
   */
  journal(pattern?: ExchangePattern<Id>): readonly ShownExchange[];
  /**
   * The number of matching exchanges. Throws a VouchError ('claim-refuted') with the nearest misses
   * if the number differs from the claim.
   */
  verify(claim: Claim<Id>): number;
  /** The result of a claim as data, with the nearest misses; secrets are redacted. */
  verification(claim: Claim<Id>): ShownVerification;
  /**
   * The current records of one session or of all. Write it with `stringifyJson`, and read it with
   * `parseJson`.
   */
  snapshot(session?: string): Promise<Snapshot>;
  /** Restores records and restarts every scenario. */
  restore(snapshot: Snapshot, session?: string): Promise<void>;
  /** Stops, shifts or advances the clock; without an argument, restores the clock of the start. */
  setClock(change?: ClockChange): void;
  /** Activates a scenario in one session or in all. */
  activate(scenario: string, session?: string): void;
  /** Deactivates a scenario in one session or in all. */
  deactivate(scenario: string, session?: string): void;
  /**
   * Adds a scenario, written as in its file. It is not active. Throws a VouchError
   * ('scenario-invalid') if it contradicts the contract, or if its name is taken.
   */
  addScenario(name: string, scenario: JsonObject): void;
}

/** An isolated copy of the mock's records, scenarios and journal for one test. */
export interface SessionHandle<Id extends string = string> {
  readonly name: string;
  /** The headers of every request in this session: `{ 'Vouch-Session': name }`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Restores the fixtures. */
  reset(): Promise<void>;
  /** Activates a scenario in this session. */
  activate(scenario: string): void;
  deactivate(scenario: string): void;
  /** The recorded exchanges of this session that match the pattern. */
  journal(pattern?: Omit<ExchangePattern<Id>, 'session'>): readonly ShownExchange[];
  /**
   * The number of matching exchanges in this session. Throws with the nearest misses if it differs
   * from the claim.
   */
  verify(claim: Omit<Claim<Id>, 'session'>): number;
}

/** The functions of a mock for one of its sessions. */
export function sessionHandleOf(mock: MockHandle, name: string): SessionHandle {
  return {
    name,
    headers: { 'Vouch-Session': name },
    reset: () => mock.reset(name),
    activate: (scenario) => mock.activate(scenario, name),
    deactivate: (scenario) => mock.deactivate(scenario, name),
    journal: (pattern = {}) => mock.journal({ ...pattern, session: name }),
    verify: (claim) => mock.verify({ ...claim, session: name }),
  };
}

/** The handle of a mock with a journal. */
export function handleOf(mock: Mock, journal: Journal): MockHandle {
  return {
    async reset(session) {
      await mock.reset(session);
      journal.clear(session);
    },
    journal: (pattern = {}) =>
      explaining(() => {
        const claim = readClaim(fieldsOf(pattern), mock.options.contract);
        return readJournal(journal, mock, { pattern: claim }).exchanges;
      }),
    verification: (claim) => explaining(() => verification(journal, mock, claim)),
    verify: (claim) => explaining(() => verify(journal, mock, claim)),
    snapshot: (session) => mock.snapshot(session),
    restore: (snapshot, session) => mock.restore(snapshot, session),
    setClock: (change) =>
      explaining(() => (change === undefined ? mock.clock.reset() : moveClock(mock, change))),
    activate: (scenario, session) => explaining(() => mock.scenarios.activate(scenario, session)),
    deactivate: (scenario, session) =>
      explaining(() => mock.scenarios.deactivate(scenario, session)),
    addScenario: (name, scenario) =>
      explaining(() => mock.addScenario(parseScenario(name, scenario))),
  };
}

/** Test runners print the message of an error and nothing else, so it includes the hint. */
function explaining<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw withHint(error);
  }
}

function verification(journal: Journal, mock: Mock, claim: Claim): ShownVerification {
  return holdClaim(journal, mock, readClaim(fieldsOf(claim), mock.options.contract));
}

function verify(journal: Journal, mock: Mock, claim: Claim): number {
  const found = verification(journal, mock, claim);
  if (found.verified) return found.count;
  throw new VouchError('claim-refuted', [found.message, ...describe(found)].join('\n'), {
    hint: 'Look at mock.journal() for all that happened.',
  });
}

function describe({ fitting, nearMisses }: ShownVerification): string[] {
  const fits = fitting.map(
    ({ id, method, target, status }) =>
      `  fits: ${String(id)}. ${method} ${target} ${String(status)}`,
  );
  const misses = nearMisses.map(
    ({ exchange: { id, method, target, status }, failed }) =>
      `  near: ${String(id)}. ${method} ${target} ${String(status)}: ` +
      failed.map(({ message }) => message).join('; '),
  );
  return [...fits, ...misses];
}

/**
 * Arguments are validated like the body of an HTTP request, because JavaScript callers have no
 * types.
 */
function fieldsOf(written: ExchangePattern): Fields {
  // Without undefined members, the pattern is JSON.
  return new Fields(defined(written), claimNames);
}
