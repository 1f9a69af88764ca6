import type { RunningMock } from '../../library/start-mock.ts';

/** Where a person looks at the mock in a browser. The token is asked for there: in a URL it would stand in histories and lists of processes. */
export function consoleUrl({ controlUrl }: Pick<RunningMock, 'controlUrl'>): string {
  return `${controlUrl}/`;
}
