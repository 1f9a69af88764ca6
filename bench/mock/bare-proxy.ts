import { createServer, request } from 'node:http';

/** What `node:http` alone takes to forward a request: the measure for the proxy. */
const target = new URL(process.argv[2] ?? '');

const server = createServer((incoming, response) => {
  const { method, url, headers } = incoming;
  const outgoing = request(
    { host: target.hostname, port: target.port, method, path: url, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    },
  );
  incoming.pipe(outgoing);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  console.log(`http://127.0.0.1:${String(port)}`);
});
