import type { Json } from '../serving/requests.ts';
import type { Call } from './call.ts';
import type { Rec, Service } from './store.ts';
import { fieldOf, tables, type TableName } from './tables.ts';

export const idsIn = (record: Rec, name: string): readonly string[] =>
  (record.fields[name] ?? []) as readonly string[];

/** The tasks that are linked to a project or person. */
function tasksOf(record: Rec, { has }: Service, withArchived = false): Rec[] {
  const back = record.table === 'projects' ? 'Project' : 'Assignees';
  const isFormer = (task: Rec): boolean =>
    has('moved-task-stays') && back === 'Project' && task.former.includes(record.id);
  return [...record.base.records.tasks.values()].filter(
    (task) =>
      (idsIn(task, back).includes(record.id) || isFormer(task)) && (withArchived || !task.archived),
  );
}

function hoursOf(tasks: readonly Rec[], isFirst: boolean): number {
  const all = tasks.map(({ firstHours, fields }) => (isFirst ? firstHours : fields['Hours']));
  return all.reduce<number>((sum, hours) => sum + Number(hours ?? 0), 0);
}

function computed(record: Rec, name: string, service: Service): unknown {
  const { has } = service;
  const tasks = tasksOf(record, service, has('archived-task-counted'));
  if (name === 'Task Count') return tasks.length;
  if (name === 'Open Tasks') return tasks.filter(({ fields }) => fields['Done'] !== true).length;
  if (name === 'Total Hours') return hoursOf(tasks, has('hours-sum-stale'));
  if (name === 'Assigned Hours') return hoursOf(tasks, false);
  const [id = ''] = (valueOf(record, 'Project', service) as readonly string[] | undefined) ?? [];
  return record.base.records.projects.get(id)?.fields['Name'];
}

/** The value of a field; undefined for nothing, an empty text, false and an empty list. */
export function valueOf(record: Rec, name: string, service: Service): unknown {
  const field = fieldOf(record.table, name);
  if (field?.isComputed === true) return computed(record, name, service);
  let value = record.fields[name];
  if (field?.back !== undefined) value = tasksOf(record, service).map(({ id }) => id);
  else if (field?.kind === 'link')
    value = idsIn(record, name).filter((id) => {
      const other = record.base.records[field.to ?? 'tasks'].get(id);
      return other === undefined ? service.has('deleted-project-linked') : !other.archived;
    });
  const isEmpty = value === '' || value === false || value === null;
  return isEmpty || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

/** A record as it is answered, with these of its fields. */
export function show(record: Rec, { service }: Call, names?: readonly string[]): Json {
  const { has, varies } = service;
  const { table, id, archived } = record;
  const shown = Object.entries(tables[table].fields).flatMap(([name, { kind }]) => {
    const value = valueOf(record, name, service);
    const isFalse = kind === 'checkbox' && has('false-checkbox-shown');
    if (names?.includes(name) === false || (value === undefined && !isFalse)) return [];
    return [[name, value ?? false] as const];
  });
  const count = has('comment-count-grows') ? record.commentsEver : record.comments.length;
  return {
    ...{ id, createdTime: new Date(record.created).toISOString() },
    ...{ archived, fields: Object.fromEntries(shown) },
    ...(table === 'tasks' ? { commentCount: count } : {}),
    ...(varies('more-properties') ? { revision: 7, url: `https://northlight.example/${id}` } : {}),
  };
}

/** The records of a table, in the order in which they were created. */
export const recordsOf = (base: Rec['base'], table: TableName): readonly Rec[] => [
  ...base.records[table].values(),
];
