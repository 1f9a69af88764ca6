import { type HeaderList, headerValue } from './message.ts';

/**
 * The run of a check that sent a request, by the header `Vouch-Run`: `vouch-7f3a9c`. Another value
 * is that of a stranger, whose requests are shown as ever.
 */
export function runOf(headers: HeaderList): string | undefined {
  const run = headerValue(headers, 'vouch-run');
  return run !== undefined && /^vouch-[0-9a-f]{6}$/.test(run) ? run : undefined;
}
