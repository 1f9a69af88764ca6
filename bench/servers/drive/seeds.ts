import type { Call } from './call.ts';
import { addLink } from './links.ts';
import { addFolder } from './sharing.ts';
import {
  accountIds,
  tokens,
  type Account,
  type Item,
  type Service,
  type SharedFolder,
} from './store.ts';
import * as tree from './tree.ts';

const day = 86_400_000;
const start = Date.UTC(2025, 8, 1, 9, 30);

const people = [
  { key: 'nadia', name: 'Nadia Okafor', team: 'Harbor Studio', isAdmin: true },
  { key: 'ivo', name: 'Ivo Brandt', team: 'Harbor Studio' },
  { key: 'mei', name: 'Mei Tanaka', team: 'Harbor Studio' },
  { key: 'tomas', name: 'Tomás Rey', team: 'Harbor Studio' },
  { key: 'greta', name: 'Greta Solberg', team: 'Harbor Studio' },
  { key: 'lena', name: 'Lena Visser', team: 'Fell Surveyors', isAdmin: true },
  { key: 'piet', name: 'Piet Moor', team: 'Fell Surveyors' },
] as const;

type Key = (typeof people)[number]['key'];

/** Paths and contents; a list has the contents of several revisions. */
const files: Partial<Record<Key, Readonly<Record<string, string | readonly string[]>>>> = {
  nadia: {
    '/Read me.txt': 'Where things are, and who keeps them.',
    '/todo.md': ['- lease', '- lease\n- report', '- lease\n- report\n- photos of the quay'],
    '/Reports/2025/Q1.md': '# First quarter\nRevenue 41,200. Two new clients.',
    '/Reports/2025/Q2.md': '# Second quarter\nRevenue 39,870. The theatre signed.',
    '/Reports/2025/Q3.md': ['# Third quarter', '# Third quarter\nRevenue 44,015.'],
    '/Reports/2025/Q4.md': '# Fourth quarter\nRevenue 52,300. Bonus paid.',
    '/Reports/2026/Q1.md': ['# Draft', '# First quarter', '# First quarter\nRevenue 47,950.'],
    '/Reports/Figures.csv': 'quarter,revenue\n2025-Q1,41200\n2025-Q2,39870\n2025-Q3,44015\n',
    '/Reports archive/2019.md': 'Kept on paper.',
    '/Contracts/Lease of the quay.txt': ['Term: two years.', 'Term: three years.'],
    '/Contracts/Kelp & Sons.txt': 'Supply of fittings, net 30 days.',
    '/Contracts/Signed/Old Mill Theatre.txt': 'Signed on 4 June 2025. Season of 2026.',
    '/Photos/captions.csv': 'file,caption\n017,Crane at dawn\n018,Café at the quay\n',
    '/Photos/Harbor/list.txt': 'Crane\nSlip\nLock\nNet loft',
    '/Templates/Invoice.html': '<h1>Invoice</h1>\n<p>Payable within 30 days.</p>',
    '/Templates/Letter.txt': 'Dear …,\n\nKind regards',
    '/Templates/Minutes.md': '# Minutes\n\n## Present\n\n## Decisions',
  },
  ivo: {
    '/Designs/Logo.svg': '<svg viewBox="0 0 8 8"><circle cx="4" cy="4" r="3"/></svg>',
    '/Designs/Colours.txt': ['Slate, sand', 'Slate, sand, rust'],
    '/Notes/Ideas.txt': 'A map of all the cranes.',
  },
  mei: { '/Estimates/Spring.csv': 'task,hours\nHull,12\nMast,7\n' },
  lena: {
    '/Survey/North ridge.csv': 'point,height\n1,412.6\n2,418.1\n',
    '/Survey/South ridge.csv': 'point,height\n1,388.0\n',
    '/Field book.txt': 'Rain until noon.',
  },
};

const topics = ['Budget', 'Hiring', 'The crane', 'Photos', 'Lease'];
const extensions = ['txt', 'md', 'txt', 'md', 'txt', 'csv'];

