import type { CheckOptions } from '../../check/check-target.ts';
import { credentialNotes, describeCredentialNote } from '../../check/secrets/credential-note.ts';
import { makeSecrets } from '../../check/secrets/secrets.ts';
import { readCredentialOptions } from '../../check/secrets/run-credentials.ts';
import type { Contract } from '../../contract/model.ts';
import { readHeaderFlags } from '../../library/read-header-words.ts';
import type { Io } from '../io.ts';
import { readCredentials } from './read-credential.ts';

/** The flags that say what requests carry. */
export interface AccessWords {
  readonly auth: readonly string[];
  readonly header: readonly string[];
}

type Access = Pick<CheckOptions, 'token' | 'tokenSource' | 'tokens' | 'headers'>;

/**
 * Credentials and headers for a command whose output has no run header: what is not sent is told on
 * stderr.
 */
export function readAccess(io: Io, words: AccessWords, contract: Contract): Access {
  const credentials = readCredentials(io, { auth: words.auth }, [
    ...contract.securitySchemes.keys(),
  ]);
  const access = { ...credentials, headers: readHeaderFlags(words.header, io.env) };
  const settled = readCredentialOptions(contract, access);
  const secrets = makeSecrets(settled, 'notes');
  const notes = credentialNotes({ contract, credentials: settled, secrets, operations: [] });
  for (const note of notes) io.err(`${describeCredentialNote(note)}\n`);
  return access;
}
