import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startDrive } from './server.ts';
import { shows } from './shows.ts';
import { accountIds, tokens } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('drive.yaml', import.meta.url);

const as = (token: string, member?: string) => ({
  Authorization: `Bearer ${token}`,
  ...(member === undefined ? {} : { 'Loftbay-Select-Member': member }),
});

const credentials = {
  first: as(tokens.nadia),
  member: as(tokens.ivo),
  other: as(tokens.mei),
  second: as(tokens.lena),
  anonymous: {},
  wrongToken: as('lb.00000000000000000000000000000000'),
  forMember: as(tokens.nadia, accountIds.ivo),
  byMember: as(tokens.ivo, accountIds.nadia),
  ofOtherTeam: as(tokens.nadia, accountIds.lena),
};

/** Files and folders as remote procedures: paths, revisions, cursors, batches, links, sharing. */
export const drive: Corpus = {
  name: 'drive',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startDrive,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
