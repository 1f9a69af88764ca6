import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startDesk } from './server.ts';
import { shows } from './shows.ts';
import { standing } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('desk.yaml', import.meta.url);

const credentials = {
  first: { Cookie: `DESKSID=${standing.ines}` },
  second: { Cookie: `DESKSID=${standing.tomas}` },
  anonymous: {},
  wrongKey: { Cookie: 'DESKSID=0123456789abcdef' },
};

/** Tickets, their replies, customers, queues and macros. */
export const desk: Corpus = {
  name: 'desk',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startDesk,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
