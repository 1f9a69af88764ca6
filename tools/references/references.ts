import { checksReference } from './checks.ts';
import { commandLineReference } from './command-line.ts';
import { configurationReference, scenarioReference } from './schemas.ts';

/** A page that is written from the code, so that it cannot say anything else. */
export interface Reference {
  /** Below `docs/reference/`. */
  readonly file: string;
  write(): string | Promise<string>;
}

/** Every page that is written, not typed. */
export const references: readonly Reference[] = [
  { file: 'checks.md', write: checksReference },
  { file: 'command-line.md', write: commandLineReference },
  { file: 'configuration.md', write: configurationReference },
  { file: 'scenarios.md', write: scenarioReference },
];
