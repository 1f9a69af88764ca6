import { VouchError } from '../../errors.ts';
import { RecentMap } from '../../store/recent-map.ts';
import { makeRandom } from '../../values/random.ts';
import { drawDelay } from './delay.ts';
import { matchesRule, type RequestView } from './match-rule.ts';
import { mostSessions, ScenarioSwitches } from './scenario-state.ts';
import type { Scenario, ScenarioAnswer, ScenarioRule } from './scenario.ts';
import { suggestScenario } from './scenario-fault.ts';

/** A request that scenarios may answer. */
export interface Scene {
  readonly session: string;
  /** What is random follows it: the same seed, the same run. */
  readonly seed: string;
  readonly view: RequestView;
}

/** What a scenario has for a request. */
export interface ScenarioStep {
  readonly scenario: Scenario;
  readonly answer: ScenarioAnswer;
  readonly delayMs: number;
}

/** How far a session has come in a rule. */
interface Progress {
  /** Requests for which all but the probability held. */
  met: number;
  /** Answers given. */
  given: number;
}

/**
 * Plays scenarios: which are on, which answer a request gets, and how far each session has come in
 * each rule.
 */
export class ScenarioEngine {
  readonly #scenarios: ReadonlyMap<string, Scenario>;
  readonly #switches: ScenarioSwitches;
  readonly #progress = new RecentMap<string, Map<ScenarioRule, Progress>>(mostSessions);

  /**
   * `on` are the names of those that are on from the start, in the order in which they are asked.
   */
  constructor(scenarios: readonly Scenario[], on: readonly string[] = []) {
    this.#scenarios = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
    this.#switches = new ScenarioSwitches(on.map((name) => this.#named(name)));
  }

  /** The names of all scenarios, in the order in which they came. */
  get names(): readonly string[] {
    return [...this.#scenarios.keys()];
  }

  find(name: string): Scenario | undefined {
    return this.#scenarios.get(name);
  }

  /** The names of those that are on: for a session, or for every session that says nothing else. */
  active(session?: string): readonly string[] {
    return this.scenariosOn(session).map(({ name }) => name);
  }

  /** Those that are on, in the order in which they are asked. */
  scenariosOn(session?: string): readonly Scenario[] {
    return this.#switches.on(session);
  }

  /**
   * Switches a scenario on, at its first step: for one session, before those that are on already,
   * or for all. Throws `usage` for a name that is none.
   */
  activate(name: string, session?: string): void {
    const scenario = this.#named(name);
    this.#switches.activate(scenario, session);
    this.#forget(scenario, session);
  }

  /**
   * Switches a scenario off, for one session or for all. Throws `usage` for a name that is none.
   */
  deactivate(name: string, session?: string): void {
    this.#switches.deactivate(this.#named(name), session);
  }

  /**
   * The answer that the first matching rule has for a request, which thereby counts as given:
   * scenarios and their rules are asked in order. Undefined where no rule matches.
   */
  next(scenarios: readonly Scenario[], scene: Scene): ScenarioStep | undefined {
    for (const scenario of scenarios) {
      for (const [index, rule] of scenario.rules.entries()) {
        const step = this.#ask(scenario, index, { ...scene, rule });
        if (step !== undefined) return step;
      }
    }
    return undefined;
  }

  /** Every scenario is at its first step again, for one session or for all. */
  reset(session?: string): void {
    if (session === undefined) this.#progress.clear();
    else this.#progress.delete(session);
  }

  #ask(
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
    const rules = this.#progress.get(session) ?? new Map<ScenarioRule, Progress>();
    const progress = rules.get(rule) ?? { met: 0, given: 0 };
    this.#progress.set(session, rules.set(rule, progress));
    return progress;
  }

  #forget({ rules }: Scenario, session: string | undefined): void {
    const sessions =
      session === undefined ? [...this.#progress.values()] : [this.#progress.get(session)];
    for (const rule of rules) for (const known of sessions) known?.delete(rule);
  }

  #named(name: string): Scenario {
    const scenario = this.#scenarios.get(name);
    if (scenario !== undefined) return scenario;
    throw new VouchError('usage', `There is no scenario ${name}.`, {
      hint: suggestScenario(name, this.names),
    });
  }
}

function happens({ match }: ScenarioRule, luck: string): boolean {
  return (
    match === undefined || match.probability === 1 || makeRandom(luck).next() < match.probability
  );
}

/** The answer after so many: each is given `times` times. Undefined where the rule is over. */
function answerAt({ answers, then }: ScenarioRule, given: number): ScenarioAnswer | undefined {
  const round = answers.reduce((sum, { times }) => sum + times, 0);
  if (given >= round && then !== 'repeat') return then === 'last' ? answers.at(-1) : undefined;
  let end = 0;
  return answers.find(({ times }) => given % round < (end += times));
}
