import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startFlags } from './server.ts';
import { shows } from './shows.ts';
import { tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('flags.yaml', import.meta.url);

const credentials = {
  first: { Authorization: tokens.harbor },
  reader: { Authorization: tokens.reader },
  second: { Authorization: tokens.quarry },
  anonymous: {},
  wrongToken: { Authorization: 'tgat-00000000000000000000000000000000' },
};

/** Feature flags of projects and environments, with segments, members and an audit log. */
export const flags: Corpus = {
  name: 'flags',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startFlags,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
