// A Pet Store as it is often built in a hurry, to try `vouch check` on. Three things are wrong with it on purpose:
// it ignores the `status` filter, it takes any token, and it answers 500 when `name` is missing.
//   node examples/careless-server.js 4999
import { createServer } from 'node:http';

const pets = [
  { id: 1, name: 'Biscuit', categoryId: 1, status: 'available' },
  { id: 2, name: 'Rex', categoryId: 1, status: 'sold' },
  { id: 3, name: 'Zoë', categoryId: 2, status: 'pending' },
];

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  const refuse = (status, code, message) => answer(status, { code, message, status });
  const url = new URL(request.url ?? '/', 'http://localhost');
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (!/^Bearer \S+$/i.test(request.headers.authorization ?? ''))
    return refuse(401, 'unauthorized', 'Send a bearer token.');
  if (url.pathname === '/pets' && request.method === 'GET') {
    const limit = url.searchParams.get('limit') ?? '20';
    const status = url.searchParams.get('status') ?? 'sold';
    if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 100)
      return refuse(400, 'invalid_limit', 'limit is 1 to 100.');
    if (!isStatus(status))
      return refuse(400, 'invalid_status', 'status is available, pending or sold.');
    return answer(200, pets.slice(0, Number(limit)));
  }
  if (url.pathname === '/pets' && request.method === 'POST') {
    const pet = readJson(Buffer.concat(chunks).toString());
    if (typeof pet !== 'object' || pet === null || Array.isArray(pet))
      return refuse(400, 'invalid_body', 'Send a JSON object.');
    const { name, categoryId, status } = pet;
    if (name === undefined)
      return refuse(500, 'internal', 'Cannot read properties of undefined (reading "trim")');
    if (typeof name !== 'string') return refuse(400, 'invalid_name', 'name is a string.');
    if (!Number.isSafeInteger(categoryId))
      return refuse(400, 'invalid_category', 'categoryId is an integer.');
    if (status !== undefined && !isStatus(status))
      return refuse(400, 'invalid_status', 'status is available, pending or sold.');
    const added = {
      id: pets.length + 1,
      name,
      categoryId,
      ...(status === undefined ? {} : { status }),
    };
    pets.push(added);
    return answer(201, added);
  }
  const id = /^\/pets\/([^/]+)$/.exec(url.pathname)?.[1];
  const found = pets.find((pet) => String(pet.id) === id);
  if (id !== undefined && request.method === 'GET' && found !== undefined)
    return answer(200, found);
  return refuse(404, 'not_found', 'There is nothing here.');
});

function isStatus(status) {
  return ['available', 'pending', 'sold'].includes(status);
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

server.listen(Number(process.argv[2] ?? 4999), '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`),
);
