import { describe, expect, test } from 'vitest';
import { type Crud, crud, type Row, shown } from './fixture/crud/crud.ts';
import type { Answered } from './fixture/inline-service.ts';
import { noticeEach } from './fixture/notice-each.ts';

/** What the descriptions of the contract say. */
interface Said {
  readonly unique?: string;
  readonly tags?: string;
  readonly list?: string;
}

/** What the service does wrong, or otherwise than most. */
type Trait =
  | 'email-not-unique'
  | 'email-by-case'
  | 'email-free-on-change'
  | 'conflict-is-400'
  | 'default-is-pro'
  | 'default-left-out'
  | 'status-taken'
  | 'visits-taken-on-change'
  | 'read-only-refused'
  | 'tags-sorted'
  | 'by-creation'
  | 'fee-as-text'
  | 'fee-above'
  | 'joined-from'
  | 'any-tag'
  | 'last-tag';

const plan = { type: 'string', enum: ['free', 'pro'] };
const fee = { type: 'string', pattern: '^[0-9]{1,6}\\.[0-9]{2}$' };
const date = { type: 'string', format: 'date' };
const tag = { type: 'string', pattern: '^[a-z]{1,20}$' };

type Traits = ReadonlySet<Trait>;

/** Members of a club, whose rules stand in descriptions. */
function members(given: readonly Trait[], said: Said = {}): Crud {
  const traits: Traits = new Set(given);
  const {
    unique = 'The email is unique, compared without regard to upper and lower case.',
    tags = 'In the order of the request.',
    list = 'In the order of their names.',
  } = said;
  const plain = (email: unknown): string =>
    traits.has('email-by-case') ? String(email) : String(email).toLowerCase();
  return crud(
    {
      Member: {
        fields: {
          email: { type: 'string', format: 'email', example: 'kim@club.example' },
          name: { type: 'string', minLength: 1, maxLength: 60, example: 'Kim' },
          plan: { ...plan, default: 'free' },
          fee: { ...fee, default: '5.00', example: '12.50' },
          note: { type: ['string', 'null'], maxLength: 60, default: null, example: 'Plays chess' },
          joinedOn: { ...date, default: '2020-01-01', example: '2024-03-01' },
          tags: {
            type: 'array',
            default: [],
            maxItems: 3,
            uniqueItems: true,
            description: tags,
            items: tag,
            example: ['swimmer', 'chess'],
          },
          status: shown({ type: 'string', enum: ['active', 'closed'], example: 'active' }),
          visits: shown({ type: 'integer', minimum: 0, example: 3 }),
        },
        optional: ['plan', 'fee', 'note', 'joinedOn', 'tags'],
        changeable: ['email', 'name'],
        can: 'list create read update delete',
        says: { list, create: unique },
        refuses: { create: { 409: 'It cannot be added.' }, update: { 409: 'Taken' } },
        query: {
          plan,
          minFee: { ...fee, description: 'Only members who pay this fee or more.' },
          joinedAfter: {
            ...date,
            description: 'Only members who joined after this date; not on the date itself.',
          },
          tag: {
            type: 'array',
            maxItems: 3,
            items: tag,
            description: 'Only members who have all of these tags.',
          },
        },
      },
    },
    () => ({
      refuse: {
        members: ({ email }, others, before) => {
          const isTaken = others.some((one) => plain(one['email']) === plain(email));
          if (!isTaken || traits.has('email-not-unique')) return undefined;
          if (traits.has('email-free-on-change') && before !== undefined) return undefined;
          return traits.has('conflict-is-400') ? 400 : 409;
        },
      },
      made: {
        members: (row, sent) => {
          const status = traits.has('status-taken') && 'status' in sent ? sent['status'] : 'active';
          Object.assign(row, { status, visits: 0 });
          if ('plan' in sent) return;
          if (traits.has('default-is-pro')) row['plan'] = 'pro';
          if (traits.has('default-left-out')) delete row['plan'];
        },
      },
      changed: {
        members: (row, { visits }) => {
          const isTaken = traits.has('visits-taken-on-change') && visits !== undefined;
          if (isTaken) Object.assign(row, { visits });
        },
      },
      find: { members: (row, query) => isFound(row, query, traits) },
      show: {
        members: ({ tags: own, ...row }) => ({
          ...row,
          tags: traits.has('tags-sorted') ? (own as string[]).toSorted() : own,
        }),
      },
      on: {
        listMembers: ({ sound }) => {
          const { status, json } = sound();
          if (traits.has('by-creation') || !Array.isArray(json)) return undefined;
          const nameOf = (row: unknown): string => String((row as Row)['name']);
          const order = (left: unknown, right: unknown): number =>
            nameOf(left) < nameOf(right) ? -1 : Number(nameOf(left) > nameOf(right));
          return { status, json: json.toSorted(order) };
        },
        createMember: ({ sent }) => refusal(sent, traits),
        updateMember: ({ sent }) => refusal(sent, traits),
      },
    }),
  );
}

