import type { Config } from '../../config/config.ts';
import type { Contract } from '../../contract/model.ts';
import type { Io } from '../io.ts';

/** The result of one examination: `warn` blocks optional features, `fail` blocks vouch itself. */
export interface Diagnosis {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** What examinations look at. */
export interface DoctorInput {
  readonly io: Io;
  /** The folder in which commands run. */
  readonly folder: string;
  readonly nodeVersion: string;
  readonly platform: string;
  /** The configuration, or the error of reading it. */
  readonly config: Config | Error;
  /** The contract that commands would use, or the error of reading it. */
  readonly contract: Contract | Error;
  /** The named target or loopback URL; undefined for every target of the configuration. */
  readonly target: string | undefined;
}

/** One thing that `vouch doctor` looks at. It reports problems and never throws for them. */
export interface Examination {
  readonly name: string;
  examine(patient: DoctorInput): Promise<readonly Diagnosis[]> | readonly Diagnosis[];
}
