import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startShop } from './server.ts';
import { shows } from './shows.ts';
import { tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('shop.yaml', import.meta.url);

const credentials = {
  first: { 'X-Shop-Access-Token': tokens.fjord },
  second: { 'X-Shop-Access-Token': tokens.dune },
  anonymous: {},
  wrongToken: { 'X-Shop-Access-Token': 'shpat_00000000000000000000000000000000' },
};

/** Products with variants and stock, customers, orders, drafts and discounts. */
export const shop: Corpus = {
  name: 'shop',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startShop,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
