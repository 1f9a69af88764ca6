import { broker } from './broker.ts';
import { catalog } from './catalog.ts';
import { catalogue } from './catalogue.ts';
import { clinic } from './clinic.ts';
import { crm } from './crm.ts';
import { depots } from './depots.ts';
import { desk } from './desk.ts';
import { drive } from './drive.ts';
import { flags } from './flags.ts';
import { hours } from './hours.ts';
import { invoices } from './invoices.ts';
import { ledger } from './ledger.ts';
import { mailing } from './mailing.ts';
import { newsroom } from './newsroom.ts';
import { orders } from './orders.ts';
import { rooms } from './rooms.ts';
import { shop } from './shop.ts';
import { sheets } from './sheets.ts';
import { talk } from './talk.ts';
import { tracker } from './tracker.ts';
import { transit } from './transit.ts';
import type { Flow } from './step.ts';

/** A flow for each of the services. */
export const flows: readonly Flow[] = [
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
