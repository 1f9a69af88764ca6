import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { plant, type IsPlanted } from '../defects.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { problem, show, writeBody, type Answer } from './answer.ts';
import { faultIn, type Book, type Demand } from './book.ts';
import { checkKey, readBytes, readJson, readQuery, Refused } from './request.ts';
import { Shelf, type BookFields } from './shelf.ts';

const operations: Record<string, Record<string, string>> = {
  all: { GET: 'list', POST: 'create' },
  one: { GET: 'read', PUT: 'replace', PATCH: 'update', DELETE: 'delete' },
};

/**
 * The books as a person writes them with `node:http` alone: one function that looks at the request,
 * and a map.
 */
export async function startPlain(defect?: string): Promise<ServerUnderTest> {
  const has = plant(defect);
  const shelf = new Shelf(has);
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    void serve(request, response, { shelf, has, turn: requests });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests: () => requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Service {
  readonly shelf: Shelf;
  readonly has: IsPlanted;
  /** How many requests have come, this one included. */
  readonly turn: number;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://shelf');
  const operation = operationOf(request, url, service.has);
  let answer: Answer;
  try {
    answer = await answerTo(request, url, { ...service, operation });
  } catch (error) {
    answer =
      error instanceof Refused
        ? error.answer
        : problem(500, error instanceof Error ? error.message : 'A fault.');
  }
  if (operation === 'update' && answer.status === 200 && service.has('update-hangs')) return;
  if (operation === 'list' && service.has('list-slow'))
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  send(response, answer, { has: service.has, operation });
}

function send(
  response: ServerResponse,
  { status, body, headers = {} }: Answer,
  { has, operation }: { has: IsPlanted; operation: string },
): void {
  if (body === undefined) return void response.writeHead(status, headers).end();
  const bytes = writeBody(body, operation, has);
  const type =
    status < 300 && has('body-as-html') ? 'text/html; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': bytes.length, ...headers });
  if (operation === 'read' && status === 200 && has('body-cut-off'))
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  else response.end(bytes);
}

function idIn(url: URL): string | undefined {
  const [first, books, id, ...more] = url.pathname.split('/').map(decode);
  return first === '' && books === 'books' && more.length === 0 ? id : undefined;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function operationOf(request: IncomingMessage, url: URL, has: IsPlanted): string {
  const known = operations[idIn(url) === undefined ? 'all' : 'one'] ?? {};
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
  return known[method] ?? (has('unknown-method-is-get') ? (known['GET'] ?? '') : '');
}

async function answerTo(
  request: IncomingMessage,
  url: URL,
  { shelf, has, turn, operation }: Service & { readonly operation: string },
): Promise<Answer> {
  const bytes = await readBytes(request);
  const id = idIn(url);
  if (id === undefined && decode(url.pathname) !== '/books')
    return problem(404, 'There is no such path.');
  if (operation === '') return refuseMethod(request, id === undefined ? 'all' : 'one');
  checkKey(request, operation, has);
  if (operation === 'list') return list(url.searchParams, shelf, has);
  if (operation === 'create') return create(readJson(request, bytes, has), shelf, has);
  if (has('flaky-read') && operation === 'read' && turn % 10 === 0)
    return problem(500, 'The shelf did not answer.');
  const book = find(id ?? '', shelf, has);
  if (book === undefined) return missing(operation, has);
  if (operation === 'read') return { status: 200, body: show(book, 'alone', has) };
  if (operation === 'delete') {
    shelf.delete(book.id);
    return has('delete-answers-200') ? { status: 200, body: { deleted: true } } : { status: 204 };
  }
  return change(
    book,
    {
      operation: operation === 'replace' ? 'replace' : 'update',
      body: readJson(request, bytes, has),
    },
    { shelf, has },
  );
}

function refuseMethod(request: IncomingMessage, path: string): Answer {
  const allow = ['OPTIONS', 'HEAD', ...Object.keys(operations[path] ?? {})].join(', ');
  return request.method === 'OPTIONS'
    ? { status: 204, headers: { Allow: allow } }
    : problem(405, 'There is no such method here.', { Allow: allow });
}

function find(id: string, shelf: Shelf, has: IsPlanted): Book | undefined {
  if (!/^[1-9]\d*$/.test(id)) {
    if (has('odd-id-is-500')) throw new TypeError(`invalid input syntax for type bigint: ${id}`);
    return undefined;
  }
  return shelf.read(Number(id));
}

function missing(operation: string, has: IsPlanted): Answer {
  if (operation === 'read' && has('missing-answers-500'))
    throw new TypeError("Cannot read properties of undefined (reading 'id')");
  if (operation === 'read' && has('missing-answers-200')) return { status: 200, body: null };
  if (operation === 'delete' && has('missing-delete-answers-204')) return { status: 204 };
  if (has('problem-misshapen')) return { status: 404, body: { error: 'There is no such book.' } };
  if (has('problem-status-wrong'))
    return {
      status: 404,
      body: { status: 400, code: 'missing', message: 'There is no such book.' },
    };
  return problem(404, 'There is no such book.');
}

function list(query: URLSearchParams, shelf: Shelf, has: IsPlanted): Answer {
  const incoming = readQuery(query, has);
  const { total, items } = shelf.list(incoming);
  if (items.length === 0 && has('empty-list-is-404')) return problem(404, 'No book matches.');
  const shown = items.map((book) => show(book, 'list', has));
  return {
    status: 200,
    body: has('list-is-bare')
      ? shown
      : { total: has('total-as-text') ? String(total) : total, items: shown },
  };
}

function refuse(fault: string, has: IsPlanted): Answer {
  if (has('refusal-answers-422')) return problem(422, fault);
  return has('refusal-answers-200') ? { ...problem(400, fault), status: 200 } : problem(400, fault);
}

function pick(body: unknown): BookFields {
  const known = [
    'title',
    'author',
    'genre',
    'pages',
    'price',
    'isbn',
    'barcode',
    'published',
    'tags',
  ];
  return Object.fromEntries(
    Object.entries(body as object).filter(([name]) => known.includes(name)),
  );
}

/** What the row is made with before the other fields are looked at. */
function titleIn(body: unknown): string {
  const { title } = { ...(body as { title?: unknown }) };
  return typeof title === 'string' && title !== '' ? title.slice(0, 120) : 'Untitled';
}

function create(body: unknown, shelf: Shelf, has: IsPlanted): Answer {
  const fault = faultIn(body, { operation: 'create' }, has);
  if (fault !== undefined) {
    if (has('refused-create-kept'))
      shelf.create({
        title: titleIn(body),
        author: { name: 'Anonymous' },
        genre: 'fiction',
        pages: 1,
      });
    return refuse(fault, has);
  }
  const book = shelf.create(pick(body));
  return {
    status: has('create-answers-200') ? 200 : 201,
    headers: has('location-missing') ? {} : { Location: `/books/${String(book.id)}` },
    body: show(book, 'alone', has),
  };
}

function change(
  book: Book,
  { operation, body }: Demand & { readonly body: unknown },
  { shelf, has }: { shelf: Shelf; has: IsPlanted },
): Answer {
  const fault = faultIn(body, { operation }, has);
  if (fault !== undefined) {
    if (operation === 'update' && has('refused-update-kept'))
      shelf.update(book, { pages: book.pages + 1 });
    return refuse(fault, has);
  }
  const changed =
    operation === 'replace' ? shelf.replace(book, pick(body)) : shelf.update(book, pick(body));
  return { status: 200, body: show(changed, 'alone', has) };
}
