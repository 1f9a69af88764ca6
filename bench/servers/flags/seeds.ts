import type { Json } from '../serving/requests.ts';
import { addMember, addWebhook } from './account.ts';
import { log } from './call.ts';
import { addFlag, logOf } from './flags.ts';
import { addProject } from './projects.ts';
import { addSegment } from './segments.ts';
import { tokens, type Account, type Flag, type Project, type Service } from './store.ts';

const day = 86_400_000;
const start = Date.UTC(2025, 8, 1, 9);

const people = {
  harbor: ['Ada Lind', 'Birk Moe', 'Carla Vik', 'Dag Roth', 'Elin Sund', 'Filip Aas', 'Greta Holm'],
  quarry: ['Hugo Stein', 'Ilse Fels', 'Jan Grube'],
};

const parts = {
  harbor: {
    areas: ['Checkout', 'Search', 'Profile', 'Basket', 'Delivery'],
    things: ['Redesign', 'Banner', 'Cache', 'Timeout', 'Hints', 'Wizard'],
    projects: ['storefront', 'mobile', 'warehouse'],
  },
  quarry: {
    areas: ['Blasting', 'Transport'],
    things: ['Planner', 'Alerts', 'Export', 'Map'],
    projects: ['pit', 'office'],
  },
};

const variationsOf = (at: number): Json =>
  at % 5 === 2
    ? { variations: ['classic', 'compact', 'wide'].map((value) => ({ value, name: value })) }
    : at % 7 === 4
      ? { variations: [{ value: 100, name: 'short' }, { value: 2500 }, { value: 9000 }] }
      : {};

/** Gives a flag settings that are different from those of others. */
function set({ state, project }: Flag, at: number, service: Service): void {
  for (const [place, { key, segments }] of project.environments.entries()) {
    const settings = state.environments[key];
    if (settings === undefined) continue;
    const last = state.variations.length - 1;
    settings.on = (at + place) % 3 !== 0;
    if (at % 4 === 1)
      settings.targets = [
        { variation: 0, values: [`user-${String(at)}`, `user-${String(at + 40)}`] },
        { variation: last, values: [`user-${String(at + 80)}`] },
      ];
    const [segment] = segments;
    const clauses = [
      segment !== undefined && at % 6 === 3
        ? { attribute: 'key', op: 'segmentMatch', values: [segment.key], negate: false }
        : { attribute: 'country', op: 'in', values: ['NO', 'SE'], negate: at % 2 === 0 },
    ];
    if (at % 3 === 0)
      settings.rules = [
        { _id: service.newId(), description: 'First of all', clauses, variation: 0 },
      ];
    if (at % 8 === 5)
      settings.fallthrough = {
        rollout: [
          { variation: 0, weight: 25_000 },
          { variation: last, weight: 75_000 },
        ],
      };
    const { flags } = project;
    const other = flags[at - 2];
    const id = other?.state.variations[0]?._id;
    if (at % 9 === 8 && other !== undefined && id !== undefined && !other.state.archived)
      settings.prerequisites = [{ key: other.key, variationId: id }];
  }
}

function fillProject(service: Service, project: Project, which: keyof typeof parts): void {
  const { account, key } = project;
  const { areas, things } = parts[which];
  for (const environment of project.environments)
    for (const [at, name] of ['Staff', 'Early birds', 'Partners'].entries()) {
      const given = {
        ...{ key: name.toLowerCase().replace(' ', '-'), name },
        ...{ included: [`user-${String(at)}`, 'user-7'], excluded: [`user-${String(at + 20)}`] },
        clauses: [{ attribute: 'plan', op: 'in', values: [['team', 'free', 'partner'][at] ?? ''] }],
      };
      const creationDate = start + at * day + at * 61_000;
      Object.assign(addSegment(service, environment, given), { creationDate });
    }
  const count = key === 'storefront' || key === 'pit' ? 30 : 5;
  const names = areas.flatMap((area) => things.map((thing) => `${area} ${thing}`));
  for (const [at, name] of names.slice(0, count).entries()) {
    const member = account.members[at % account.members.length];
    if (member === undefined) continue;
    const tags = ['beta', 'ui', 'ops', 'growth'].filter((_tag, place) => (at + place) % 3 === 0);
    const given = {
      key: name.toLowerCase().replace(' ', '-'),
      name,
      tags,
      temporary: at % 4 === 2,
    };
    const more = { maintainerId: member._id, description: at % 5 === 0 ? `${name}, by area` : '' };
    const flag = addFlag(service, project, { ...given, ...more, ...variationsOf(at) });
    const creationDate = start + at * 2 * day + at * 53_000;
    Object.assign(flag, { creationDate, version: 2 });
    set(flag, at, service);
    for (const settings of Object.values(flag.state.environments))
      Object.assign(settings, { lastModified: creationDate + 3 * 3_600_000, version: 2 });
    if (at % 10 === 9) {
      const archivedDate = creationDate + 30 * day;
      Object.assign(flag.state, { archived: true, archivedDate });
    }
    const token = { account, member };
    log({ service, token }, { ...logOf(flag), action: 'created', date: creationDate });
  }
}

function fillAccount(service: Service, which: keyof typeof parts): void {
  const account: Account = service.accounts[which];
  for (const [at, name] of people[which].entries()) {
    const email = `${name.toLowerCase().replace(' ', '.')}@${which}.example`;
    const role = at === 0 ? 'admin' : at % 2 === 1 ? 'reader' : 'writer';
    const member = addMember(service, account, { email, name, role });
    Object.assign(member, { creationDate: start - 90 * day + at * 3 * day + at * 41_000 });
  }
  for (const [at, key] of parts[which].projects.entries()) {
    const environments = ['Test', 'Staging', 'Production']
      .filter((_name, place) => at === 0 || place !== 1)
      .map((name) => ({
        ...{ key: name.toLowerCase(), name },
        requireComments: at === 0 && name === 'Production',
      }));
    const name = `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`;
    const project = addProject({ service, token: { account } }, { key, name, environments });
    const creationDate = start - 60 * day + at * day;
    Object.assign(project, { creationDate });
    for (const [place, one] of project.environments.entries())
      Object.assign(one, { creationDate: creationDate + place });
    fillProject(service, project, which);
  }
  for (const place of ['flags', 'audit', 'alerts']) {
    const given = { url: `https://hooks.${which}.example/${place}`, sign: place === 'audit' };
    addWebhook(service, account, given);
  }
}

/** The records at the start. */
export function fill(service: Service): void {
  fillAccount(service, 'harbor');
  fillAccount(service, 'quarry');
  const { harbor, quarry } = service.accounts;
  const given = [
    { account: harbor, token: tokens.harbor, name: 'Release manager', role: 'admin' },
    { account: harbor, token: tokens.reader, name: 'Dashboard', role: 'reader' },
    { account: quarry, token: tokens.quarry, name: 'Pit office', role: 'admin' },
  ];
  for (const [at, one] of given.entries()) {
    const [member] = one.account.members;
    if (member === undefined) continue;
    const base = {
      _id: service.newId(),
      member,
      creationDate: start - 80 * day + at * day,
      isRevoked: false,
    };
    service.tokens.push({ ...base, ...one });
  }
}
