import { isDateTime } from '../serving/fields.ts';
import { originOf } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { bad, type Call } from './call.ts';
import type { Service } from './store.ts';

/** Reads the parameters of a query; refuses with 400 at the first one that is wrong. */
export class Query {
  readonly #service: Service;
  readonly #query: URLSearchParams;

  constructor({ incoming, service }: Call) {
    this.#service = service;
    this.#query = incoming.query;
  }

  #bad(name: string): never {
    return bad(this.#service, `${name} does not have a valid value`);
  }

  text(name: string, min = 0): string | undefined {
    const value = this.#query.getAll(name).at(-1);
    return value !== undefined && value.length < min ? this.#bad(name) : value;
  }

  /** Texts with commas between them. */
  texts(name: string): string[] | undefined {
    const texts = this.text(name)?.split(',');
    return texts?.includes('') === true ? this.#bad(name) : texts;
  }

  #whole(name: string, text: string, max: number): number {
    const isFine = /^[1-9]\d*$/.test(text) && Number(text) <= max;
    return isFine ? Number(text) : this.#bad(name);
  }

  number(name: string, max = 2_147_483_647): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : this.#whole(name, text, max);
  }

  /** The numbers of a parameter that may be repeated. */
  numbers(name: string): number[] {
    return this.#query.getAll(name).map((text) => this.#whole(name, text, 2_147_483_647));
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    return values.find((value) => value === text) ?? this.#bad(name);
  }

  flag(name: string): boolean | undefined {
    const text = this.oneOf(name, ['true', 'false']);
    return text === undefined ? undefined : text === 'true';
  }

  moment(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    return isDateTime(text) ? Date.parse(text) : this.#bad(name);
  }
}

/** A page of the records, with the headers that lead to the others. */
export function pageOf<T>(
  call: Call,
  records: readonly T[],
  show: (record: T) => object,
  { hidden = 0, query = new Query(call) } = {},
): Answer {
  const { incoming, service } = call;
  const { has } = service;
  const page = query.number('page') ?? 1;
  const perPage = query.number('per_page', 100) ?? 20;
  const from = (page - 1) * perPage - (page > 1 && has('second-page-repeats-one') ? 1 : 0);
  const items = records.slice(from, from + perPage);
  const pages = Math.max(1, Math.ceil(records.length / perPage));
  const total = has('total-of-page') ? items.length : records.length + hidden;
  const next = page < pages ? page + 1 : undefined;
  const address = (at: number): string => {
    const params = new URLSearchParams(has('link-loses-filters') ? [] : incoming.query);
    params.set('page', String(at));
    params.set('per_page', String(perPage));
    return `<${originOf(incoming.headers)}${incoming.path}?${params.toString()}>`;
  };
  const links = { prev: page > 1 ? page - 1 : undefined, next, first: 1, last: pages };
  return {
    status: 200,
    json: items.map(show),
    headers: {
      'X-Total': String(total),
      'X-Total-Pages': String(pages),
      'X-Page': String(page),
      'X-Per-Page': String(perPage),
      'X-Next-Page': String(next ?? (has('next-page-on-last') ? page + 1 : '')),
      'X-Prev-Page': String(links.prev ?? ''),
      Link: Object.entries(links)
        .flatMap(([rel, at]) => (at === undefined ? [] : [`${address(at)}; rel="${rel}"`]))
        .join(', '),
    },
  };
}
