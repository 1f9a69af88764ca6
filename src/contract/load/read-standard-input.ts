import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { VouchError } from '../../errors.ts';

let read: Promise<string> | undefined;

/**
 * The text on the standard input. It can be read only once, and a command may load its contract
 * several times, so the text is kept. Throws a VouchError for a terminal.
 */
export function readStandardInput(): Promise<string> {
  return (read ??= readOnce());
}

async function readOnce(): Promise<string> {
  if (isatty(0))
    throw new VouchError('usage', 'Nothing is piped to the standard input, which - reads.', {
      hint: 'Pipe a document: cat openapi.yaml | vouch lint -',
    });
  return (await buffer(createReadStream('', { fd: 0, autoClose: false }))).toString('utf8');
}
