import { createHash, randomUUID } from 'node:crypto';
import { choose, type Start } from '../serving/plant.ts';
import type { Json } from '../serving/requests.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export const statuses = ['subscribed', 'unsubscribed', 'cleaned', 'pending', 'archived'] as const;

export type Status = (typeof statuses)[number];

export interface Member {
  readonly list: List;
  readonly web_id: number;
  email_address: string;
  status: Status;
  unsubscribe_reason: string | null;
  email_type: string;
  language: string;
  vip: boolean;
  /** Values of merge fields by their tags. */
  values: Json;
  /** Ids of static segments. */
  tags: readonly number[];
  timestamp_signup: number;
  timestamp_opt: number | null;
  last_changed: number;
  /** The tick of becoming subscribed. */
  joined: number;
}

export interface MergeField {
  readonly merge_id: number;
  readonly tag: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default_value: string;
  readonly choices: readonly string[];
}

export interface Options {
  readonly match: 'all' | 'any';
  readonly conditions: readonly Readonly<Record<'field' | 'op' | 'value', string>>[];
}

export interface Segment {
  readonly id: number;
  readonly name: string;
  readonly created: number;
  /** None for a static segment. */
  readonly options?: Options;
  /** The members at the time of its creation. */
  frozen?: readonly Member[];
}

/** What of a list is given by clients. */
export type ListFields = Json & Readonly<Record<'contact' | 'campaign_defaults', Json>>;

export interface List {
  readonly id: string;
  readonly web_id: number;
  readonly account: string;
  readonly created: number;
  fields: ListFields;
  isActive: boolean;
  /** By hash. */
  readonly members: Map<string, Member>;
  /** Members by the hashes of former addresses. */
  readonly former: Map<string, Member>;
  readonly mergeFields: Map<number, MergeField>;
  readonly segments: Map<number, Segment>;
  unsubscribes: number;
  lastSent: number | null;
  lastSentTick: number;
}

export interface Campaign {
  readonly id: string;
  readonly web_id: number;
  readonly account: string;
  readonly type: string;
  readonly created: number;
  status: 'save' | 'schedule' | 'sent';
  list: List;
  /** The name of the list when the campaign was added. */
  readonly listName: string;
  segment: Segment | undefined;
  settings: Json;
  sendTime: number | null;
  emails_sent: number;
}

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly lists: Map<string, List>;
  readonly campaigns: Map<string, Campaign>;
  /** A new id of a list or campaign. */
  readonly newId: () => string;
  readonly newNumber: () => number;
  /** Greater with each call. */
  readonly tick: () => number;
}

/** The API keys by account. */
export const keys = {
  harbour: '7c1e0b94d2a84f6fb0a35e9c6d18f327-eu2',
  tern: 'e5903fd81c6b4a07964d2ab7f0c85e1d-eu2',
} as const;

/** A service without records. */
export function openMailing({ defect, variant }: Start): Service {
  const varies = choose('variant', variantNames, variant);
  let [last, ticks] = [48_200, 0];
  return {
    has: choose('defect', defectNames, defect),
    varies,
    lists: new Map(),
    campaigns: new Map(),
    newId: () => (varies('ids-are-uuids') ? randomUUID() : randomUUID().slice(-10)),
    newNumber: () => (last += varies('ids-are-uuids') ? 37 : 1),
    tick: () => (ticks += 1),
  };
}

/** A moment to the second, as the service keeps them. */
export const now = (): number => Math.floor(Date.now() / 1000) * 1000;

export function hashOf(email: string, { has }: Service): string {
  const text = has('hash-of-address-as-given') ? email : email.toLowerCase();
  return createHash('md5').update(text).digest('hex');
}

type New<T, K extends keyof T> = Pick<T, K> & Partial<T>;

export function addList(service: Service, more: New<List, 'account' | 'fields'>): List {
  const list: List = {
    ...{ id: service.newId(), web_id: service.newNumber(), created: now(), isActive: true },
    ...{ members: new Map(), former: new Map(), mergeFields: new Map(), segments: new Map() },
    ...{ unsubscribes: 0, lastSent: null, lastSentTick: 0 },
    ...more,
  };
  addField(service, list, { tag: 'FNAME', name: 'First Name', type: 'text' });
  addField(service, list, { tag: 'LNAME', name: 'Last Name', type: 'text' });
  service.lists.set(list.id, list);
  return list;
}

type NewField = New<MergeField, 'name' | 'type'>;

export function addField(service: Service, list: List, fields: NewField): MergeField {
  const merge_id = service.newNumber();
  const rest = { tag: `MERGE${String(merge_id)}`, required: false, default_value: '', choices: [] };
  const field = { merge_id, ...rest, ...fields };
  list.mergeFields.set(merge_id, field);
  return field;
}

type NewMember = New<Member, 'email_address' | 'status'>;

export function addMember(service: Service, list: List, fields: NewMember): Member {
  const [time, { status }] = [now(), fields];
  const member: Member = {
    ...{ list, web_id: service.newNumber(), email_type: 'html', language: 'en', vip: false },
    ...{ unsubscribe_reason: status === 'unsubscribed' ? 'N/A' : null, values: {}, tags: [] },
    ...{ timestamp_signup: time, timestamp_opt: status === 'subscribed' ? time : null },
    ...{ last_changed: time, joined: service.tick() },
    ...fields,
  };
  if (status === 'unsubscribed') list.unsubscribes += 1;
  list.members.set(hashOf(member.email_address, service), member);
  return member;
}

/** The tag of this name, if the list has it. */
export const findTag = (list: List, name: string): Segment | undefined =>
  [...list.segments.values()].find((one) => one.name === name && one.options === undefined);

/** The tag of this name, which is added to the list if it is new there. */
export function tagOf(service: Service, list: List, name: string): Segment {
  const known = findTag(list, name);
  if (known !== undefined) return known;
  const tag = { id: service.newNumber(), name, created: now() };
  list.segments.set(tag.id, tag);
  return tag;
}

type NewCampaign = New<Campaign, 'account' | 'type' | 'list' | 'segment' | 'settings'>;

export function addCampaign(service: Service, fields: NewCampaign): Campaign {
  const campaign: Campaign = {
    ...{ id: service.newId(), web_id: service.newNumber(), created: now(), status: 'save' },
    ...{ listName: String(fields.list.fields['name']), sendTime: null, emails_sent: 0 },
    ...fields,
  };
  service.campaigns.set(campaign.id, campaign);
  return campaign;
}
