import { Client } from '../serving/client.ts';
import type { Corpus } from '../serving/corpus.ts';
import { Contract } from '../serving/read-contract.ts';
import { defectNames, defects } from './defects.ts';
import { startMailing } from './server.ts';
import { shows } from './shows.ts';
import { keys } from './store.ts';
import { variantNames } from './variants.ts';

const file = new URL('mailing.yaml', import.meta.url);

const basic = (key: string): { readonly Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`mailing:${key}`).toString('base64')}`,
});

const credentials = {
  first: basic(keys.harbour),
  second: basic(keys.tern),
  anonymous: {},
  wrongKey: basic('0123456789abcdef0123456789abcdef-eu2'),
};

/** Lists, their members, tags and segments, and campaigns. */
export const mailing: Corpus = {
  name: 'mailing',
  contract: file,
  kinds: defects,
  defects: defectNames,
  variants: variantNames,
  shows,
  start: startMailing,
  openContract: () => new Contract(file),
  connect: (url, contract) => new Client(url, contract, credentials),
};
