import { isWon, linked, stageOf } from './store.ts';
import type { ObjectType, Portal, Row, Service, Stage } from './store.ts';

type Compute = (row: Row, portal: Portal, service: Service) => string | null;

const iso = (moment: number): string => new Date(moment).toISOString();

/** Hundredths of a number, rounded half up. */
const hundredths = (value: number): number => Math.round(Number((value * 100).toPrecision(15)));

const common: Readonly<Record<string, Compute>> = {
  record_id: ({ id }) => id,
  createdate: ({ createdAt }) => iso(createdAt),
  lastmodifieddate: ({ updatedAt }) => iso(updatedAt),
};

const joined = (values: readonly string[]): string | null => values.join(';') || null;

function probabilityOf({ values, firstStage }: Row, portal: Portal, { has }: Service): string {
  const id = has('probability-of-first-stage') ? firstStage : values.get('dealstage');
  return stageOf(portal, id)?.probability ?? '0.0';
}

const stageIn = (row: Row, portal: Portal): Stage | undefined =>
  stageOf(portal, row.values.get('dealstage'));

const computed: Readonly<Record<ObjectType, Readonly<Record<string, Compute>>>> = {
  contacts: {
    ...common,
    additional_emails: ({ emails }) => joined(emails),
    merged_record_ids: ({ mergedIds }) => joined(mergedIds),
    next_activity_date: (row, portal, service) => {
      const isAny = service.has('completed-task-is-next');
      const tasks = linked(portal, row, 'tasks', service).filter(
        ({ values }) => isAny || values.get('status') !== 'COMPLETED',
      );
      return tasks.map(({ values }) => values.get('due') ?? '').sort()[0] ?? null;
    },
  },
  companies: {
    ...common,
    num_associated_contacts: (row, portal, service) =>
      String(linked(portal, row, 'contacts', service).length),
    total_revenue: (row, portal, service) => {
      const counts = (stage: Stage | undefined): boolean =>
        service.has('revenue-of-lost-deals') ? stage?.isClosed === true : isWon(stage);
      const amounts = linked(portal, row, 'deals', service)
        .filter((deal) => counts(stageIn(deal, portal)))
        .map(({ values }) => hundredths(Number(values.get('amount') ?? 0)));
      return String(amounts.reduce((sum, amount) => sum + amount, 0) / 100);
    },
  },
  deals: {
    ...common,
    probability: probabilityOf,
    is_closed: (row, portal) => String(stageIn(row, portal)?.isClosed === true),
    is_won: (row, portal, { has }) => {
      const stage = stageIn(row, portal);
      return String(has('lost-counts-as-won') ? stage?.isClosed === true : isWon(stage));
    },
    forecast_amount: (row, portal, service) => {
      const amount = row.values.get('amount');
      if (amount === undefined || amount === '') return null;
      const exact = Number(amount) * Number(probabilityOf(row, portal, service));
      const isCut = service.has('forecast-cut-off');
      return String((isCut ? Math.floor(exact * 100) : hundredths(exact)) / 100);
    },
  },
  tasks: common,
};

/** The value of a property of a record; null if it has none. */
export function valueOf(row: Row, name: string, portal: Portal, service: Service): string | null {
  const compute = computed[row.type][name];
  return compute === undefined ? (row.values.get(name) ?? null) : compute(row, portal, service);
}
