import type { Contract } from '../contract/model.ts';
import type { CheckOptions } from '../check/check-target.ts';
import { giveMockKey } from '../check/secrets/run-credentials.ts';
import { startMock, type RunningMock, type StartMockOptions } from './start-mock.ts';

/** A mock on a free port, with the credentials to check it. */
export interface SelfTarget {
  readonly mock: RunningMock;
  readonly options: Pick<CheckOptions, 'url' | 'contract' | 'servers' | 'token' | 'tokens'>;
}

/** Starts the mock as the target of a check in the same process. */
export async function startSelfTarget(options: StartMockOptions = {}): Promise<SelfTarget> {
  const mock = await startMock({ ...options, port: 0, host: '127.0.0.1' });
  const token = mock.keys[0];
  return {
    mock,
    options: {
      url: mock.url,
      contract: mock.contract,
      servers: serversOf(mock.contract, mock.origin),
      ...(token === undefined ? {} : giveMockKey(mock.contract, token)),
    },
  };
}

/** The servers that operations declare themselves, as the mock serves them. */
function serversOf(contract: Contract, origin: string): Record<string, string> {
  const own = contract.operations
    .filter(({ ownServers }) => ownServers)
    .flatMap(({ servers }) => servers);
  return Object.fromEntries(
    own.map(({ name, url, basePath }) => [name ?? url, `${origin}${basePath}`]),
  );
}
