import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startCatalog } from './server.ts';
import { shows } from './shows.ts';
import { key } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('catalog.yaml', import.meta.url);
const credentials = { first: { Authorization: `Bearer ${key}` }, anonymous: {} };

/** Products, categories and reviews, by OData 4. */
export const catalog: Corpus = {
  name: 'catalog',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startCatalog,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
