import { randomBytes } from 'node:crypto';
import { choose, type Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export type Status = 'open' | 'pending' | 'closed' | 'merged';

export interface Ticket {
  readonly id: number;
  subject: string;
  body: string;
  status: Status;
  priority: number;
  queueId: number;
  readonly customerId: number;
  readonly creator: string;
  assignee: string;
  tags: string[];
  created: number;
  updated: number;
  closedAt: number | null;
  mergedInto: number | null;
  version: number;
}

export interface Reply {
  readonly id: number;
  ticketId: number;
  readonly author: string;
  readonly text: string;
  readonly internal: boolean;
  readonly minutes: number;
  readonly created: number;
}

export interface Customer {
  readonly id: number;
  name: string;
  email: string;
  company: string;
  vip: boolean;
  readonly created: number;
}

export interface Queue {
  readonly id: number;
  name: string;
  defaultPriority: number;
  active: boolean;
}

export interface Macro {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly shared: boolean;
  readonly owner: string;
}

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly tickets: Map<number, Ticket>;
  readonly replies: Map<number, Reply>;
  readonly customers: Map<number, Customer>;
  readonly queues: Map<number, Queue>;
  readonly macros: Map<number, Macro>;
  /** By the value of the cookie, the login of its agent. */
  readonly sessions: Map<string, string>;
  /** By agent and request_key, the id of the ticket. */
  readonly requestKeys: Map<string, number>;
  /** Tickets that are shown though they are deleted. */
  readonly ghosts: Ticket[];
  readonly nextId: (kind: string) => number;
  requests: number;
}

interface Agent {
  readonly name: string;
  readonly password: string;
}

export const agents: Readonly<Record<string, Agent>> = {
  ines: { name: 'Ines Falk', password: 'Winter-Desk-77' },
  tomas: { name: 'Tomás Ruiz', password: 'Harbour+Light=9' },
  mira: { name: 'Mira Øst', password: 'quiet&Forest%21' },
};

/** Sessions that are open at the start. */
export const standing = {
  ines: '5f1c0a7be3d94426a1b7c0d2e8f93a10',
  tomas: 'c29e71d4406b4f0f9d35ab8816e2f7c4',
} as const;

/** The records at the start. */
export function openDesk({ defect, variant }: Start): Service {
  const has = choose('defect', defectNames, defect);
  const varies = choose('variant', variantNames, variant);
  const isApart = varies('ids-far-apart');
  const last: Record<string, number> = isApart
    ? {}
    : { ticket: 984, reply: 4000, customer: 30, queue: 0 };
  const service: Service = {
    has,
    varies,
    tickets: new Map(),
    replies: new Map(),
    customers: new Map(),
    queues: new Map(),
    macros: new Map(),
    sessions: new Map(Object.entries(standing).map(([login, value]) => [value, login])),
    requestKeys: new Map(),
    ghosts: [],
    nextId: (kind) => (last[kind] = (last[kind] ?? (isApart ? 70_000 : 600)) + (isApart ? 7 : 1)),
    requests: 0,
  };
  fill(service);
  return service;
}

export function openSession({ sessions, varies }: Service, login: string): string {
  const value = randomBytes(varies('cookie-is-long') ? 64 : 16).toString('hex');
  sessions.set(value, login);
  return value;
}

/** A moment to the second, as the service keeps them. */
export const now = (): number => Math.floor(Date.now() / 1000) * 1000;

export function addTicket(
  service: Service,
  fields: Pick<Ticket, 'subject' | 'body' | 'queueId' | 'customerId' | 'creator'> & Partial<Ticket>,
): Ticket {
  const created = fields.created ?? now();
  const ticket: Ticket = {
    id: service.nextId('ticket'),
    status: 'open',
    priority: 3,
    assignee: '',
    tags: [],
    created,
    updated: created,
    closedAt: null,
    mergedInto: null,
    version: 1,
    ...fields,
  };
  service.tickets.set(ticket.id, ticket);
  return ticket;
}

function fill(service: Service): void {
  const { customers, queues, macros, replies, nextId } = service;
  for (const [name, defaultPriority, active] of [
    ['Support', 3, true],
    ['Billing', 2, true],
    ['Outages', 5, true],
    ['Fax', 1, false],
  ] as const) {
    const id = nextId('queue');
    queues.set(id, { id, name, defaultPriority, active });
  }
  const people = [
    'Ada Brandt',
    'Bo Lindqvist',
    'Chiara Neri',
    'Dov Katz',
    'Elif Aydın',
    'Finn Ó Sé',
  ];
  for (const [at, name] of [...people, 'Grete Holm', 'Hugo Prat'].entries()) {
    const id = nextId('customer');
    const email = `${name.split(' ')[0]?.toLowerCase() ?? ''}@client-${String(at)}.example`;
    const created = Date.UTC(2025, at, 3, 9, 30);
    customers.set(id, {
      id,
      name,
      email,
      company: at % 2 ? 'Nordlys AS' : '',
      vip: at === 2,
      created,
    });
  }
  const topics = ['Printer', 'Invoice', 'Login', 'Backup'];
  for (let at = 0; at < 24; at += 1) {
    const status = (['open', 'pending', 'closed', 'open'] as const)[at % 4] ?? 'open';
    const created = Date.UTC(2026, 0, 5 + ((at * 7) % 40), 8, at);
    const ticket = addTicket(service, {
      subject: `${topics[at % 4] ?? ''} trouble ${String(at + 1)}`,
      body: at % 3 === 0 ? 'It worked yesterday.' : 'Please have a look at this.',
      status,
      priority: (at % 5) + 1,
      queueId: [...queues.keys()][at % 3] ?? 1,
      customerId: [...customers.keys()][at % 7] ?? 1,
      creator: at % 2 ? 'ines' : 'tomas',
      assignee: ['', 'ines', 'tomas', 'mira'][at % 4] ?? '',
      tags: at % 3 === 0 ? ['hardware', 'urgent'] : [],
      created,
      updated: created + 3_600_000,
      closedAt: status === 'closed' ? created + 3_600_000 : null,
    });
    if (at % 2 === 0) continue;
    const id = nextId('reply');
    const text = 'We are on it.';
    const [author, internal] = ['ines', at % 4 === 1];
    replies.set(id, { id, ticketId: ticket.id, author, text, internal, minutes: at, created });
  }
  for (const [at, owner] of ['ines', 'ines', 'tomas', 'tomas'].entries()) {
    const id = nextId('macro');
    const title = ['Greeting', 'Ask for a log', 'Refund', 'Goodbye'][at] ?? '';
    macros.set(id, { id, title, text: `${title}: dear customer, …`, shared: at % 2 === 0, owner });
  }
}

/** Another agent makes a ticket. */
export function addElsewhere(service: Service): void {
  const customerId = [...service.customers.keys()][7] ?? 0;
  const [queueId = 0] = service.queues.keys();
  const text = 'Walk-in at the counter';
  addTicket(service, { subject: text, body: text, queueId, customerId, creator: 'mira' });
}
