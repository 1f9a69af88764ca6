import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startDepots } from './server.ts';
import { shows } from './shows.ts';
import { key } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('depots.yaml', import.meta.url);
const credentials = { first: { Authorization: `Bearer ${key}` }, anonymous: {} };

/** Depots and their vehicles, by the API Improvement Proposals. */
export const depots: Corpus = {
  name: 'depots',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startDepots,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
