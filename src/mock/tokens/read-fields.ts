import { headerValue, type HttpRequest } from '../../http/message.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { refuseOAuth, type OAuthRefusal } from './oauth-refusal.ts';

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
 * No parameter comes twice, and one without a value was not sent (RFC 6749, sections 3.1 and 3.2).
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
