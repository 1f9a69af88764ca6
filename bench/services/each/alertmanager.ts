import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../api.ts';
import { objectOf, objectsOf, textOf, without, type Json } from '../json.ts';
import type { CensusRecord, Service } from '../service.ts';

const version = '0.28.1';

/** Prometheus Alertmanager: alerts, silences, receivers and its configuration. */
export const alertmanager: Service = {
  name: 'alertmanager',
  title: 'Alertmanager',
  version,
  install: {
    from: 'go',
    module: 'github.com/prometheus/alertmanager',
    version: `v${version}`,
    command: 'cmd/alertmanager',
    copy: [{ from: 'github.com/prometheus/alertmanager', path: 'api/v2/openapi.yaml' }],
  },
  start: ({ installed, data, ports }) => {
    const file = join(data, 'alertmanager.yml');
    writeFileSync(file, 'route: {receiver: team}\nreceivers: [{name: team}, {name: night}]\n');
    const address = `--web.listen-address=127.0.0.1:${String(ports[0])}`;
    return {
      program: join(installed, 'program'),
      args: [
        `--config.file=${file}`,
        `--storage.path=${join(data, 'storage')}`,
        address,
        '--cluster.listen-address=',
      ],
    };
  },
  ready: { path: '/-/ready' },
  document: ({ installed }) => join(installed, 'openapi.yaml'),
  basePath: '/api/v2',
  auth: { headers: {} },
  kinds: [
    { name: 'alert', createdBy: ['POST /alerts'] },
    { name: 'silence', createdBy: ['POST /silences'] },
    { name: 'receiver', createdBy: [] },
    { name: 'setting', createdBy: [] },
  ],
  seed,
  census,
};

const day = 86_400_000;

async function seed(api: Api): Promise<void> {
  const at = (days: number): string => new Date(Date.now() + days * day).toISOString();
  for (const name of ['DiskFull', 'HighLoad', 'HostDown', 'SlowQueries', 'CertExpires']) {
    await api.ask('POST', '/api/v2/alerts', [
      {
        labels: { alertname: name, team: 'others' },
        annotations: { summary: name },
        startsAt: at(0),
        endsAt: at(30),
        generatorURL: 'http://prometheus.test/graph',
      },
    ]);
    const matchers = [{ name: 'alertname', value: `${name}Again`, isRegex: false, isEqual: true }];
    await api.ask('POST', '/api/v2/silences', {
      matchers,
      startsAt: at(0),
      endsAt: at(30),
      createdBy: 'alice',
      comment: `maintenance of ${name}`,
    });
  }
}

async function census(api: Api): Promise<CensusRecord[]> {
  const alerts = objectsOf(await api.ask('GET', '/api/v2/alerts'));
  const silences = objectsOf(await api.ask('GET', '/api/v2/silences'));
  const receivers = objectsOf(await api.ask('GET', '/api/v2/receivers'));
  const { config } = objectOf(await api.ask('GET', '/api/v2/status'));
  return [
    // Whether a silence holds an alert back is a part of the alert: who must be told of it changes.
    ...alerts.map((alert) =>
      recordOf('alert', textOf(alert, 'fingerprint'), without(alert, 'updatedAt')),
    ),
    // A silence that was deleted stays in the list as an expired one.
    ...silences
      .filter(({ status }) => textOf(status, 'state') !== 'expired')
      .map((silence) => recordOf('silence', textOf(silence, 'id'), silence)),
    ...receivers.map((receiver) => recordOf('receiver', textOf(receiver, 'name'), {})),
    recordOf('setting', 'configuration', config ?? null),
  ];
}

function recordOf(kind: string, id: string, content: Json): CensusRecord {
  return { kind, id, names: [id], content };
}
