import type { Json } from '../serving/requests.ts';
import { associate } from './associations.ts';
import type { Call } from './call.ts';
import { defineAll, pipelines } from './definitions.ts';
import { newRow, tokens, type ObjectType, type Portal, type Row, type Service } from './store.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 12, 8, 30);

interface Seeds {
  readonly owners: readonly string[];
  readonly companies: readonly string[];
  readonly contacts: number;
  readonly deals: number;
  readonly tasks: number;
}

const brewery: Seeds = {
  owners: ['Ines Albrecht', 'Jonah Reyes', 'Priya Nair', 'Walt Ferris'],
  companies: [
    'Alder Hotels/hospitality/420/Graz',
    'Bright Tiles/construction/38/Porto',
    'Coast Academy/education/96/Cork',
    'Dune Software/software/1250/Lyon',
    'Elm & Daughters/retail/9/Graz',
    'Fjord Outdoor/retail/210/Bergen',
    'Gable Roofing/construction/64/Cork',
  ],
  contacts: 36,
  deals: 15,
  tasks: 8,
};

const north: Seeds = {
  owners: ['Signe Holm', 'Aksel Berg'],
  companies: ['Harbour Clinic/software/75/Oslo', 'Inlet Foods/retail/30/Bodø'],
  contacts: 6,
  deals: 3,
  tasks: 2,
};

const first = ['Mara', 'Theo', 'Anouk', 'Luis', 'Freya', 'Omar', 'Zoë', 'Piet', 'Sena'];
const last = ['Quint', 'Valdez', 'Osei', 'Lindgren', 'Marchetti', 'Dahl', 'Kowal'];
const stages = ['subscriber', 'lead', 'lead', 'opportunity', 'customer'];
const jobs = ['Head of purchasing', 'Sales manager', 'Owner', 'Events manager', 'Engineer'];
const amounts = ['1200', '860.5', '15000', '99.95', '4300', '700', '23500.25'];

/** The entry of a list that is repeated. */
const at = <T>(list: readonly T[], place: number): T => list[place % list.length] as T;

const ascii = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[^\w ]/g, '')
    .replaceAll(/ +/g, '-')
    .toLowerCase();

interface Filling {
  readonly service: Service;
  readonly portal: Portal;
}

/** A new record; values that are empty are left out. */
function add({ service, portal }: Filling, type: ObjectType, days: number, values: Json): Row {
  const row = newRow(service, type, start + days * day + days * 61_003);
  for (const [name, value] of Object.entries(values))
    if (value !== '') row.values.set(name, String(value));
  row.firstStage = row.values.get('dealstage');
  portal.rows.push(row);
  return row;
}

function addCompany(filling: Filling, text: string, place: number): Row {
  const [name = '', industry, employees, city] = text.split('/');
  const domain = `${ascii(name)}.example`;
  const owner_id = at(filling.portal.owners, place % 3).id;
  const values = { name, domain, industry, employees, city, owner_id };
  return add(filling, 'companies', place, values);
}

function addContact(filling: Filling, companies: readonly Row[], place: number): Row {
  const company = at(companies, place);
  const [firstname, lastname] = [at(first, place), at(last, place)];
  const host = company.values.get('domain') ?? '';
  return add(filling, 'contacts', 10 + place, {
    ...{ firstname, lastname, email: `${ascii(firstname)}.${ascii(lastname)}@${host}` },
    phone: place % 4 === 0 ? '' : `+43 316 55${String(1_000 + place * 37)}`,
    jobtitle: at(jobs, place * 3),
    city: place % 3 === 0 ? '' : company.values.get('city'),
    birthday: place % 5 === 2 ? `19${String(60 + place)}-0${String(1 + (place % 9))}-17` : '',
    score: place % 4 === 3 ? '' : (place * 37) % 110,
    opted_in: place % 2 === 0,
    interests: at(['', 'product', 'webinars;events', 'training'], place),
    lifecyclestage: at(stages, place),
    owner_id: at(filling.portal.owners, place % 2).id,
  });
}

