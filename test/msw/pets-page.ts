// The second page of `browser.slow.test.ts`: a contract that `vouch/vite` compiled.
import { setupWorker } from 'msw/browser';
import { createMswMock } from '../../src/msw/msw.ts';
import compiled from 'virtual:vouch';

const mock = await createMswMock({ ...compiled, url: '/v1' });
const worker = setupWorker(...mock.handlers);
await worker.start({ quiet: true });
globalThis.tools = { createMswMock, mock, worker };
