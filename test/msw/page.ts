// The script of the page in `browser.slow.test.ts`: what an application does before it starts.
import { setupWorker } from 'msw/browser';
import { createMswMock, type MswMock } from '../../src/msw/msw.ts';
import { albumRecords, albums, albumScenarios } from './albums.ts';

/** What the tests call in the page. */
export interface PageTools {
  readonly createMswMock: typeof createMswMock;
  readonly mock: MswMock;
  readonly worker: ReturnType<typeof setupWorker>;
}

declare global {
  var tools: PageTools;
}

const mock = await createMswMock({
  contract: albums,
  fixtures: albumRecords,
  scenarios: albumScenarios,
});
const worker = setupWorker(...mock.handlers);
await worker.start({ quiet: true, onUnhandledRequest: 'bypass' });
globalThis.tools = { createMswMock, mock, worker };
