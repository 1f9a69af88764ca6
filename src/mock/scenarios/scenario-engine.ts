import { remember } from '../../remember.ts';
import { RecentMap } from '../../store/recent-map.ts';
import { makeRandom } from '../../values/random.ts';
import { drawDelay } from './delay.ts';
import { matchesRule, type RequestView } from './match-rule.ts';
import { maxSessions } from './scenario-state.ts';
import type { Scenario, ScenarioAnswer, ScenarioRule } from './scenario.ts';
import { unknownScenario } from './scenario-fault.ts';

/** A request that scenarios can answer. */
export interface Scene {
  readonly session: string;
  /** The seed of random decisions. */
  readonly seed: string;
  readonly view: RequestView;
}

export interface ScenarioStep {
  readonly scenario: Scenario;
  readonly answer: ScenarioAnswer;
  readonly delayMs: number;
}

/** The progress of a session in a rule. */
interface Progress {
  /** The number of requests that matched except for the probability. */
  met: number;
  /** The number of answers given. */
  given: number;
}

/**
 * Runs scenarios: which are active, which answer a request gets, and the progress of each session
 * in each rule.
 */
export class ScenarioEngine {
  readonly #scenarios: Map<string, Scenario>;
  readonly #switches: ScenarioSwitches;
  readonly #progress = new RecentMap<string, Map<ScenarioRule, Progress>>(maxSessions);

  /** `on` has the names of initially active scenarios, in order of precedence. */
  constructor(scenarios: readonly Scenario[], on: readonly string[] = []) {
    this.#scenarios = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
    this.#switches = new ScenarioSwitches(on.map((name) => this.#named(name)));
  }

  /** The names of all scenarios, in their original order. */
  get names(): readonly string[] {
    return [...this.#scenarios.keys()];
  }

  /** The sessions that have activated or deactivated scenarios themselves. */
  get sessions(): readonly string[] {
    return this.#switches.sessions;
  }

  /** Adds a scenario, which is not active; or replaces the one of that name where it is active. */
  put(scenario: Scenario): void {
    const before = this.#scenarios.get(scenario.name);
    this.#scenarios.set(scenario.name, scenario);
    if (before !== undefined) this.#switches.replace(before, scenario);
  }

  /** Removes a scenario, and deactivates it. */
  remove(name: string): void {
    const scenario = this.#scenarios.get(name);
    if (scenario === undefined) return;
    this.#switches.deactivate(scenario);
    this.#scenarios.delete(name);
  }

  find(name: string): Scenario | undefined {
    return this.#scenarios.get(name);
  }

  /** The names of active scenarios: for a session, or the default of all sessions. */
  active(session?: string): readonly string[] {
    return this.scenariosOn(session).map(({ name }) => name);
  }

  /** The active scenarios in order of precedence. */
  scenariosOn(session?: string): readonly Scenario[] {
    return this.#switches.on(session);
  }

  /**
   * Activates a scenario at its first step: for one session, with precedence over the active ones,
   * or for all. Throws `usage` for an unknown name.
   */
  activate(name: string, session?: string): void {
    const scenario = this.#named(name);
    this.#switches.activate(scenario, session);
    this.#forget(scenario, session);
  }

  /** Deactivates a scenario for one session or for all. Throws `usage` for an unknown name. */
  deactivate(name: string, session?: string): void {
    this.#switches.deactivate(this.#named(name), session);
  }

  /**
   * The answer of the first matching rule for a request, which is then counted as given. Undefined
   * if no rule matches.
   */
  next(scenarios: readonly Scenario[], scene: Scene): ScenarioStep | undefined {
    for (const scenario of scenarios) {
      for (const [index, rule] of scenario.rules.entries()) {
        const step = this.#stepOf(scenario, index, { ...scene, rule });
        if (step !== undefined) return step;
      }
    }
    return undefined;
  }

  /** Resets every scenario to its first step, for one session or for all. */
  reset(session?: string): void {
    if (session === undefined) this.#progress.clear();
    else this.#progress.delete(session);
  }

  #stepOf(
    scenario: Scenario,
    index: number,
    { session, seed, view, rule }: Scene & { readonly rule: ScenarioRule },
  ): ScenarioStep | undefined {
    if (!matchesRule(rule, view, session)) return undefined;
    const progress = this.#progressOf(session, rule);
    const answer = answerAt(rule, progress.given);
    if (answer === undefined) return undefined;
    const luck = `${seed} ${scenario.name} ${String(index)} ${session}`;
    progress.met += 1;
    if (!happens(rule, `${luck} met ${String(progress.met)}`)) return undefined;
    progress.given += 1;
    return {
      scenario,
      answer,
      delayMs: drawDelay(answer.delay, () => makeRandom(`${luck} delay ${String(progress.given)}`)),
    };
  }

