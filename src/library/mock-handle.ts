import { VouchError } from '../errors.ts';
import type { Snapshot } from '../mock/control/snapshot.ts';
import type { Mock } from '../mock/mock.ts';
import { Fields } from '../server/control/fields.ts';
import { type ClockChange, moveClock } from '../server/control/routes/clock.ts';
import {
  type Claim,
  claimNames,
  type ExchangePattern,
  readClaim,
} from '../server/journal/claim.ts';
import type { Journal } from '../server/journal/journal.ts';
import { holdClaim, readJournal, type ShownVerification } from '../server/journal/read-journal.ts';
import type { ShownExchange } from '../server/journal/show-entry.ts';

/**
 * What the control API can do, without the way over HTTP. Every method throws a VouchError
 * ('usage') for what is asked wrongly.
 */
export interface MockHandle {
  /**
   * Back to the fixtures, every scenario to its first step, and the journal empty: one session, or
   * all.
   */
  reset(session?: string): Promise<void>;
  /** The last exchanges that fit, or all of them: the oldest first, without their secrets. */
  journal(pattern?: ExchangePattern): readonly ShownExchange[];
  /**
   * How often exchanges like this happened. Throws a VouchError ('claim-refuted') that says what
   * came nearest, where it is not as often as claimed.
   */
  verify(claim: Claim): number;
  /**
   * The records as they are: of one session, or of all. `stringifyJson` writes it, and `parseJson`
   * reads it back.
   */
  snapshot(session?: string): Promise<Snapshot>;
  /** Puts records back, and every scenario to its first step. */
  restore(snapshot: Snapshot, session?: string): Promise<void>;
  /**
   * Stops the clock, shifts it, or moves it on; with nothing, back to the clock that the mock was
   * started with.
   */
  setClock(change?: ClockChange): void;
  /** Switches a scenario on, for one session or for all. */
  activate(scenario: string, session?: string): void;
  /** Switches a scenario off, for one session or for all. */
  deactivate(scenario: string, session?: string): void;
}

/** The handle of a mock whose exchanges are kept in a journal. */
export function handleOf(mock: Mock, journal: Journal): MockHandle {
  return {
    async reset(session) {
      await mock.reset(session);
      journal.clear(session);
    },
    journal: (pattern = {}) =>
      readJournal(journal, mock, { pattern: readClaim(fieldsOf(pattern), mock.options.contract) })
        .exchanges,
    verify: (claim) => verify(journal, mock, claim),
    snapshot: (session) => mock.snapshot(session),
    restore: (snapshot, session) => mock.restore(snapshot, session),
    setClock: (change) => (change === undefined ? mock.clock.reset() : moveClock(mock, change)),
    activate: (scenario, session) => mock.scenarios.activate(scenario, session),
    deactivate: (scenario, session) => mock.scenarios.deactivate(scenario, session),
  };
}

function verify(journal: Journal, mock: Mock, claim: Claim): number {
  const found = holdClaim(journal, mock, readClaim(fieldsOf(claim), mock.options.contract));
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
 * The same reader as for what comes over HTTP: a program without types can be wrong just as well.
 */
function fieldsOf(written: ExchangePattern): Fields {
  // Members that are undefined are left out; what is left is JSON.
  return new Fields(
    Object.fromEntries(Object.entries(written).filter(([, value]) => value !== undefined)),
    claimNames,
  );
}
