import { VouchError } from '../../errors.ts';
import type { ScenarioSwitch } from '../mock.ts';
import { suggestScenario } from '../scenarios/scenario-fault.ts';

/**
 * The scenarios of several contracts. One that two contracts have is switched on, and off, for
 * both.
 */
export class JoinedScenarios implements ScenarioSwitch {
  readonly #parts: readonly ScenarioSwitch[];

  constructor(parts: readonly ScenarioSwitch[]) {
    this.#parts = parts;
  }

  get names(): readonly string[] {
    return [...new Set(this.#parts.flatMap(({ names }) => names))];
  }

  active(session?: string): readonly string[] {
    return [...new Set(this.#parts.flatMap((part) => part.active(session)))];
  }

  activate(name: string, session?: string): void {
    for (const part of this.#having(name)) part.activate(name, session);
  }

  deactivate(name: string, session?: string): void {
    for (const part of this.#having(name)) part.deactivate(name, session);
  }

  #having(name: string): readonly ScenarioSwitch[] {
    const parts = this.#parts.filter(({ names }) => names.includes(name));
    if (parts.length === 0)
      throw new VouchError('usage', `There is no scenario ${name.slice(0, 80)}.`, {
        hint: suggestScenario(name, this.names),
      });
    return parts;
  }
}
