import type { Client, Got } from '../serving/client.ts';
import { faultOf } from './claims.ts';
import type { Fill, Flow, Step } from './step.ts';

/** What became of a step; without a fault it passed. */
export interface Outcome {
  readonly does: string;
  readonly fault: string | undefined;
}

type Kept = Map<string, unknown>;
type Answer = Pick<Got<unknown>, 'status' | 'headers' | 'body' | 'text' | 'faults'>;

/** Sends the steps one after the other; a step that fails does not stop those behind it. */
export async function play(flow: Flow, client: Client): Promise<Outcome[]> {
  const kept: Kept = new Map();
  const outcomes: Outcome[] = [];
  for (const step of flow.steps) {
    const fault = await playStep(step, client, kept).catch((error: unknown) => String(error));
    outcomes.push({ does: step.does, fault });
  }
  return outcomes;
}

async function playStep(step: Step, client: Client, kept: Kept): Promise<string | undefined> {
  const fill = fillFrom(kept);
  const answer = await answerTo(step, client, fill);
  for (const [name, place] of Object.entries(step.keeps ?? {})) {
    const value = valueAt(answer, place, fill);
    if (value !== undefined) kept.set(name, value);
  }
  const statuses = [step.status ?? 200].flat();
  if (!statuses.includes(answer.status))
    return `status ${answer.status} is not ${statuses.join(' or ')}: ${answer.text.slice(0, 300)}`;
  return (
    answer.faults[0] ?? faultIn(answer, step.sees ?? {}, fill) ?? notKept(step.keeps ?? {}, kept)
  );
}

function faultIn(answer: Answer, sees: object, fill: Fill): string | undefined {
  for (const [place, expected] of Object.entries(sees)) {
    const fault = faultOf(valueAt(answer, place, fill), expected, fill);
    if (fault !== undefined) return `${place}: ${fault}`;
  }
  return undefined;
}

function notKept(keeps: Readonly<Record<string, string>>, kept: Kept): string | undefined {
  const missing = Object.entries(keeps).find(([name]) => !kept.has(name));
  return missing === undefined ? undefined : `there is nothing at ${missing[1]}`;
}

/** The answer to a step: of its one request, of the last repetition, or of all pages. */
async function answerTo(step: Step, client: Client, fill: Fill): Promise<Answer> {
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(step.send) ?? [];
  const target = withQuery(String(fill(path)), fill(step.query ?? {}) as object);
  const headers = fill(step.headers ?? {}) as Record<string, string>;
  const { form, as } = step;
  const bytes =
    form === undefined
      ? step.bytes
      : new URLSearchParams(fill(form) as Record<string, string>).toString();
  const type = form === undefined ? step.type : 'application/x-www-form-urlencoded';
  const ask = {
    headers,
    ...(step.json === undefined ? {} : { json: fill(step.json) }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(type === undefined ? {} : { type }),
    ...(as === undefined ? {} : { as }),
  };
  const send = (place: string) => client.ask<unknown>(method, place, ask);
  let got = await send(target);
  for (let tries = 0; tries < 40 && step.until !== undefined; tries += 1) {
    if (faultIn(got, step.until, fill) === undefined) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
    got = await send(target);
  }
  return step.next === undefined ? got : followPages(got, { step, target, send, fill });
}

interface Following {
  readonly step: Step;
  readonly target: string;
  readonly fill: Fill;
  send(target: string): Promise<Got<unknown>>;
}

/** All pages from this one on, as one answer; 50 at most. */
async function followPages(first: Answer, { step, target, send, fill }: Following) {
  const pages = [first];
  const { at = '', as } = step.next ?? {};
  for (let last = first; pages.length < 50;) {
    const next = linkOf(valueAt(last, at, fill));
    if (last.status !== 200 || next === undefined) break;
    last = await send(as === undefined ? pathOf(next) : withQuery(target, { [as]: next }));
    pages.push(last);
  }
  const bad = pages.find(({ status, faults }) => status !== 200 || faults.length > 0) ?? first;
  return { ...bad, body: { pages: pages.map(({ body }) => body) } };
}

/** A text as it is, that of a header `Link` by its relation next. */
function linkOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  return value.startsWith('<') ? /<([^>]*)>\s*;[^,]*rel="?next/.exec(value)?.[1] : value;
}

/** A path of an address of the same service. */
const pathOf = (address: string): string => {
  const path = address.replace(/^https?:\/\/[^/]+/, '');
  return path.startsWith('/') ? path : `/${path}`;
};

function withQuery(address: string, query: object): string {
  // A comma between the items of a list stands as it is (RFC 6570, section 3.2.8).
  const encode = (text: string) => encodeURIComponent(text).replaceAll('%2C', ',');
  const parts = Object.entries(query).map(
    ([name, value]) => `${encode(name)}=${encode(String(value))}`,
  );
  const path = pathOf(address);
  return parts.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${parts.join('&')}`;
}

/** The value at a place of an answer, as `Step` says. */
function valueAt(answer: Answer, place: string, fill: Fill): unknown {
  const [first = '', ...rest] = place.split(' ');
  if (first === 'text:') return answer.text;
  if (first.startsWith('header:')) return answer.headers.get(first.slice(7)) ?? undefined;
  const names = first === '' ? [] : [first, ...rest];
  const start: Found = { values: [answer.body], isList: false };
  const { values, isList } = names.reduce((found, name) => enter(found, String(fill(name))), start);
  return isList ? values : values[0];
}

interface Found {
  readonly values: readonly unknown[];
  readonly isList: boolean;
}

function enter({ values, isList }: Found, name: string): Found {
  const [, member, wanted] = /^\[([^=]+)=(.*)\]$/.exec(name) ?? [];
  const isEach = name === '*' || member !== undefined;
  const next = values.flatMap((value) => {
    if (!isEach) return [memberOf(value, name)].filter((each) => each !== undefined);
    const entries = Array.isArray(value) ? (value as unknown[]) : [];
    return member === undefined
      ? entries
      : entries.filter((entry) => String(memberOf(entry, member)) === wanted);
  });
  return { values: next, isList: isList || isEach };
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return (value as unknown[]).at(Number(name));
  return (value as Record<string, unknown>)[name];
}

/** Fills in what was kept; a text that is one name alone becomes the value itself. */
function fillFrom(kept: Kept): Fill {
  const valueOf = (name: string): unknown => {
    if (!kept.has(name)) throw new Error(`no earlier step kept ${name}`);
    return kept.get(name);
  };
  const fill = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each)]));
    if (typeof value !== 'string') return value;
    const whole = /^\{(\w+)\}$/.exec(value)?.[1];
    if (whole !== undefined) return valueOf(whole);
    return value.replace(/\{(\w+)\}/g, (_text, name: string) => String(valueOf(name)));
  };
  return fill;
}
