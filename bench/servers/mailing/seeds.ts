import * as store from './store.ts';

const first =
  'Astrid Bjarne Carmen Dagfinn Eva Farid Gro Halvard Ingunn Jonas Kari Lars Marit Nils Oda Per';
const last = ['Berg', 'Dahl', 'Ek', 'Foss', 'Hagen'];

/** Members from these names on, of all statuses. */
function addPeople(service: store.Service, list: store.List, names: string[], host: string): void {
  const rest = ['unsubscribed', 'cleaned', 'pending', 'archived'] as const;
  for (const [at, FNAME] of names.entries()) {
    const LNAME = last[at % 5] ?? '';
    const signup = Date.UTC(2025, 2 + (at % 7), 1 + ((at * 11) % 27), 7 + at, 15, at);
    const status = at % 3 === 2 ? (rest[Math.floor(at / 3) % 4] ?? 'pending') : 'subscribed';
    const tag = at % 8 === 0 ? 'Regulars' : 'Market';
    store.addMember(service, list, {
      email_address: `${FNAME}.${LNAME}@${host}`.toLowerCase(),
      status,
      values: { FNAME, LNAME },
      email_type: at % 4 === 1 ? 'text' : 'html',
      language: at % 5 === 3 ? 'nb' : 'en',
      vip: at % 6 === 0,
      tags: at % 4 === 0 ? [store.tagOf(service, list, tag).id] : [],
      timestamp_signup: signup,
      timestamp_opt: status === 'pending' ? null : signup + 3_600_000,
      last_changed: signup + 3_600_000 + 86_400_000 * (at % 4),
    });
  }
}

/** The records at the start. */
export function fill(service: store.Service): void {
  const lists = [
    ['harbour', 'Bakery News', 0, 16],
    ['harbour', 'Bread Courses', 4, 9],
    ['harbour', 'Staff', 0, 2],
    ['tern', 'Birdwatchers', 2, 12],
    ['tern', 'Boat Tours', 9, 15],
  ] as const;
  for (const [at, [account, name, from, to]] of lists.entries()) {
    const isTern = account === 'tern';
    const [company, address1] = isTern ? ['Tern Tours', 'Pier 2'] : ['Harbour Bakery', 'Quay 7'];
    const [city, country] = isTern ? ['Leith', 'GB'] : ['Bergen', 'NO'];
    const contact = { company, address1, city, country };
    const from_email = `news@${account}.example`;
    const campaign_defaults = { from_name: company, from_email, subject: '', language: 'en' };
    const permission_reminder = isTern ? 'You went on a tour.' : 'You signed up in our bakery.';
    const created = Date.UTC(2025, 0, 4 + at * 9, 10, at * 5);
    const texts = { name, permission_reminder, visibility: isTern ? 'prv' : 'pub' };
    const fields = { ...texts, contact, campaign_defaults };
    const list = store.addList(service, { account, created, fields });
    addPeople(service, list, first.split(' ').slice(from, to), `${account}-post.example`);
    if (at % 3 === 0)
      store.addField(service, list, { tag: 'BDAY', name: 'Birthday', type: 'date' });
    for (const [step, title] of ['Spring', 'Summer'].entries()) {
      if (at % 3 === 2) continue;
      const isSent = step === 0;
      const sendTime = isSent ? created + 86_400_000 * 30 : null;
      const texts2 = { subject_line: `${title} at ${company}`, preview_text: '', title };
      store.addCampaign(service, {
        ...{ account, type: isSent ? 'regular' : 'plaintext', list, segment: undefined },
        settings: { ...texts2, from_name: company, reply_to: from_email },
        created: created + 86_400_000 * (20 + step * 15),
        ...{ status: isSent ? 'sent' : 'save', sendTime, emails_sent: isSent ? 4 : 0 },
      });
      list.lastSent ??= sendTime;
    }
  }
}
