import { addBase, addRecord, type Base, type Rec, type Service } from './store.ts';
import { tables, type TableName } from './tables.ts';

const first =
  'Aino Bram Clara Dario Elif Frida Goran Hedda Ivo Jana Kofi Lena Mika Nuria Olof Petra Rosa Sami';
const last = ['Aalto', 'Bakker', 'Costa', 'Dahlberg', 'Eklund'];
const clients = ['Harbour Museum', 'Fjord Ferries', 'Oat & Co', 'City Library', 'Lumen Bikes'];
const works = ['website', 'annual report', 'campaign', 'brand book', 'exhibition film'];
const steps = ['Brief', 'Sketches', 'Draft', 'Review', 'Proofs', 'Delivery', 'Invoice'];
const words = ['Waiting for the client.', 'Looks good to me.', 'The files are in the folder.'];

const dayOf = (day: number): string =>
  new Date(Date.UTC(2026, 0, 5 + day)).toISOString().slice(0, 10);

const choiceOf = (table: TableName, name: string, at: number): string | undefined => {
  const { choices = [] } = tables[table].fields[name] ?? {};
  return choices[at % choices.length];
};

/** Adds a record with those of the fields that have a value. */
function add(service: Service, [base, table]: readonly [Base, TableName], fields: object): Rec {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const record = addRecord(service, base, table);
  const created = Date.UTC(2026, 0, 2) + base.records[table].size * 5_400_000;
  const all = { ...record, created, fields: Object.fromEntries(given) as Rec['fields'] };
  all.firstHours = all.fields['Hours'];
  base.records[table].set(all.id, all);
  return all;
}

/** So many projects, tasks and people. */
function fillBase(service: Service, base: Base, [many, few]: readonly [number, number]): void {
  const people = first
    .split(' ')
    .slice(-few)
    .map((name, at) => {
      const family = last[at % 5] ?? '';
      return add(service, [base, 'people'], {
        ...{
          Name: `${name} ${family}`,
          Email: `${name}.${family}@northlight.example`.toLowerCase(),
        },
        ...{
          Role: choiceOf('people', 'Role', at),
          Active: at % 4 !== 3,
          Rate: 60 + (at % 6) * 7.5,
        },
      });
    });
  const projects = Array.from({ length: many }, (_, at) =>
    add(service, [base, 'projects'], {
      Name: `${clients[at % 5] ?? ''} ${works[(at * 3 + Math.floor(at / 5)) % 5] ?? ''}`,
      Code: at % 6 === 4 ? undefined : `NL-${String(101 + at)}`,
      Status: at % 9 === 7 ? undefined : choiceOf('projects', 'Status', at * 3 + 1),
      Budget: at % 5 === 3 ? undefined : 4000 + ((at * 7) % 11) * 1250,
      Start: dayOf(at * 6),
      End: at % 4 === 2 ? undefined : dayOf(at * 6 + 30 + (at % 3) * 10),
      Tags: [0, 2].slice(0, at % 3).map((more) => choiceOf('projects', 'Tags', at + more)),
    }),
  );
  for (let at = 0; at < many * 2; at += 1) {
    const owners = [people[at % few], people[(at * 3 + 1) % few]].slice(0, at % 3);
    const ids = new Set(owners.map((one) => one?.id ?? ''));
    const task = add(service, [base, 'tasks'], {
      Name: `${steps[at % 7] ?? ''} ${String(Math.floor(at / 7) + 1)}`,
      Notes: at % 5 === 0 ? words[at % 3] : undefined,
      ...{ Done: at % 4 === 0, Priority: choiceOf('tasks', 'Priority', at * 2 + 1) },
      ...{ Hours: at % 7 === 5 ? undefined : 2 + (at % 8) * 1.5, Due: dayOf(at * 4 + 9) },
      Project: at % 8 === 6 ? [] : [projects[at % many]?.id],
      Assignees: [...ids],
    });
    task.archived = at % 13 === 12;
    for (let index = 0; index < at % 4; index += 1) {
      const created = task.created + 3_600_000 * (index + 1);
      const text = words[(at + index) % 3] ?? '';
      task.comments.push({ id: service.newId('com'), author: 'hanna', text, created });
      task.commentsEver += 1;
    }
  }
}

/** The records at the start. */
export function fill(service: Service): void {
  const studio = addBase(service, { name: 'Studio', owner: 'hanna', readers: ['milo'] });
  fillBase(service, studio, [24, 18]);
  const partners = addBase(service, { name: 'Partners', owner: 'hanna', readers: [] });
  fillBase(service, partners, [12, 8]);
}
