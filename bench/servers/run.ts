import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { key } from './server-under-test.ts';
import { serverNames, servers } from './servers.ts';

/**
 * `node bench/servers/run.ts [--server NAME] [--defect NAME]`: one server, until it is signalled to
 * stop.
 */
const { values } = parseArgs({
  options: { server: { type: 'string', default: 'plain' }, defect: { type: 'string' } },
});
const name = serverNames.find((candidate) => candidate === values.server);
if (name === undefined)
  throw new Error(`There is no server ${values.server}. There are: ${serverNames.join(', ')}.`);

const server = await servers[name](values.defect);
console.log(
  `${name}, ${values.defect ?? 'sound'}: ${server.url} (Authorization: ` +
    `Bearer ${key}), contract ` +
    fileURLToPath(new URL('books.yaml', import.meta.url)),
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.log(`${String(server.requests())} requests`);
    void server.stop();
  });
}
