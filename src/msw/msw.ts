import type { RequestHandler } from 'msw';
import { type MockChoice, prepareMock } from '../library/prepare-mock.ts';
import { type HandlerOptions, makeMswMock, type MswMock, withHints } from './make-msw-mock.ts';
import { baseOf } from './own-requests.ts';
import { type CompiledSources, prepareMock as prepareGiven } from './prepare-given.ts';

export type { MswMock, MswSession } from './make-msw-mock.ts';
export type { CompiledSources } from './prepare-given.ts';

/**
 * The contract, its data and the behaviour of the mock, and which requests it answers. In Node, the
 * same as for `startMock`. In a browser there are no files: pass what `vouch/vite` has read, parsed
 * values, or the URL of the document.
 */
export interface MswMockOptions extends Omit<MockChoice, 'base'>, HandlerOptions {
  /** What `vouch/vite` read; `virtual:vouch` exports it. */
  readonly compiled?: CompiledSources;
}

/**
 * Makes the stateful mock of a contract as request handlers of MSW 2, without a server and a port.
 * Throws a VouchError for a contract, fixture, scenario or option that cannot be used.
 */
export function createMswMock(options: MswMockOptions = {}): Promise<MswMock> {
  return withHints(create(options));
}

/** The handlers of `createMswMock`, where its other functions are not needed. */
export async function vouchHandlers(options: MswMockOptions = {}): Promise<RequestHandler[]> {
  return (await createMswMock(options)).handlers;
}

async function create(options: MswMockOptions): Promise<MswMock> {
  const choice = { ...options, ...baseOf(options) };
  const prepare = options.compiled === undefined ? prepareMock : prepareGiven;
  return makeMswMock(await prepare(choice), options);
}
