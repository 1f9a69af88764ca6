import type Http from 'node:http';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * What a server needs of node:http. An `import` reads every name of a module, and among those of
 * node:http are some of a client, which Node loads when they are read: a tenth of a start. The cast
 * names the types that `require` cannot carry.
 */
export const { createServer, IncomingMessage, ServerResponse } =
  require('node:http') as typeof Http;