  #progressOf(session: string, rule: ScenarioRule): Progress {
    const rules = remember(this.#progress, session, () => new Map());
    return remember(rules, rule, () => ({ met: 0, given: 0 }));
  }

  #forget({ rules }: Scenario, session: string | undefined): void {
    const sessions =
      session === undefined ? [...this.#progress.values()] : [this.#progress.get(session)];
    for (const rule of rules) for (const known of sessions) known?.delete(rule);
  }

  #named(name: string): Scenario {
    const scenario = this.#scenarios.get(name);
    if (scenario !== undefined) return scenario;
    throw unknownScenario(name, this.names);
  }
}

function happens({ match }: ScenarioRule, luck: string): boolean {
  return (
    match === undefined || match.probability === 1 || makeRandom(luck).next() < match.probability
  );
}

/** The answer after this many: each is given `times` times. Undefined after the end of the rule. */
function answerAt({ answers, then }: ScenarioRule, given: number): ScenarioAnswer | undefined {
  const round = answers.reduce((sum, { times }) => sum + times, 0);
  if (given >= round && then !== 'repeat') return then === 'last' ? answers.at(-1) : undefined;
  let end = 0;
  return answers.find(({ times }) => given % round < (end += times));
}

/** The difference of one session from all others. */
interface Own {
  readonly on: readonly Scenario[];
  readonly off: ReadonlySet<Scenario>;
}

/** The active scenarios of all sessions and of single ones. */
class ScenarioSwitches {
  #common: readonly Scenario[];
  readonly #own = new RecentMap<string, Own>(maxSessions);

  constructor(common: readonly Scenario[]) {
    this.#common = [...new Set(common)];
  }

  get sessions(): readonly string[] {
    return this.#own.keys();
  }

  /** The active scenarios, those of the session first; without a session, those of all. */
  on(session?: string): readonly Scenario[] {
    const own = session === undefined || this.#own.size === 0 ? undefined : this.#own.get(session);
    if (own === undefined) return this.#common;
    return [
      ...own.on,
      ...this.#common.filter((scenario) => !own.off.has(scenario) && !own.on.includes(scenario)),
    ];
  }

  /** For all sessions: sessions that had deactivated the scenario follow. */
  activate(scenario: Scenario, session?: string): void {
    if (session !== undefined) return this.#change(session, { on: [scenario], off: [] }, scenario);
    if (!this.#common.includes(scenario)) this.#common = [...this.#common, scenario];
    for (const name of this.#own.keys()) this.#change(name, { on: [], off: [] }, scenario);
  }

  /** For all sessions: sessions that had activated the scenario themselves lose it too. */
  deactivate(scenario: Scenario, session?: string): void {
    if (session !== undefined) return this.#change(session, { on: [], off: [scenario] }, scenario);
    this.#common = this.#common.filter((other) => other !== scenario);
    for (const name of this.#own.keys()) this.#change(name, { on: [], off: [] }, scenario);
  }

  /** The new scenario is active wherever the old one is. */
  replace(before: Scenario, now: Scenario): void {
    const swap = (each: Scenario): Scenario => (each === before ? now : each);
    this.#common = this.#common.map(swap);
    for (const [session, { on, off }] of [...this.#own.entries()])
      this.#own.set(session, { on: on.map(swap), off: new Set([...off].map(swap)) });
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
