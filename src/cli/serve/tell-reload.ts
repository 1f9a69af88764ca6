import { relative } from 'node:path';
import type { ReloadEvent } from '../../library/start-mock.ts';
import { cleanLine } from '../../text/safe-text.ts';
import type { Io } from '../io.ts';
import { printError } from '../print-error.ts';

/**
 * Tells a person what came of an edit: a line where it was taken, the error with its place where it
 * was not.
 */
export function tellReload(io: Io, event: ReloadEvent): void {
  if (event.type === 'failed') {
    printError(event.error, io);
    io.err('What was served before is served on, until that is mended.\n');
    return;
  }
  const files = event.files.map((file) => cleanLine(relative(process.cwd(), file) || file));
  const named =
    files.length > 3
      ? `${files.slice(0, 3).join(', ')} and ${String(files.length - 3)} more`
      : files.join(', ');
  io.err(
    `reloaded ${named}${event.mended ? ', mended' : ''}: ${count(event.operations, 'operation')}${dropped(event.dropped)}\n`,
  );
}

function dropped(records: number): string {
  if (records === 0) return '';
  return `, ${count(records, 'record')} no longer ${records === 1 ? 'fits and was' : 'fit and were'} dropped`;
}

function count(number: number, word: string): string {
  return `${String(number)} ${word}${number === 1 ? '' : 's'}`;
}
