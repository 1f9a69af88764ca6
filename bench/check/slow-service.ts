import { openSlowLink } from '../measure/slow-link.ts';
import { corpora } from '../servers/corpora.ts';

/**
 * `node bench/check/slow-service.ts NAME [MS]`: a service of `bench/servers/corpora.ts` whose
 * answers take so many milliseconds longer, until it is signalled to stop.
 */
const [name, delay = '0'] = process.argv.slice(2);
const corpus = corpora.find((candidate) => candidate.name === name);
if (corpus === undefined)
  throw new Error(
    `There is no service ${String(name)}. There are: ` +
      `${corpora.map((candidate) => candidate.name).join(', ')}.`,
  );
const server = await corpus.start();
const link = await openSlowLink(server.url, Number(delay));
console.log(link.url);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void link.stop().then(() => server.stop()));