/** Notes of meetings, one a week. */
const meetings = Array.from({ length: 28 }, (_one, week) => {
  const date = new Date(start + week * 7 * day).toISOString().slice(0, 10);
  const extension = extensions[week % extensions.length] ?? 'txt';
  const [topic, next] = [topics[week % 5] ?? '', topics[(week * 3 + 1) % 5] ?? ''];
  return [`/Meetings/${date} Weekly.${extension}`, `${topic}: done.\n${next}: next week.`] as const;
});

const incoming: Call['incoming'] = {
  ...{ method: 'POST', path: '', params: {}, headers: {} },
  ...{ query: new URLSearchParams(), bytes: Buffer.alloc(0) },
};

const callOf = (service: Service, account: Account): Call => ({
  ...{ incoming, service, account },
  root: { home: account, folder: undefined, canWrite: true },
});

function fillHome(call: Call, own: readonly (readonly [string, string | readonly string[]])[]) {
  for (const [number, [path, contents]] of own.entries()) {
    const place = tree.placeAt(call, path, 'path');
    const file = tree.create(call, place, 'file');
    for (const [at, one] of [contents].flat().entries()) {
      const client_modified = start + number * 7 * day + at * 3 * day;
      const server_modified = client_modified + 95_000;
      tree.write(call, file, { contents: one, client_modified, server_modified });
    }
  }
}

function share(service: Service, item: Item, roles: ReadonlyMap<Account, string>): SharedFolder {
  const folder = addFolder(service, item);
  for (const [account, role] of roles) folder.members.set(account, role);
  return folder;
}

/** The records of both teams. */
export function fill(service: Service): void {
  const accounts = Object.fromEntries(
    people.map(({ key, name, team, ...rest }) => {
      const account_id = { ...accountIds, tomas: '', greta: '', piet: '' }[key];
      const host = team.split(' ')[0]?.toLowerCase() ?? '';
      const account: Account = {
        account_id: account_id === '' ? `acc:NTg0Yz${key.slice(0, 2)}` : account_id,
        ...{ email: `${key}@${host}.example`, display_name: name, team },
        isAdmin: 'isAdmin' in rest,
        ...{ items: new Map(), gone: new Map() },
      };
      service.accounts.push(account);
      return [key, account];
    }),
  ) as Record<Key, Account>;
  for (const [key, token] of Object.entries(tokens))
    service.people.set(token, accounts[key as keyof typeof tokens]);
  for (const { key } of people) {
    const own = Object.entries(files[key] ?? {});
    const all = key === 'nadia' ? [...meetings, ...own] : own;
    fillHome(callOf(service, accounts[key]), all);
  }
  const { nadia, ivo, mei, lena, piet } = accounts;
  const call = callOf(service, nadia);
  tree.create(call, tree.placeAt(call, '/Empty', 'path'), 'folder');
  fillHome(call, [
    ['/Reports/Draft.md', ['# Draft', '# Second draft']],
    ['/old notes.txt', 'Not needed any more.'],
  ]);
  for (const path of ['/Reports/Draft.md', '/old notes.txt'])
    tree.discard(call, tree.lookUp(call, path, 'path'));
  const itemAt = (path: string, of = nadia): Item => {
    return tree.lookUp(callOf(service, of), path, 'path');
  };
  share(service, itemAt('/Contracts'), new Map([...([[ivo, 'editor']] as const), [mei, 'viewer']]));
  share(service, itemAt('/Designs', ivo), new Map([[nadia, 'viewer']]));
  share(service, itemAt('/Survey', lena), new Map([[piet, 'editor']]));
  itemAt('/Reports/2025/Q4.md').tags = ['final', 'board'];
  itemAt('/Reports/Figures.csv').tags = ['board'];
  itemAt('/Survey', lena).tags = ['field'];
  const plain = { password: undefined, expires: undefined, allow_download: true };
  for (const path of ['/Reports', '/Reports/2025/Q4.md', '/Photos', '/Templates/Letter.txt'])
    addLink(call, itemAt(path), { ...plain, visibility: 'public' });
  const until = { expires: Date.UTC(2031, 0, 1), allow_download: false };
  addLink(call, itemAt('/Contracts'), { ...plain, ...until, visibility: 'team_only' });
  const word = { visibility: 'password', password: 'herring' };
  addLink(call, itemAt('/todo.md'), { ...plain, ...word });
  addLink(callOf(service, lena), itemAt('/Survey', lena), { ...plain, visibility: 'team_only' });
}
