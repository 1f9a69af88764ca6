import { RecentMap } from '../../store/recent-map.ts';
import type { Scenario } from './scenario.ts';

/**
 * Sessions of which something is remembered. One more, and the one that was unused for the longest
 * begins anew.
 */
export const mostSessions = 10_000;

/** Where one session differs from all others. */
interface Own {
  readonly on: readonly Scenario[];
  readonly off: ReadonlySet<Scenario>;
}

/** Which scenarios are on: for all sessions, and for single ones. */
export class ScenarioSwitches {
  #common: readonly Scenario[];
  readonly #own = new RecentMap<string, Own>(mostSessions);

  constructor(common: readonly Scenario[]) {
    this.#common = [...new Set(common)];
  }

  /** Those that are on, a session's own first; without a session, those that are on for all. */
  on(session?: string): readonly Scenario[] {
    const own = session === undefined || this.#own.size === 0 ? undefined : this.#own.get(session);
    if (own === undefined) return this.#common;
    return [
      ...own.on,
      ...this.#common.filter((scenario) => !own.off.has(scenario) && !own.on.includes(scenario)),
    ];
  }

  /** For all sessions: each forgets that it had switched the scenario off. */
  activate(scenario: Scenario, session?: string): void {
    if (session !== undefined) return this.#change(session, { on: [scenario], off: [] }, scenario);
    if (!this.#common.includes(scenario)) this.#common = [...this.#common, scenario];
    for (const name of this.#own.keys()) this.#change(name, { on: [], off: [] }, scenario);
  }

  /** For all sessions: those that had it on for themselves lose it too. */
  deactivate(scenario: Scenario, session?: string): void {
    if (session !== undefined) return this.#change(session, { on: [], off: [scenario] }, scenario);
    this.#common = this.#common.filter((other) => other !== scenario);
    for (const name of this.#own.keys()) this.#change(name, { on: [], off: [] }, scenario);
  }

  #change(
    session: string,
    { on, off }: { readonly on: readonly Scenario[]; readonly off: readonly Scenario[] },
    scenario: Scenario,
  ): void {
    const own = this.#own.get(session) ?? { on: [], off: new Set<Scenario>() };
    const others = (given: Iterable<Scenario>): Scenario[] =>
      [...given].filter((other) => other !== scenario);
    this.#own.set(session, {
      on: [...others(own.on), ...on],
      off: new Set([...others(own.off), ...off]),
    });
  }
}
