import type { Contract, Operation } from '../../contract/model.ts';
import type { CredentialNote } from '../model/event.ts';
import { schemesLacking } from './credential.ts';
import { assignToken, type Credentials, schemesAskedFor } from './run-credentials.ts';
import type { Identity } from './identities.ts';
import type { Secrets } from './secrets.ts';

/** The facts for notes about a run's credentials. */
export interface CredentialState {
  readonly contract: Contract;
  readonly credentials: Credentials;
  readonly secrets: Secrets;
  /** The operations that get requests. */
  readonly operations: readonly Operation[];
  /** The identities besides that of the run, and those without a credential. */
  readonly identities?: readonly Identity[];
}

/** Notes for users about the credentials of a run, in the order in which they are shown. */
export function credentialNotes(state: CredentialState): CredentialNote[] {
  const { contract, credentials, secrets, operations, identities = [] } = state;
  const isAsked = schemesAskedFor(contract).size > 0;
  return [
    ...tokenNotes(contract, credentials, isAsked),
    ...credentials.everywhere.map(({ scheme: { name } }): CredentialNote => ({
      code: 'scheme-not-asked-for',
      scheme: name,
    })),
    ...missingCredentials(operations, secrets),
    ...identities.flatMap(({ name, lacks: variable }): CredentialNote[] =>
      variable === undefined ? [] : [{ code: 'identity-not-asked', identity: name, variable }],
    ),
  ];
}

function tokenNotes(
  contract: Contract,
  credentials: Credentials,
  isAsked: boolean,
): CredentialNote[] {
  const { token, tokenFor, tokens } = credentials;
  const { variable } = credentials.tokenSource;
  if (token === undefined || tokenFor.length > 0) return [];
  if (!isAsked) return [{ code: 'token-not-asked-for', variable }];
  const schemes = assignToken(contract, { tokens }).candidates.flat();
  return [
    schemes.length === 0
      ? { code: 'token-not-needed', variable }
      : { code: 'token-ambiguous', variable, schemes },
  ];
}

function missingCredentials(operations: readonly Operation[], secrets: Secrets): CredentialNote[] {
  const lacking = operations.flatMap((operation) => schemesLacking(operation, secrets));
  return [...Map.groupBy(lacking, (scheme) => scheme)].map(([scheme, { length }]) => ({
    code: 'credential-missing',
    scheme,
    operations: length,
  }));
}

/** A note in one sentence or two, with what to do. */
export function describeCredentialNote(note: CredentialNote): string {
  switch (note.code) {
    case 'token-not-asked-for':
      return (
        `${note.variable} is not sent: no operation of this contract requires a credential. ` +
        'headers of the target in vouch.config.yaml are sent with each request.'
      );
    case 'token-not-needed':
      return `${note.variable} is not sent: the operations have the credentials of named schemes.`;
    case 'token-ambiguous':
      return describeAmbiguous(note.variable, note.schemes);
    case 'scheme-not-asked-for':
      return (
        `No operation of the document requires ${note.scheme}: its credential is sent with all ` +
        'that require no other.'
      );
    case 'credential-missing':
      return describeMissing(note.scheme, note.operations);
    case 'identity-not-asked':
      return `The identity ${note.identity} is not asked: ${note.variable} is empty or not set.`;
  }
}

function describeAmbiguous(variable: string, schemes: readonly string[]): string {
  const flag = `--auth ${schemes[0] ?? 'SCHEME'}=env:${variable}`;
  return (
    `${variable} is not sent: it could be for ${schemes.join(' or ')}. Name the ` +
    `scheme: ${flag}`
  );
}

function describeMissing(scheme: string, operations: number): string {
  const who =
    operations === 1 ? '1 operation requires' : `${String(operations)} operations require`;
  return `${scheme} has no credential, and ${who} it: --auth ${scheme}=env:NAME`;
}
