import express, { raw, Router, type Express } from 'express';
import type { AddressInfo } from 'node:net';
import { plant, type IsPlanted } from '../defects.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { BookController } from './book-controller.ts';
import { BookTable } from './book-table.ts';
import { answerErrors, HttpError, onlyMethods, parseBody, requireKey } from './guards.ts';

/**
 * The books as a team writes them with Express: middleware, a controller, a form of field classes,
 * and a table in SQLite.
 */
export async function startExpress(defect?: string): Promise<ServerUnderTest> {
  const has = plant(defect);
  const table = new BookTable(has);
  let requests = 0;
  const app = createApp(table, has);
  const server = app.listen(0, '127.0.0.1');
  server.on('request', () => (requests += 1));
  await new Promise<void>((resolve) => server.once('listening', () => resolve()));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests: () => requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          table.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

function createApp(table: BookTable, has: IsPlanted): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.use(raw({ type: () => true, limit: '1mb', inflate: false }));
  app.use(booksRouter(new BookController(table, has), has));
  app.use(() => {
    throw new HttpError(404, 'not-found', 'There is nothing here.');
  });
  app.use(answerErrors(has));
  return app;
}

function booksRouter(books: BookController, has: IsPlanted): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const guard = requireKey(has);
  const body = parseBody(has);
  const all = router.route('/books');
  all.get(guard, (request, response) => books.list(request, response));
  all.post(guard, body, (request, response) => books.create(request, response));
  const one = router.route('/books/:id');
  one.get(guard, (request, response) => books.read(request, response));
  one.put(guard, body, (request, response) => books.replace(request, response));
  one.patch(guard, body, (request, response) => books.update(request, response));
  one.delete(guard, (request, response) => books.delete(request, response));
  if (has('unknown-method-is-get')) {
    all.all(guard, (request, response) => books.list(request, response));
    one.all(guard, (request, response) => books.read(request, response));
  }
  all.all(onlyMethods('GET', 'HEAD', 'POST'));
  one.all(onlyMethods('GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'));
  return router;
}
