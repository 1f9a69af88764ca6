import { parseMediaType } from '../../http/media-type.ts';
import { decodeBase64Text, headerValue, type HttpRequest } from '../../http/message.ts';
import { decodeQueryPercent } from '../../http/target.ts';
import { isKnownKey } from '../security/credentials.ts';
import { type OAuthRefusal, refuseOAuth } from './oauth-refusal.ts';
import type { TokenClient, TokenSettings } from './token-options.ts';

/** The program that requests a token. */
export interface Client {
  readonly kind: 'client';
  readonly id: string;
  /** Its configuration; undefined if no clients are configured. */
  readonly known: TokenClient | undefined;
}

/** The name of an anonymous client. */
const nameless = 'anonymous';

interface Shown {
  readonly kind: 'shown';
  readonly id: string | undefined;
  readonly secret: string | undefined;
}

/**
 * The client of a direct request: by Basic, by fields of the body, or by name alone (RFC 6749,
 * section 2.3.1). Any client is accepted unless clients are configured.
 */
export function readClient(
  request: HttpRequest,
  fields: Fields,
  settings: TokenSettings,
): Client | OAuthRefusal {
  const shown = readShown(request, fields);
  if (shown.kind === 'refusal') return shown;
  const client = findClient(shown.id, settings);
  if (client.kind === 'refusal' || client.known?.secret === undefined) return client;
  if (shown.secret !== undefined && isKnownKey(shown.secret, [client.known.secret])) return client;
  return refuseOAuth(
    'invalid_client',
    shown.secret === undefined
      ? 'The client must show its secret: by Basic, or as client_secret.'
      : 'The secret is not the one of this client.',
  );
}

/** The client of that name without its secret: for requests from a browser. */
export function findClient(
  id: string | undefined,
  { clients }: TokenSettings,
): Client | OAuthRefusal {
  if (clients === undefined) return { kind: 'client', id: id ?? nameless, known: undefined };
  if (id === undefined)
    return refuseOAuth(
      'invalid_client',
      'The client must say who it is: by Basic, or as client_id.',
    );
  const known = clients.find((client) => client.id === id);
  return known === undefined
    ? refuseOAuth(
        'invalid_client',
        'There is no client of this name. Name one of mock.tokens.clients.',
      )
    : { kind: 'client', id, known };
}

function readShown({ headers }: HttpRequest, fields: Fields): Shown | OAuthRefusal {
  if (fields.get('client_assertion') !== undefined)
    return refuseOAuth(
      'invalid_client',
      'A client shows its secret by Basic or as client_secret; assertions are not taken.',
    );
  const named = {
    kind: 'shown',
    id: fields.get('client_id'),
    secret: fields.get('client_secret'),
  } as const;
  const header = headerValue(headers, 'authorization');
  if (header === undefined) return named;
  const basic = readBasic(header);
  if (basic.kind === 'refusal') return basic;
  if (named.secret !== undefined)
    return refuseOAuth(
      'invalid_request',
      'The client shows its secret twice: by Basic and as client_secret. Send it once.',
    );
  if (named.id !== undefined && named.id !== basic.id)
    return refuseOAuth(
      'invalid_request',
      'The client_id is another one than that of the header Authorization.',
    );
  return basic;
}

/** Name and secret are form-encoded before they are joined, so that either may contain a colon. */
function readBasic(header: string): Shown | OAuthRefusal {
  const pair = decodeBase64Text(/^basic +(\S+)$/i.exec(header.trim())?.[1] ?? '');
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 1)
    return refuseOAuth(
      'invalid_client',
      'The header Authorization must hold the base64 form of client:secret after Basic.',
    );
  const [id, secret] = [
    decodeQueryPercent(pair.slice(0, colon)),
    decodeQueryPercent(pair.slice(colon + 1)),
  ];
  if (id === undefined || secret === undefined)
    return refuseOAuth(
      'invalid_client',
      'The name or the secret of the client holds a broken percent-escape. ' +
        'Encode a plain % as %25.',
    );
  return { kind: 'shown', id, secret: secret === '' ? undefined : secret };
}

/** Parameters by name. */
export interface Fields {
  readonly kind: 'fields';
  get(name: string): string | undefined;
  readonly names: readonly string[];
}

/** Reads the parameters of a body (RFC 6749, appendix B). */
export function readBodyFields({ headers, body }: HttpRequest): Fields | OAuthRefusal {
  const type = headerValue(headers, 'content-type');
  if (type === undefined && body.length === 0) return readFields('');
  if (parseMediaType(type ?? '')?.essence !== 'application/x-www-form-urlencoded')
    return refuseOAuth(
      'invalid_request',
      'Send the parameters as application/x-www-form-urlencoded.',
    );
  return readFields(new TextDecoder().decode(body));
}

/** Reads the parameters of a query. */
export function readQueryFields({ target }: HttpRequest): Fields | OAuthRefusal {
  const mark = target.indexOf('?');
  return readFields(mark === -1 ? '' : target.slice(mark + 1));
}

/**
 * No parameter occurs twice, and one without a value counts as absent (RFC 6749, sections 3.1 and
 * 3.2).
 */
function readFields(text: string): Fields | OAuthRefusal {
  const pairs = [...new URLSearchParams(text)];
  const doubled = pairs.find(
    ([name], index) => pairs.findIndex(([other]) => other === name) !== index,
  );
  if (doubled !== undefined)
    return refuseOAuth(
      'invalid_request',
      `The parameter ${doubled[0].slice(0, 60)} is given twice. Send it once.`,
    );
  const values = new Map(pairs.filter(([, value]) => value !== ''));
  return { kind: 'fields', get: (name) => values.get(name), names: [...values.keys()] };
}
