import type { Call } from './call.ts';
import { addLink } from './links.ts';
import { addFolder } from './sharing.ts';
import { tokens, type Account, type Item, type Service } from './store.ts';
import * as tree from './tree.ts';

const day = 86_400_000;
const start = Date.UTC(2025, 8, 1, 9, 30);

const people = {
  nadia: ['Nadia Okafor', 'Harbor Studio', 'NTg0YzAx'],
  ivo: ['Ivo Brandt', 'Harbor Studio', 'NTg0YzAy'],
  mei: ['Mei Tanaka', 'Harbor Studio', 'NTg0YzAz'],
  greta: ['Greta Solberg', 'Harbor Studio', 'NTg0YzA0'],
  lena: ['Lena Visser', 'Fell Surveyors', 'N2IxOWYx'],
  piet: ['Piet Moor', 'Fell Surveyors', 'N2IxOWYy'],
} as const;

type Key = keyof typeof people;

/** Paths and contents; a list has the contents of several revisions. */
const files: Partial<Record<Key, Readonly<Record<string, string | readonly string[]>>>> = {
  nadia: {
    '/Read me.txt': 'Where things are, and who keeps them.',
    '/todo.md': ['- lease', '- lease\n- report', '- lease\n- report\n- photos of the quay'],
    '/Reports/2025/Q1.md': '# First quarter\nRevenue 41,200. Two new clients.',
    '/Reports/2025/Q2.md': '# Second quarter\nRevenue 39,870. The theatre signed.',
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
  const [topic, next] = [topics[week % 5] ?? '', topics[(week * 3 + 1) % 5] ?? ''];
  const path = `/Meetings/${date} Weekly.${extensions[week % 6] ?? 'txt'}`;
  return [path, `${topic}: done.\n${next}: next week.`] as const;
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
    const file = tree.create(call, tree.placeAt(call, path, 'path'), 'file');
    for (const [at, one] of [contents].flat().entries()) {
      const client_modified = start + number * 7 * day + at * 3 * day;
      const server_modified = client_modified + 95_000;
      tree.write(call, file, { contents: one, client_modified, server_modified });
    }
  }
}

function newAccount(key: Key): Account {
  const [display_name, team, id] = people[key];
  const host = team.split(' ')[0]?.toLowerCase() ?? '';
  return {
    ...{ account_id: `acc:${id}`, email: `${key}@${host}.example`, display_name, team },
    ...{ isAdmin: key === 'nadia' || key === 'lena', items: new Map(), gone: new Map() },
  };
}

/** The records of both teams. */
export function fill(service: Service): void {
  const calls = Object.fromEntries(
    Object.keys(people).map((key) => [key, callOf(service, newAccount(key as Key))]),
  ) as Record<Key, Call>;
  for (const [key, call] of Object.entries(calls)) {
    service.accounts.push(call.account);
    const token = Object.hasOwn(tokens, key) ? tokens[key as keyof typeof tokens] : undefined;
    if (token !== undefined) service.people.set(token, call.account);
    if (key === 'nadia') fillHome(call, meetings);
    fillHome(call, Object.entries(files[key as Key] ?? {}));
  }
  const { nadia, ivo, mei, lena, piet } = calls;
  tree.create(nadia, tree.placeAt(nadia, '/Empty', 'path'), 'folder');
  const old = { '/Reports/Draft.md': ['# Draft', '# Second'], '/old notes.txt': 'Not needed.' };
  fillHome(nadia, Object.entries(old));
  const itemAt = (path: string, call = nadia): Item => tree.lookUp(call, path, 'path');
  for (const path of Object.keys(old)) tree.discard(nadia, itemAt(path));
  const { members } = addFolder(service, itemAt('/Contracts'));
  members.set(ivo.account, 'editor').set(mei.account, 'viewer');
  addFolder(service, itemAt('/Designs', ivo)).members.set(nadia.account, 'viewer');
  addFolder(service, itemAt('/Survey', lena)).members.set(piet.account, 'editor');
  itemAt('/Reports/2025/Q4.md').tags = ['final', 'board'];
  itemAt('/Reports/Figures.csv').tags = ['board'];
  const plain = { password: undefined, expires: undefined, allow_download: true };
  for (const path of ['/Reports', '/Reports/2025/Q4.md', '/Photos', '/Templates/Letter.txt'])
    addLink(nadia, itemAt(path), { ...plain, visibility: 'public' });
  const until = { expires: Date.UTC(2031, 0, 1), allow_download: false };
  addLink(nadia, itemAt('/Contracts'), { ...plain, ...until, visibility: 'team_only' });
  addLink(nadia, itemAt('/todo.md'), { ...plain, visibility: 'password', password: 'herring' });
  addLink(lena, itemAt('/Survey', lena), { ...plain, visibility: 'team_only' });
}
