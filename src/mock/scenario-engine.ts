import { RecentMap } from '../store/recent-map.ts';
import { matchesRule, type RequestView } from './match-rule.ts';
import type { Scenario, ScenarioAnswer, ScenarioRule } from './scenario.ts';

/** Sessions whose steps are remembered. One more, and the one that was unused for the longest begins anew. */
const mostSessions = 10_000;

/** Plays scenarios: which answer a request gets, and how far each session has come in each rule. */
export class ScenarioEngine {
  readonly #scenarios: ReadonlyMap<string, Scenario>;
  readonly #given = new RecentMap<string, Map<ScenarioRule, number>>(mostSessions);

  constructor(scenarios: readonly Scenario[]) {
    this.#scenarios = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
  }

  /** The names of all scenarios, in the order in which they came. */
  get names(): string[] {
    return [...this.#scenarios.keys()];
  }

  find(name: string): Scenario | undefined {
    return this.#scenarios.get(name);
  }

  /** The answer that the first matching rule has for a session's request, which thereby counts as given; undefined where no rule matches. */
  next({ rules }: Scenario, session: string, view: RequestView): ScenarioAnswer | undefined {
    const rule = rules.find((candidate) => matchesRule(candidate, view));
    if (rule === undefined) return undefined;
    const counts = this.#given.get(session) ?? new Map<ScenarioRule, number>();
    const given = counts.get(rule) ?? 0;
    this.#given.set(session, counts.set(rule, given + 1));
    return answerAt(rule, given);
  }

  /** Every scenario is at its first step again. */
  reset(): void {
    this.#given.clear();
  }
}

/** The answer after so many: each is given `times` times, the last one for ever. */
function answerAt({ answers }: ScenarioRule, given: number): ScenarioAnswer | undefined {
  let end = 0;
  for (const answer of answers) {
    end += answer.times;
    if (given < end) return answer;
  }
  return answers.at(-1);
}
