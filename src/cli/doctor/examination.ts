import type { Config } from '../../config/config.ts';
import type { Contract } from '../../contract/model.ts';
import type { Io } from '../io.ts';

/**
 * What one look found: `warn` hinders something that may not be wanted, `fail` hinders what
 * everybody wants.
 */
export interface Diagnosis {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** What there is to be looked at. */
export interface Patient {
  readonly io: Io;
  /** Where commands would be run. */
  readonly folder: string;
  readonly nodeVersion: string;
  readonly platform: string;
  /** The configuration, or why it cannot be read. */
  readonly config: Config | Error;
  /** The contract that commands would take, or why it cannot be read. */
  readonly contract: Contract | Error;
  /**
   * The target or loopback URL that was named; every target of the configuration where none was.
   */
  readonly target: string | undefined;
}

/** One thing that `vouch doctor` looks at. It never throws for what it finds. */
export interface Examination {
  readonly name: string;
  examine(patient: Patient): Promise<readonly Diagnosis[]> | readonly Diagnosis[];
}
