import { alertmanager } from './each/alertmanager.ts';
import { etcd } from './each/etcd.ts';
import { jupyter } from './each/jupyter.ts';
import { kinto } from './each/kinto.ts';
import { mockserver } from './each/mockserver.ts';
import { powerdns } from './each/powerdns.ts';
import { prefect } from './each/prefect.ts';
import { wiremock } from './each/wiremock.ts';
import type { Service } from './service.ts';

/** The services that the benchmark checks, in the order in which it runs them. */
export const services: readonly Service[] = [
  kinto,
  jupyter,
  wiremock,
  powerdns,
  alertmanager,
  etcd,
  mockserver,
  prefect,
];
