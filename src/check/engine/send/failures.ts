import { makeSequence } from '../../model/case.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Step } from '../../model/step.ts';
import { checkInputOf, inspectStep, type JudgeContext, type Suspicion } from '../judge/judge.ts';
import { keptSteps } from '../judge/compact-step.ts';
import { hasTrait } from '../../topics/index.ts';

/**
 * Every failure of the service (5xx) in a run, whatever the request was sent for: also the attempts
 * to find a value, the looks at records of others, the confirmations and the clean-up.
 */
export class Failures {
  readonly #noted = new Map<Exchange, readonly Step[]>();

  /** Adds a step, with those that led to it. */
  note(step: Step, earlier: readonly Step[]): void {
    if ((step.exchange.response?.status ?? 0) < 500) return;
    this.#noted.set(step.exchange, keptSteps([...earlier, step]));
  }

  /** Those of which no suspicion tells yet, as the checks of failures judge them; each once. */
  untold(context: JudgeContext, told: readonly Suspicion[]): Suspicion[] {
    for (const { check, steps } of told) {
      const exchange = steps.at(-1)?.exchange;
      if (exchange !== undefined && hasTrait(check.id, 'failures')) this.#noted.delete(exchange);
    }
    const checks = context.checks.filter(({ id }) => hasTrait(id, 'failures'));
    const untold = [...this.#noted.values()].flatMap((steps) => {
      const step = steps.at(-1);
      const sequence = makeSequence(...steps.map((one) => one.case));
      return step === undefined
        ? []
        : checks.flatMap(
            (check) =>
              inspectStep(check, checkInputOf(context, steps, step), { sequence, steps })
                .suspicions,
          );
    });
    this.#noted.clear();
    return untold;
  }
}
