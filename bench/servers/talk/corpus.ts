import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startTalk } from './server.ts';
import { shows } from './shows.ts';
import { tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('talk.yaml', import.meta.url);
const withToken = (token: string) => ({ Authorization: `Bearer ${token}` });
const credentials = {
  first: withToken(tokens.U0ANA),
  second: withToken(tokens.U0BO),
  wrong: withToken('xoxt-nobody'),
  anonymous: {},
};

/** Channels, messages and reactions, as calls of methods. */
export const talk: Corpus = {
  name: 'talk',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startTalk,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
