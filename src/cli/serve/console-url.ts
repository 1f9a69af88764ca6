import type { RunningMock } from '../../library/start-mock.ts';

/**
 * Where a person looks at the mock in a browser, with the token in the fragment: no browser sends
 * that anywhere, and the page takes it out of the address at once. For a terminal, which shows the
 * token anyway.
 */
export function consoleLink({
  controlUrl,
  controlToken,
}: Pick<RunningMock, 'controlUrl' | 'controlToken'>): string {
  return `${controlUrl}/#${controlToken}`;
}

/**
 * The same without the token, which is asked for there: handed to a command, it would stand in
 * lists of processes.
 */
export function consoleUrl({ controlUrl }: Pick<RunningMock, 'controlUrl'>): string {
  return `${controlUrl}/`;
}
