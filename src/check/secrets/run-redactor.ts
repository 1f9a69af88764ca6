import type { Contract } from '../../contract/model.ts';
import { credentialHeaderNames } from './credential.ts';
import { makeRedactor, type Redactor } from './redact.ts';
import { inventedCredentials, shellSecrets, type Secret, type Secrets } from './secrets.ts';

/**
 * Hides every secret of a run, and others that are known: by value, and by the headers in which
 * credentials travel.
 */
export function redactorFor(
  contract: Contract,
  secrets: Secrets,
  others: readonly Secret[] = [],
): Redactor {
  const secretHeaders = secrets.headers.flatMap(({ name, shell }) =>
    shell === undefined ? [] : [name],
  );
  return makeRedactor({
    secrets: [...shellSecrets(secrets), ...others],
    invented: inventedCredentials(secrets),
    headerNames: [...credentialHeaderNames(contract.securitySchemes.values()), ...secretHeaders],
  });
}
