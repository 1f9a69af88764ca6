import { checksReference } from './checks.ts';
import { commandLineReference } from './command-line.ts';
import { conventionsReference } from './conventions.ts';
import { factsReference } from './facts.ts';
import { configurationReference, scenarioReference } from './schemas.ts';

/** A page that is generated from the code, so that both always agree. */
export interface Reference {
  /** Below `docs/reference/`. */
  readonly file: string;
  write(): string | Promise<string>;
}

/** Every generated page. */
export const references: readonly Reference[] = [
  { file: 'checks.md', write: checksReference },
  { file: 'command-line.md', write: commandLineReference },
  { file: 'configuration.md', write: configurationReference },
  { file: 'conventions.md', write: conventionsReference },
  { file: 'facts.md', write: factsReference },
  { file: 'scenarios.md', write: scenarioReference },
];
