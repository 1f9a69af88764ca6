import { broker } from './broker/corpus.ts';
import { catalog } from './catalog/corpus.ts';
import { catalogue } from './catalogue/corpus.ts';
import { clinic } from './clinic/corpus.ts';
import { crm } from './crm/corpus.ts';
import { depots } from './depots/corpus.ts';
import { desk } from './desk/corpus.ts';
import { drive } from './drive/corpus.ts';
import { flags } from './flags/corpus.ts';
import { hours } from './hours/corpus.ts';
import { invoices } from './invoices/corpus.ts';
import { ledger } from './ledger/corpus.ts';
import { mailing } from './mailing/corpus.ts';
import { newsroom } from './newsroom/corpus.ts';
import { orders } from './orders/corpus.ts';
import { rooms } from './rooms/corpus.ts';
import type { Corpus } from './serving/corpus.ts';
import { shop } from './shop/corpus.ts';
import { sheets } from './sheets/corpus.ts';
import { talk } from './talk/corpus.ts';
import { tracker } from './tracker/corpus.ts';
import { transit } from './transit/corpus.ts';

/** Services for business whose defects each show to a client of their document. */
export const corpora: readonly Corpus[] = [
  invoices,
  rooms,
  depots,
  talk,
  newsroom,
  orders,
  catalog,
  desk,
  catalogue,
  ledger,
  broker,
  clinic,
  transit,
  tracker,
  mailing,
  shop,
  sheets,
  flags,
  hours,
  crm,
  drive,
];
