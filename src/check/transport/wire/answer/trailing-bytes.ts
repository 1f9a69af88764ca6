import type { HttpResponse } from '../../../../http/message.ts';
import type { BreachKind, WireBreach } from '../../../model/exchange.ts';
import { showBytes } from './show-bytes.ts';

/**
 * What bytes are that come after an answer; undefined for line ends alone, which may be thrown away
 * (RFC 9112, section 9.2).
 */
export function judgeTrailing(
  bytes: Buffer,
  method: string,
  response: HttpResponse | undefined,
): WireBreach | undefined {
  if (bytes.every((byte) => byte === 13 || byte === 10)) return undefined;
  const shown = showBytes(bytes);
  const said = (kind: BreachKind, message: string): WireBreach => ({ kind, message });
  if (bytes.subarray(0, 7).toString('latin1') === 'HTTP/1.')
    return said(
      'framing.second-response',
      `a second answer came for one request, and begins with ${shown}`,
    );
  if (method === 'HEAD')
    return said(
      'framing.body-not-allowed',
      `an answer to HEAD has a body, which begins with ${shown}`,
    );
  if (response?.status === 204 || response?.status === 304)
    return said(
      'framing.body-not-allowed',
      `a ${String(response.status)} answer has a body, which begins with ${shown}`,
    );
  return said(
    'framing.extra-bytes',
    `more bytes came than the answer has, and they begin with ${shown}`,
  );
}
