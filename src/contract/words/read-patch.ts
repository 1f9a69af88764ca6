import type { Operation } from '../model/operation.ts';
import { statusTexts } from './facts.ts';
import { mentions } from './mentions.ts';

/**
 * Whether a contract refuses a JSON Patch whose `test` fails (RFC 6902, section 4.6) as it refuses
 * an invalid one, and not for a conflict: it names the test beside that status alone.
 */
export function testIsInvalid(operation: Operation): boolean {
  const names = (status: string): boolean =>
    statusTexts(operation, status).some(
      (told) => told.kind !== 'stated' && mentions(told.text, 'test'),
    );
  return (names('422') || names('400')) && !names('409');
}
