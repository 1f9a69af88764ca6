import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startNewsroom } from './server.ts';
import { shows } from './shows.ts';
import { key } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('newsroom.yaml', import.meta.url);
const credentials = { first: { Authorization: `Bearer ${key}` }, anonymous: {} };

/** Articles, comments and tags, by JSON:API 1.1. */
export const newsroom: Corpus = {
  name: 'newsroom',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startNewsroom,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
