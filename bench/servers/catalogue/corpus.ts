import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startCatalogue } from './server.ts';
import { shows } from './shows.ts';
import { tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('catalogue.yaml', import.meta.url);

const withToken = (token: string) => ({ Authorization: `Bearer ${token}` });
const credentials = {
  first: withToken(tokens.nordtel),
  second: withToken(tokens.fjordnet),
  anonymous: {},
  wrongKey: withToken('ntl-0000000000000000'),
};

/** Product offerings, their specifications and categories, and orders of them. */
export const catalogue: Corpus = {
  name: 'catalogue',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startCatalogue,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
