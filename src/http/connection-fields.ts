import { wordsIn } from '../words-in.ts';
/**
 * Header fields about one connection or the framing of one message, in lower case (RFC 9110,
 * sections 7.6.1, 7.8 and 8.6): each program that sends a message writes them itself.
 */
export const connectionFields: readonly string[] = wordsIn(
  'connection content-length keep-alive proxy-connection te trailer transfer-encoding',
  'upgrade',
);