function addDeal(filling: Filling, place: number): Row {
  const pipeline = at(pipelines, place % 4 === 3 ? 1 : 0);
  const stage = at(pipeline.stages, place);
  const closedate = new Date(start + (60 + place * 4) * day).toISOString();
  return add(filling, 'deals', 50 + place, {
    dealname: `${at(['Annual plan', 'Pilot', 'Extension'], place)} ${String(2_026 + (place % 2))}`,
    ...{ pipeline: pipeline.id, dealstage: stage.id, amount: at(amounts, place) },
    closedate: stage.isClosed || place % 2 === 0 ? closedate : '',
    deal_type: at(['newbusiness', 'existingbusiness', ''], place),
    owner_id: at(filling.portal.owners, place % 2).id,
  });
}

function addTask(filling: Filling, place: number): Row {
  const status = at(['NOT_STARTED', 'COMPLETED', 'IN_PROGRESS'], place);
  const due = new Date(start + (120 + place * 3) * day).toISOString();
  return add(filling, 'tasks', 70 + place, {
    subject: at(['Call back', 'Send the offer', 'Invite to the webinar'], place),
    ...{ due, status, priority: at(['HIGH', 'LOW', ''], place) },
    completed_at: status === 'COMPLETED' ? due : '',
  });
}

function fillPortal(service: Service, seeds: Seeds, host: string): Portal {
  const portal: Portal = {
    ...{ definitions: defineAll(start), pipelines, owners: [], rows: [], links: [] },
  };
  for (const [place, name] of seeds.owners.entries()) {
    const [firstName = '', lastName = ''] = name.split(' ');
    const email = `${ascii(firstName)}@${host}`;
    const archived = place === 3;
    portal.owners.push({ id: service.newId(), email, firstName, lastName, archived });
  }
  const filling = { service, portal };
  const companies = seeds.companies.map((text, place) => addCompany(filling, text, place));
  const many = <T>(count: number, make: (place: number) => T): T[] =>
    Array.from({ length: count }, (_one, place) => make(place));
  const contacts = many(seeds.contacts, (place) => addContact(filling, companies, place));
  const deals = many(seeds.deals, (place) => addDeal(filling, place));
  const tasks = many(seeds.tasks, (place) => addTask(filling, place));
  const call = { service, portal } as Call;
  for (const [place, contact] of contacts.entries()) {
    if (place % 6 === 5) continue;
    associate(call, contact, at(companies, place));
    if (place < deals.length) associate(call, contact, at(deals, place));
    if (place < tasks.length) associate(call, at(tasks, place), contact);
  }
  for (const [place, deal] of deals.entries()) associate(call, deal, at(companies, place));
  for (const contact of contacts.filter((_one, place) => place % 17 === 5)) {
    contact.archivedAt = contact.createdAt + day;
    portal.links = portal.links.filter(({ from, to }) => from !== contact && to !== contact);
  }
  return portal;
}

const both = (name: string): string[] => [`crm.${name}.read`, `crm.${name}.write`];

/** The records of both portals, and their private apps. */
export function fill(service: Service): void {
  const portal = fillPortal(service, brewery, 'lantern-brewery.example');
  const second = fillPortal(service, north, 'northern-lab.example');
  service.portals.push(portal, second);
  const all = ['objects.contacts', 'objects.companies', 'objects.deals', 'schemas'].flatMap(both);
  const scopes = [...all, 'crm.objects.owners.read'];
  const reads = scopes.filter((one) => one.endsWith('.read'));
  service.apps
    .set(tokens.growth, { portal: portal, scopes })
    .set(tokens.dashboard, { portal: portal, scopes: reads })
    .set(tokens.newsletter, { portal: portal, scopes: both('objects.contacts') })
    .set(tokens.northern, { portal: second, scopes });
}
