import { describeCredentialNote } from '../../check/secrets/credential-note.ts';
import type { Io } from '../io.ts';
import type { RunningReporter } from './read-reporters.ts';

/**
 * Tells on stderr what of the credentials is not sent and what is missing: for runs that no
 * reporter introduces on stdout.
 */
export function tellCredentials(io: Io): RunningReporter {
  return {
    take(event) {
      if (event.type !== 'run-started') return;
      for (const note of event.run.credentials ?? []) io.err(`${describeCredentialNote(note)}\n`);
    },
    async finish() {},
    discard() {},
  };
}
