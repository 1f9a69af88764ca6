import { choose, type Start } from '../serving/plant.ts';
import { Refused } from '../serving/serve.ts';
import { defectNames, type DefectName } from './defects.ts';
import { variantNames, type VariantName } from './variants.ts';

export interface Channel {
  readonly id: string;
  /** The place in the order of creation. */
  readonly place: number;
  name: string;
  readonly isPrivate: boolean;
  isArchived: boolean;
  readonly creator: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  updated: number;
  topic: { readonly value: string; readonly creator: string; readonly last_set: number };
  readonly previousNames: string[];
  /** In the order in which they joined. */
  readonly members: string[];
}

export interface Message {
  readonly channel: string;
  ts: string;
  readonly user: string;
  text: string;
  readonly thread_ts?: string | undefined;
  readonly client_msg_id?: string | undefined;
  edited?: { readonly user: string; readonly ts: string };
  /** By the name of the reaction: who has it. */
  readonly reactions: Map<string, string[]>;
}

/** A started service: its records, and what is wrong or different in it. */
export interface Service {
  readonly has: (defect: DefectName) => boolean;
  readonly varies: (variant: VariantName) => boolean;
  readonly users: Map<string, string>;
  readonly channels: Map<string, Channel>;
  /** In the order of their ts. */
  messages: Message[];
  /** How many replies were deleted, by the ts of the thread. */
  readonly lost: Map<string, number>;
  /** Cursors that are numbers: their places here. */
  readonly cursors: string[];
  readonly nextChannel: () => { readonly id: string; readonly place: number };
  /** A ts that no other message has. */
  readonly nextTs: () => string;
  requests: number;
}

export const tokens = { U0ANA: 'xoxt-ana-20417', U0BO: 'xoxt-bo-77310' } as const;

/** Refuses a call with this error. */
export function fail({ has }: Service, error: string, messages?: readonly string[]): never {
  const sentence = `The call failed: ${error.replaceAll('_', ' ')}.`;
  throw new Refused({
    status: has('refusals-are-400') ? 400 : 200,
    json: {
      ok: false,
      error: has('error-is-sentence') ? sentence : error,
      ...(messages === undefined ? {} : { response_metadata: { messages } }),
    },
  });
}

const names = ['ana', 'bo', 'cleo', 'dag', 'eve', 'finn', 'gus'];

/** The records at the start. */
export function openStore({ defect, variant }: Start): Service {
  const varies = choose('variant', variantNames, variant);
  let [place, last] = [0, 0];
  const service: Service = {
    has: choose('defect', defectNames, defect),
    varies,
    users: new Map(names.map((name) => [`U0${name.toUpperCase()}`, name])),
    channels: new Map(),
    messages: [],
    lost: new Map(),
    cursors: [],
    nextChannel: () => {
      place += 1;
      const id = `C0${(place * 7919 + 100_000).toString(36).toUpperCase()}`;
      return { id: varies('ids-are-long') ? id.padEnd(24, 'QX7') : id, place };
    },
    nextTs: () => {
      last = Math.max(Date.now() * 1_000, last + 100);
      return `${String(Math.floor(last / 1e6))}.${String(last % 1e6).padStart(6, '0')}`;
    },
    requests: 0,
  };
  if (!varies('starts-empty')) fill(service);
  return service;
}

function fill({ channels, messages, nextChannel, varies }: Service): void {
  for (let at = 0; at < 14; at += 1) {
    const { id: made, place } = nextChannel();
    const id = at === 0 && !varies('examples-unknown') ? 'C0GENERAL' : made;
    const created = Date.UTC(2024, at, 2, 8);
    channels.set(id, {
      id,
      place,
      name: at === 0 ? 'general' : `team-${['red', 'green', 'blue'][at % 3] ?? ''}-${String(at)}`,
      isPrivate: at % 5 === 3,
      isArchived: at % 7 === 4,
      creator: at % 2 === 0 ? 'U0ANA' : 'U0BO',
      created,
      updated: created,
      topic: { value: at % 2 === 0 ? 'Plans & dates' : '', creator: 'U0BO', last_set: created },
      previousNames: [],
      members: at % 5 === 3 ? ['U0BO', 'U0EVE'] : ['U0ANA', 'U0DAG', 'U0BO'].slice(0, 2 + (at % 2)),
    });
    for (let n = 0; n < (at === 0 ? 60 : at % 4); n += 1) {
      const ts = `${String(1_760_000_000 + at * 1_000 + n * 10)}.000100`;
      const isReply = at === 0 && n % 10 === 5;
      messages.push({
        channel: id,
        ts,
        user: ['U0ANA', 'U0DAG', 'U0BO'][n % 3] ?? '',
        text: ['Good morning', 'Who has the notes?', 'Done <3'][n % 3] ?? '',
        ...(isReply ? { thread_ts: '1760000000.000100' } : {}),
        reactions: new Map(n % 9 === 2 ? [['thumbsup', ['U0DAG']]] : []),
      });
    }
  }
}
