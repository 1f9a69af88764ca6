import { choose, type Start } from '../serving/plant.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

/** What all records have; times are milliseconds. */
export interface Kept {
  readonly id: number;
  readonly account: Account;
  readonly created_at: number;
  updated_at: number;
}

/** Rates and amounts are cents, hours are hundredths of an hour. */
export interface User extends Kept {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly role: string;
  readonly default_hourly_rate: number | null;
}

export interface Client extends Kept {
  /** The name that it was created with. */
  readonly firstName: string;
  name: string;
  address: string | null;
  is_active: boolean;
}

export interface Project extends Kept {
  readonly client: Client;
  name: string;
  code: string | null;
  is_active: boolean;
  is_billable: boolean;
  bill_by: string;
  hourly_rate: number | null;
  budget_hours: number | null;
  budget_is_strict: boolean;
  notes: string | null;
}

export interface Task extends Kept {
  readonly name: string;
  readonly billable_by_default: boolean;
  readonly default_hourly_rate: number | null;
  readonly is_default: boolean;
}

export interface Assignment extends Kept {
  readonly project: Project;
  readonly task: Task;
  readonly billable: boolean;
  readonly hourly_rate: number | null;
}

export interface Entry extends Kept {
  readonly user: User;
  project: Project;
  task: Task;
  spent_date: string;
  /** Without the time since a running timer was started. */
  hours: number;
  notes: string | null;
  timer_started_at: number | null;
  billable: boolean;
  rate: number | null;
}

export interface Timesheet extends Kept {
  readonly user: User;
  /** Its Monday and its Sunday. */
  readonly from: string;
  readonly to: string;
  readonly total: number;
  readonly billable: number;
  status: string;
  approved_at: number | null;
  approved_by: User | null;
}

export interface Expense extends Kept {
  readonly user: User;
  readonly project: Project;
  readonly spent_date: string;
  readonly category: string;
  /** In hundredths. */
  readonly kilometers: number | null;
  readonly cost: number;
  readonly billable: boolean;
  readonly notes: string | null;
}

export interface Account {
  readonly number: string;
}

/** Access tokens by the first name of their people. */
export const tokens = {
  nadia: 'swp_7d1e40b9c6f24a83951d20ce8b7f6a35',
  oskar: 'swp_c2895fa03e7741d6b08a94d1e65f3b72',
  lena: 'swp_19f6b3d8a5024e7cb7e3508f2d9c4a61',
} as const;

/** Ids of the accounts; Nadia and Oskar work in the first, Lena in the second. */
export const accountIds = { harbor: '41207', fell: '58311' } as const;

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly newId: () => number;
  readonly accounts: Readonly<Record<keyof typeof accountIds, Account>>;
  /** People by their tokens. */
  readonly people: Map<string, User>;
  readonly users: User[];
  readonly clients: Client[];
  readonly projects: Project[];
  readonly tasks: Task[];
  readonly assignments: Assignment[];
  readonly entries: Entry[];
  readonly timesheets: Timesheet[];
  readonly expenses: Expense[];
}

/** A service without records. */
export function openHours({ defect, variant }: Start): Service {
  const varies = choose('variant', variantNames, variant);
  let last = varies('ids-are-large') ? 6_200_000_000_001 : 30_400;
  const newId = (): number => (last += varies('ids-are-large') ? 1_913 : 1);
  return {
    has: choose('defect', defectNames, defect),
    ...{ varies, newId, people: new Map() },
    accounts: { harbor: { number: accountIds.harbor }, fell: { number: accountIds.fell } },
    ...{ users: [], clients: [], projects: [], tasks: [], assignments: [] },
    ...{ entries: [], timesheets: [], expenses: [] },
  };
}

/** A moment to the second, as the service keeps them. */
export const now = (): number => Math.floor(Date.now() / 1000) * 1000;

/** What a new record of the account has. */
export function stamp({ newId }: Service, account: Account, moment = now()): Kept {
  return { id: newId(), account, created_at: moment, updated_at: moment };
}

/** Takes a record out of its list. */
export function remove<T>(records: T[], record: T): void {
  const at = records.indexOf(record);
  if (at >= 0) records.splice(at, 1);
}
