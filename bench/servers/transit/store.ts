import type { Opened } from '../serving/open-service.ts';
import type { DefectName } from './defects.ts';
import type { VariantName } from './variants.ts';

export const languages = ['de', 'en', 'fr'] as const;
export type Language = (typeof languages)[number];

export const modes = ['rail', 'tram', 'bus', 'ferry'];
export const severities = ['info', 'minor', 'major', 'severe'];

/** Moments of all records are milliseconds. */
export interface Stop {
  readonly id: string;
  readonly names: Readonly<Record<Language, string>>;
  readonly lat: number;
  readonly lon: number;
  readonly zone: string;
  readonly stepFree: boolean;
  readonly modified: number;
}

export interface Line {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly mode: string;
  readonly operatorId: string;
  readonly color: string;
  readonly stopIds: readonly string[];
  readonly modified: number;
}

export interface Prices {
  readonly adult: number;
  readonly child: number;
  readonly bicycle: number;
}

export interface Trip {
  readonly id: string;
  readonly line: Line;
  readonly status: 'scheduled' | 'cancelled';
  readonly delayMinutes: number;
  /** When it leaves its first stop. */
  readonly start: number;
  readonly seats: number;
  readonly prices: Prices;
}

/** When a record was made and last changed. */
export interface Dated {
  readonly id: string;
  readonly created: number;
  readonly modified: number;
}

export interface Disruption extends Dated {
  readonly status: 'draft' | 'published' | 'withdrawn';
  readonly operatorId: string;
  readonly severity: string;
  readonly cause: string;
  readonly title: string;
  readonly text: string | null;
  readonly lineIds: readonly string[];
  readonly stopIds: readonly string[];
  readonly validFrom: number;
  readonly validUntil: number | null;
  readonly published: number | null;
  readonly withdrawn: number | null;
}

export interface Journey extends Dated {
  readonly owner: string;
  readonly name: string;
  readonly fromStopId: string;
  readonly toStopId: string;
  readonly viaStopIds: readonly string[];
  readonly days: readonly string[];
  readonly departAfter: string;
  readonly note: string | null;
}

export interface Subscription extends Dated {
  readonly owner: string;
  readonly journeyId: string | null;
  readonly lineId: string | null;
  readonly channel: string;
  readonly destination: string;
  readonly minSeverity: string;
  readonly secret: string | undefined;
  readonly status: 'pending' | 'active' | 'paused' | 'locked';
  readonly confirmed: number | null;
  readonly wrongCodes: number;
}

export interface PriceLine {
  readonly kind: string;
  readonly quantity: number;
  readonly unitAmount: number;
  readonly amount: number;
}

export interface Order extends Dated {
  readonly owner: string;
  readonly status: 'booked' | 'cancelled';
  readonly tripId: string;
  readonly adults: number;
  readonly children: number;
  readonly bicycles: number;
  readonly contactEmail: string;
  readonly priceLines: readonly PriceLine[];
  readonly refundAmount: number | null;
  readonly cancelled: number | null;
}

/** A partner, by whose key and token requests come. */
export interface Account {
  readonly id: string;
  readonly isOperator: boolean;
  readonly key: string;
  readonly token: string;
}

export const accounts = {
  nordbahn: {
    id: 'nordbahn',
    isOperator: true,
    key: 'rk_nordbahn_41f7c02e',
    token: 'rt_nordbahn_9b1d6e5a20c84f73',
  },
  hafenlinien: {
    id: 'hafenlinien',
    isOperator: true,
    key: 'rk_hafen_d85a16b3',
    token: 'rt_hafen_3e70f9c1b2a64d58',
  },
  reisewelt: {
    id: 'reisewelt',
    isOperator: false,
    key: 'rk_reisewelt_07be94ac',
    token: 'rt_reisewelt_c5f2081d7e934ab6',
  },
} as const satisfies Readonly<Record<string, Account>>;

export interface Minute {
  readonly start: number;
  readonly used: number;
}

/** A request with an Idempotency-Key that was answered. */
export interface Kept {
  readonly body: unknown;
  readonly order: Order;
}

/** A started service: its records, and what is wrong or different in it. */
export interface Service extends Opened<DefectName, VariantName> {
  readonly stops: Map<string, Stop>;
  readonly lines: Map<string, Line>;
  readonly trips: Map<string, Trip>;
  readonly disruptions: Map<string, Disruption>;
  readonly journeys: Map<string, Journey>;
  readonly subscriptions: Map<string, Subscription>;
  readonly orders: Map<string, Order>;
  readonly kept: Map<string, Kept>;
  readonly minutes: Map<string, Minute>;
  requests: number;
}

/** The code that each subscription is confirmed with. */
export const sandboxCode = '424242';