function refusal(sent: unknown, traits: Traits): Answered | undefined {
  const names = ['id', 'status', 'visits'];
  const hasSuch = names.some((name) => Object.hasOwn(Object(sent) as object, name));
  return traits.has('read-only-refused') && hasSuch ? { status: 400 } : undefined;
}

/** Whether a list with these parameters has a member. */
function isFound(row: Row, query: URLSearchParams, traits: Traits): boolean {
  const [ownPlan, least, after] = ['plan', 'minFee', 'joinedAfter'].map((name) => query.get(name));
  const tags = query.getAll('tag');
  const [paid, joined, own] = [
    String(row['fee']),
    String(row['joinedOn']),
    row['tags'] as string[],
  ];
  const expected = traits.has('last-tag') ? tags.slice(-1) : tags;
  const has = (one: string): boolean => own.includes(one);
  const isBound = typeof after === 'string';
  return (
    (ownPlan === null || row['plan'] === ownPlan) &&
    (typeof least !== 'string' || paysEnough(paid, least, traits)) &&
    (!isBound || joined > after || (traits.has('joined-from') && joined === after)) &&
    (traits.has('any-tag') && tags.length > 0 ? tags.some(has) : expected.every(has))
  );
}

function paysEnough(paid: string, least: string, traits: Traits): boolean {
  if (traits.has('fee-as-text')) return paid >= least;
  return traits.has('fee-above') ? Number(paid) > Number(least) : Number(paid) >= Number(least);
}

const told = (traits: readonly Trait[], said?: Said): Promise<string[]> =>
  members(traits, said).alarms();

describe('a service that does what its descriptions say', () => {
  test.each<[string, readonly Trait[], Said]>([
    ['as most do', [], {}],
    ['and refuses read-only fields', ['read-only-refused'], {}],
    [
      'and takes one email twice, if nothing calls it unique',
      ['email-not-unique'],
      { unique: 'Adds a member.' },
    ],
    [
      'and tells emails apart by case, if nothing says otherwise',
      ['email-by-case'],
      { unique: 'The email is unique.' },
    ],
    [
      'and lets an email repeat that need not be unique',
      ['email-not-unique'],
      { unique: 'The email is not unique.' },
    ],
    ['and keeps tags as a set', ['tags-sorted'], {}],
    ['and lists in any order, if nothing states one', ['by-creation'], { list: 'All members.' }],
  ])('has no finding: %s', async (_name, traits, said) => {
    expect(await told(traits, said)).toEqual([]);
  });
});

describe('each defect of a field is reported by its check', () => {
  noticeEach<Trait>(
    '%s',
    [
      [
        [
          'email-not-unique',
          /^error unique-is-kept createMember: The server accepted \(201\) the email of another record/,
        ],
        [
          'default-left-out',
          /^error default-is-applied createMember: A record that was sent without plan has none; the contract states the default "free"\.$/,
        ],
        [
          'status-taken',
          /^error read-only-is-ignored createMember: The server took status from a request: the record has "closed"/,
        ],
        [
          'visits-taken-on-change',
          /^error read-only-is-ignored updateMember: The server took visits from a request/,
        ],
        [
          'last-tag',
          /^error filter-holds listMembers: The list filtered by tag=amber,basalt holds/,
        ],
        [
          'joined-from',
          /^error filter-holds listMembers: The list bounded by joinedAfter=\S+ holds .* outside the bound/,
        ],
        [
          'fee-as-text',
          /^error filter-holds listMembers: The list filtered by minFee=\S+ (holds|lacks)/,
        ],
        [
          'by-creation',
          /^error sort-holds listMembers: The list is not in the order that its description states: name is/,
        ],
      ],
      [
        ['email-free-on-change', /^error unique-is-kept updateMember: The server accepted \(200\)/],
        [
          'conflict-is-400',
          /^error unique-is-kept createMember: The server answered 400 to a request whose email is that of another record; the contract documents 409/,
        ],
        [
          'default-is-pro',
          /^error default-is-applied createMember: A record that was sent without plan has the plan "pro"; the contract states the default "free"\.$/,
        ],
        ['any-tag', /^error filter-holds listMembers: The list filtered by tag=amber,basalt holds/],
        ['fee-above', /^error filter-holds listMembers: The list filtered by minFee=\S+ lacks/],
      ],
      [['email-by-case', /^error unique-is-kept createMember: .*"KIM\.vouch-/]],
    ],
    told,
  );
});
