import { contractFile, importPackage, listenAt } from './from-folder.ts';

/**
 * @scalar/mock-server as its documentation starts it: the document's file, behind Hono's server for
 * Node.
 */
const { createMockServer } = (await importPackage('@scalar/mock-server')) as {
  createMockServer(options: { document: string; logger: boolean }): Promise<{ fetch: unknown }>;
};
const { serve } = (await importPackage('@hono/node-server')) as {
  serve(options: { fetch: unknown; port: number; hostname: string }): void;
};
const app = await createMockServer({ document: contractFile, logger: false });
serve({ fetch: app.fetch, port: listenAt, hostname: '127.0.0.1' });
