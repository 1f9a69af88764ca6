import { isTokenScheme, tokenPlaces, tokensAt } from '../../contract/infer/infer-logins.ts';
import type { Operation, SecurityScheme } from '../../contract/model.ts';
import { isSecured } from '../../contract/model/operation.ts';
import { headerValues, isSuccess } from '../../http/message.ts';
import type { RequestTemplate } from '../model/request-template.ts';
import type { Step } from '../model/step.ts';
import { jsonOf } from '../reading/read-answer.ts';
import { readCookies } from './credential.ts';
import { hasSecretHeader, type Secret, type Secrets, secretsOf } from './secrets.ts';

/** What says in which session a case is sent. */
interface InSession {
  readonly operation: Operation;
  readonly request: Pick<RequestTemplate, 'session' | 'identity'>;
}

/**
 * The secrets that a case is sent with: those of its identity, or what the login of its session
 * handed out, and nothing else. Undefined if the run has none.
 */
export function secretsFor(
  { operation, request: { session, identity } }: InSession,
  steps: readonly Step[],
  secrets: Secrets,
): Secrets | undefined {
  if (session === undefined) return secretsOf(secrets, identity);
  // A header of the user may be what the service knows the user by.
  if (hasSecretHeader(secrets) || openingOf(session, steps) === undefined) return undefined;
  if (!isSecured(operation)) return secrets;
  const held = sessionOf({ operation, request: { session } }, steps);
  if (held === undefined) return undefined;
  const family = { ...secrets.unknown, given: held.secret };
  return { ...secrets, schemes: new Map([[held.scheme.name, family]]) };
}

/** The credential of the session that a case is sent in, and its scheme. */
export function sessionOf(
  { operation, request }: InSession,
  steps: readonly Step[],
): { readonly scheme: SecurityScheme; readonly secret: Secret } | undefined {
  const login = openingOf(request.session, steps);
  const alone = operation.security.filter(({ length }) => length === 1).flat();
  return alone
    .flatMap(({ scheme }) => {
      const value = login && tokenFrom(login, scheme);
      return value === undefined ? [] : [{ scheme, secret: { value, shell: '$VOUCH_SESSION' } }];
    })
    .at(0);
}

/** The login that a session began with, if it succeeded. */
function openingOf(session: string | undefined, steps: readonly Step[]): Step | undefined {
  const login = steps.find((step) => step.case.title === session);
  return isSuccess(login?.exchange.response?.status ?? 0) ? login : undefined;
}

/** What the answer of a login holds for a scheme. */
function tokenFrom({ case: { operation }, exchange, answer }: Step, scheme: SecurityScheme) {
  const headers = exchange.response?.headers ?? [];
  if (!isTokenScheme(scheme)) return undefined;
  if (scheme.kind === 'apiKey' && scheme.in === 'cookie')
    return headerValues(headers, 'set-cookie')
      .flatMap((text) => readCookies(text).slice(0, 1))
      .findLast(([name, value]) => name === scheme.key && value !== '')?.[1];
  const places = tokenPlaces(operation);
  return places.flatMap((place) => tokensAt(place, { headers, body: jsonOf(answer) }))[0];
}
