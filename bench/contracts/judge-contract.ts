import { performance } from 'node:perf_hooks';
import type { Contract, Operation, Resource } from '../../src/contract/model.ts';
import { loadContract } from '../../src/contract/load.ts';
import { headerValue } from '../../src/http/message.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../src/json/value.ts';
import { prepareMock } from '../../src/library/prepare-mock.ts';
import type { Answer, Mock } from '../../src/mock/mock.ts';
import type { CorpusContract } from './corpus.ts';
import { judgeAnswer, type Judgement } from './judge.ts';
import { makeSecondOpinion } from './second-opinion.ts';
import { key, parameterValue, validRequest, type Known } from './valid-request.ts';

/** How the mock of one contract fared. */
export interface ContractReport {
  readonly name: string;
  /** Why the document could not be loaded; undefined where it could. */
  readonly unreadable?: string;
  readonly judgements: readonly Judgement[];
  /**
   * The longest and the middle time of an answer, in milliseconds; the first of an operation
   * compiles its schemas.
   */
  readonly slowestMs: number;
  readonly medianMs: number;
}

/** Loads a contract, sends a valid request of each operation to its mock, judges the responses. */
export async function judgeContract({ name, file }: CorpusContract): Promise<ContractReport> {
  let contract: Contract;
  try {
    contract = await loadContract(file);
  } catch (error) {
    return {
      name,
      unreadable: error instanceof Error ? error.message : String(error),
      judgements: [],
      slowestMs: 0,
      medianMs: 0,
    };
  }
  const { mock } = await prepareMock({ contract, config: false, keys: [key], seed: 'judge' });
  const asker = new Asker(contract, mock);
  const opinion = makeSecondOpinion(contract.document);
  const judgements: Judgement[] = [];
  for (const operation of contract.operations) {
    const exchange = await asker.ask(operation);
    judgements.push(
      'reason' in exchange
        ? {
            operation: operation.id,
            status: undefined,
            verdict: 'neither',
            reason: exchange.reason,
          }
        : judgeAnswer(operation, exchange, opinion),
    );
  }
  const times = asker.times.toSorted((left, right) => left - right);
  return {
    name,
    judgements,
    slowestMs: times.at(-1) ?? 0,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
  };
}

/** One path may name its parameters otherwise than another. */
function withoutNames(template: string): string {
  return template.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** An answer, and the body of the request that it is to. */
type Asked = Answer & { readonly sent: Uint8Array };

class Asker {
  readonly times: number[] = [];
  readonly #contract: Contract;
  readonly #mock: Mock;
  /** Identifiers of records that are there, by item path. */
  readonly #records = new Map<string, JsonValue | undefined>();

  constructor(contract: Contract, mock: Mock) {
    this.#contract = contract;
    this.#mock = mock;
  }

  async ask(operation: Operation): Promise<Asked | { readonly reason: string }> {
    const known = {
      path: await this.#pathValues(operation),
      body: await this.#references(operation),
    };
    const made = validRequest(operation, known, 'judge');
    if (!made.ok) return { reason: made.reason };
    const begin = performance.now();
    const answer = await this.#mock.answer(made.request);
    this.times.push(performance.now() - begin);
    if (operation.method === 'DELETE') {
      this.#records.clear();
      await this.#mock.reset();
    }
    return { ...answer, sent: made.request.body };
  }

  /**
   * Values for the path parameters: identifiers of records that are there, as far as the contract
   * has a way to make or list them.
   */
  async #pathValues(operation: Operation): Promise<Known['path']> {
    const values = new Map<string, JsonValue>();
    let prefix = '';
    for (const segment of operation.path.split('/').slice(1)) {
      prefix += `/${segment}`;
      const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
      const parameter = operation.parameters.find(
        (candidate) => candidate.in === 'path' && candidate.name === name,
      );
      if (name === undefined || parameter === undefined) continue;
      const value = (await this.#recordAt(prefix)) ?? parameterValue(parameter, 'judge');
      if (value !== undefined) values.set(name, value);
    }
    return values;
  }

  /** What a body names has to be there. */
  async #references(operation: Operation): Promise<Known['body']> {
    const resource = this.#contract.resources.find(({ operations }) =>
      Object.values(operations).includes(operation),
    );
    const values = new Map<string, JsonValue>();
    for (const { field, many, resource: target } of resource?.foreignKeys ?? []) {
      const id =
        target.itemPath === undefined
          ? await this.#shown(target)
          : await this.#recordAt(target.itemPath);
      if (id !== undefined) values.set(field, many ? [id] : id);
    }
    return values;
  }

  async #recordAt(itemPath: string): Promise<JsonValue | undefined> {
    if (this.#records.has(itemPath)) return this.#records.get(itemPath);
    this.#records.set(itemPath, undefined);
    const resource = this.#contract.resources.find(
      (candidate) =>
        candidate.itemPath !== undefined &&
        withoutNames(candidate.itemPath) === withoutNames(itemPath),
    );
    const found =
      resource &&
      ((await this.#shown(resource)) ??
        (await this.#created(resource)) ??
        (await this.#shown(resource)));
    this.#records.set(itemPath, found);
    return found;
  }

  /** The first record that any list of the same set of records shows. */
  async #shown(resource: Resource): Promise<JsonValue | undefined> {
    for (const view of this.#contract.resources.filter(
      ({ collection }) => collection === resource.collection,
    )) {
      const id = await this.#listed(view);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  async #listed({ operations, identifier, list }: Resource): Promise<JsonValue | undefined> {
    const body = await this.#bodyOf(operations.list);
    const records =
      list === undefined || list.records === ''
        ? body
        : isJsonObject(body)
          ? body[list.records.slice(1)]
          : undefined;
    const [first] = isJsonArray(records) ? records : [];
    return isJsonObject(first) ? first[identifier.field] : undefined;
  }

  async #created({ operations, identifier }: Resource): Promise<JsonValue | undefined> {
    const answer = operations.create === undefined ? undefined : await this.ask(operations.create);
    if (answer === undefined || 'reason' in answer || answer.status >= 300) return undefined;
    const [body, sent] = [answer.body, answer.sent]
      .map((bytes) => parseJson(bytes))
      .map((reading) => (reading.ok ? reading.value : undefined));
    const candidates = [body, ...(isJsonObject(body) ? Object.values(body) : []), sent].filter(
      isJsonObject,
    );
    const id = candidates
      .map((candidate) => candidate[identifier.field])
      .find(
        (value) =>
          typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint',
      );
    return id ?? (headerValue(answer.headers, 'location')?.split('/').at(-1) || undefined);
  }

  async #bodyOf(operation: Operation | undefined): Promise<JsonValue | undefined> {
    const answer = operation === undefined ? undefined : await this.ask(operation);
    if (answer === undefined || 'reason' in answer || answer.status >= 300) return undefined;
    const reading = parseJson(answer.body);
    return reading.ok ? reading.value : undefined;
  }
}
