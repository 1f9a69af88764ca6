export const tableNames = ['projects', 'tasks', 'people'] as const;

export type TableName = (typeof tableNames)[number];

type Kind = 'text' | 'number' | 'checkbox' | 'select' | 'tags' | 'date' | 'link';

export interface Field {
  readonly kind: Kind;
  /** As the API calls it. */
  readonly type: string;
  /** The most characters of a text, or the greatest number. */
  readonly max?: number;
  readonly pattern?: RegExp;
  readonly choices?: readonly string[];
  readonly isRequired?: true;
  readonly isUnique?: true;
  readonly isComputed?: true;
  /** The table that is linked. */
  readonly to?: TableName;
  /** The field at the other end, which has the links. */
  readonly back?: string;
  /** Links one record at most. */
  readonly isSingle?: true;
}

export interface View {
  readonly name: string;
  readonly filter?: object;
  readonly sorts?: readonly { readonly property: string; readonly direction: string }[];
}

interface Table {
  readonly fields: Readonly<Record<string, Field>>;
  readonly views: readonly View[];
}

const text = (max: number): Field => ({ kind: 'text', type: 'singleLineText', max });
const number = (max: number): Field => ({ kind: 'number', type: 'number', max });
const date: Field = { kind: 'date', type: 'date' };
const checkbox: Field = { kind: 'checkbox', type: 'checkbox' };
const name: Field = { ...text(200), isRequired: true };
const link = (to: TableName, more: Partial<Field>): Field => ({
  ...{ kind: 'link', type: 'multipleRecordLinks', to },
  ...more,
});
const sum = (type: string): Field => ({ kind: 'number', type, isComputed: true });
const select = (...choices: string[]): Field => ({ kind: 'select', type: 'singleSelect', choices });

/** The tables that each base has. */
export const tables: Readonly<Record<TableName, Table>> = {
  projects: {
    fields: {
      Name: name,
      Code: { ...text(10), pattern: /^[A-Z]{2,5}-[0-9]{1,4}$/, isUnique: true },
      Status: select('Planned', 'Active', 'On hold', 'Done'),
      Budget: number(1_000_000_000),
      Start: date,
      End: date,
      Tags: {
        ...{ kind: 'tags', type: 'multipleSelects' },
        choices: ['Web', 'Web shop', 'Print', 'Film', 'Brand'],
      },
      Tasks: link('tasks', { back: 'Project' }),
      'Task Count': sum('count'),
      'Open Tasks': sum('count'),
      'Total Hours': sum('rollup'),
    },
    views: [
      { name: 'All projects' },
      {
        name: 'Active by budget',
        filter: { property: 'Status', equals: 'Active' },
        sorts: [{ property: 'Budget', direction: 'descending' }],
      },
    ],
  },
  tasks: {
    fields: {
      Name: name,
      Notes: { kind: 'text', type: 'multilineText', max: 10_000 },
      Done: checkbox,
      Priority: select('Low', 'Medium', 'High'),
      Hours: number(1000),
      Due: date,
      Project: link('projects', { isSingle: true }),
      Assignees: link('people', {}),
      'Project Name': { kind: 'text', type: 'multipleLookupValues', isComputed: true },
    },
    views: [
      { name: 'All tasks' },
      {
        name: 'Urgent',
        filter: {
          and: [
            { property: 'Priority', equals: 'High' },
            { property: 'Done', equals: false },
          ],
        },
        sorts: [{ property: 'Due', direction: 'ascending' }],
      },
    ],
  },
  people: {
    fields: {
      Name: name,
      Email: { ...text(120), type: 'email', isRequired: true, isUnique: true },
      Role: select('Design', 'Development', 'Production', 'Management'),
      Active: checkbox,
      Rate: number(10_000),
      Tasks: link('tasks', { back: 'Assignees' }),
      'Assigned Hours': sum('rollup'),
    },
    views: [
      { name: 'Everyone', sorts: [{ property: 'Name', direction: 'ascending' }] },
      { name: 'Active people', filter: { property: 'Active', equals: true } },
    ],
  },
};

/** The field of this name, if the table has it. */
export function fieldOf(table: TableName, property: string): Field | undefined {
  const { fields } = tables[table];
  return Object.hasOwn(fields, property) ? fields[property] : undefined;
}
