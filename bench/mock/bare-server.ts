import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/**
 * What `node:http` alone does with a request: reads it, and sends bytes that are ready. The measure
 * for everything else.
 */
interface RecordedAnswer {
  readonly method: string;
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

// The file is written by the benchmark that starts this program.
const answers = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Record<
  string,
  RecordedAnswer
>;
const ready = new Map(
  Object.entries(answers).map(([target, { method, status, headers, body }]) => [
    `${method} ${target}`,
    { status, headers: [...headers], body: Buffer.from(body) },
  ]),
);

const server = createServer((request, response) => {
  const answer = ready.get(`${request.method ?? ''} ${request.url ?? ''}`);
  if (answer === undefined) {
    response.writeHead(404).end();
    return;
  }
  request.on('data', () => undefined);
  request.on('end', () => {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : '';
  console.log(`http://127.0.0.1:${String(port)}`);
});
process.once('SIGTERM', () => process.exit(0));
