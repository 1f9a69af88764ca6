import type { RunInfo } from '../../check/model/event.ts';

/** A run as the state folder knows it. */
export interface KnownRun extends Pick<
  RunInfo,
  'id' | 'target' | 'servers' | 'mode' | 'seed' | 'startedAt'
> {
  readonly contract: RunInfo['contract'] & {
    /** The document's absolute path, where it was read from a file. */
    readonly path?: string;
  };
}

/**
 * The name of a run's files: by time, then by the run's id, so that sorting them by name is sorting
 * them by age.
 */
export function runFileName({ startedAt, id }: Pick<KnownRun, 'startedAt' | 'id'>): string {
  return `${startedAt.replaceAll(/[^0-9]/g, '').slice(0, 17)}-${id.replaceAll(/[^\w-]/g, '')}`;
}
