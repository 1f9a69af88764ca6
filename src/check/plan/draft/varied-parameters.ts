import type { Operation, Parameter } from '../../../contract/model.ts';

/**
 * What these say is so or is not so of the message that bears them, and of the connection: another
 * value makes another message (RFC 9110, section 8; RFC 9112).
 */
const ofMessage = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The parameters of which other values may be tried: not those that say how the request itself is
 * written.
 */
export function variedParameters({
  parameters,
}: Pick<Operation, 'parameters'>): readonly Parameter[] {
  return parameters.some(isOfMessage)
    ? parameters.filter((parameter) => !isOfMessage(parameter))
    : parameters;
}

function isOfMessage({ in: place, name }: Parameter): boolean {
  return place === 'header' && ofMessage.has(name.toLowerCase());
}
