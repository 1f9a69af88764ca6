import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { listedRecords, shownRecord } from '../check/reading/shown-records.ts';
import { createdIdentifier } from '../check/reading/created-record.ts';
import type { RunEvent } from '../check/model/event.ts';
import { roleOf, type Role, type Step } from '../check/model/step.ts';
import type { Redactor } from '../check/secrets/redact.ts';
import { sizeOf } from '../check/traffic/kept-examples.ts';
import { isAddress } from '../contract/load/source.ts';
import type { Resource } from '../contract/model.ts';
import type { FileWriter } from '../files/file-writer.ts';
import { SealedFolder } from '../files/sealed-folder.ts';
import { isSuccess } from '../http/message.ts';
import { splitTarget } from '../http/target.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../json/value.ts';
import type { MockOptions } from '../mock/mock.ts';
import { presentRecord } from '../mock/records/show/present-record.ts';
import { har } from '../report/har.ts';
import type { WrittenRule } from '../server/console/exchange-scenario.ts';
import { recordedRule, writeScenario } from '../server/console/exchange-scenario.ts';
import { isHidden } from '../redact/hide-named.ts';
import type { JournalEntry } from '../server/journal/journal-entry.ts';

/** The most records, changed records, and scripted answers of one recording: it may never end. */
const maxRecords = 10_000;
const maxChanged = 100_000;
const maxAnswers = 1_000;
/** The most bytes of records and of scripted answers. */
const maxBytes = 32 * 1024 * 1024;
/** Longer responses of operations without a resource are not recorded. */
const longestAnswer = 256 * 1024;

/** A record as a response showed it first. */
interface SeenRecord {
  readonly resource: Resource;
  readonly record: JsonObject;
  /** Whether it was read alone: an entry of a list may have fewer fields. */
  readonly isWhole: boolean;
}

/**
 * Collects what a mock needs to play recorded traffic without the service: the records that the
 * service had before the clients changed them, as fixtures, and the responses of operations that
 * belong to no resource, as a scenario.
 */
class TrafficRecorder {
  readonly #options: MockOptions;
  readonly #records = new Map<string, Map<string, SeenRecord>>();
  /** Records that clients made: what is seen of them is not the beginning. */
  readonly #made = new Set<string>();
  /** Records that clients changed: what was seen before is nearer to the beginning. */
  readonly #changed = new Set<string>();
  readonly #steps: Step[] = [];
  #kept = 0;
  #recordBytes = 0;
  #answerBytes = 0;

  /** `options` are those of a mock of the contract. */
  constructor(options: MockOptions) {
    this.#options = options;
  }

  /** Adds a judged exchange with a complete response. */
  add(step: Step): void {
    const { operation } = step.case;
    const role = roleOf(this.#options.contract, operation);
    if (role === undefined) this.#addAnswer(step);
    else if (isSuccess(step.exchange.response?.status ?? 0)) this.#addRole(step, role);
  }

  #addAnswer(step: Step): void {
    const { response } = step.exchange;
    if (response === undefined || response.status >= 500) return;
    const bytes = this.#answerBytes + sizeOf(step);
    if (response.body.length > longestAnswer || bytes > maxBytes) return;
    if (this.#steps.length >= maxAnswers) return;
    this.#answerBytes = bytes;
    this.#steps.push(step);
  }

  #addRole(step: Step, { resource, action }: Role): void {
    const collection = collectionKey(step, resource);
    if (action === 'list')
      for (const record of listedRecords(resource, step.answer) ?? [])
        this.#addRecord(collection, { resource, record, isWhole: false });
    else {
      if (action !== 'read') this.#noteChange(step, { resource, action });
      const record = action === 'create' ? undefined : shownRecord(resource, step.answer);
      if (record !== undefined) this.#addRecord(collection, { resource, record, isWhole: true });
    }
  }

  #noteChange(step: Step, { resource, action }: Role): void {
    const { identifier } = resource;
    const named = [...step.sent.arguments].find(([{ name }]) => name === identifier.parameter);
    const id = action === 'create' ? createdIdentifier(resource, step) : named?.[1];
    // A PUT that answers 201 has made what it names (RFC 9110, section 9.3.4).
    const isMade = action === 'create' || step.exchange.response?.status === 201;
    const noted = isMade ? this.#made : this.#changed;
    if (id !== undefined && noted.size < maxChanged)
      noted.add(`${collectionKey(step, resource)} ${String(id)}`);
  }

  #addRecord(collection: string, seen: SeenRecord): void {
    const { resource, record, isWhole } = seen;
    const id = resource.kind === 'singleton' ? '' : record[resource.identifier.field];
    if (id === undefined || id === null || typeof id === 'object') return;
    const key = String(id);
    // Beyond the limit it is not known any more which records clients made.
    if (this.#made.has(`${collection} ${key}`) || this.#made.size >= maxChanged) return;
    const isChanged = this.#changed.has(`${collection} ${key}`);
    const own = this.#records.get(collection) ?? new Map<string, SeenRecord>();
    const before = own.get(key);
    const isBetter = isWhole && before?.isWhole === false && !isChanged;
    if (before === undefined ? this.#kept >= maxRecords : !isBetter) return;
    const bytes = this.#recordBytes + stringifyJson(record).length;
    if (bytes > maxBytes) return;
    this.#recordBytes = bytes;
    if (before === undefined) this.#kept += 1;
    this.#records.set(collection, own.set(key, seen));
  }

  /** The texts of the recording, all redacted; `scenario` is undefined without a rule. */
  texts(redactor: Redactor): { readonly fixtures: string; readonly scenario: string | undefined } {
    const rules = this.#rules(redactor);
    const about = 'Answers of operations without records, as a proxy recorded them.';
    return {
      fixtures: `${stringifyJson(this.#fixtures(redactor), 2)}\n`,
      scenario: rules.length === 0 ? undefined : writeScenario(about, rules),
    };
  }

  #fixtures(redactor: Redactor): JsonObject {
    const fixtures: Record<string, JsonValue> = {};
    for (const [collection, seen] of this.#records) {
      // What a list leaves out of a record, and what is hidden in one, is filled in: a mock keeps
      // no record that breaks the contract.
      const records = [...seen].flatMap(([key, { resource, record }]) => {
        const shown = redactor.value(record);
        return isJsonObject(shown) ? (presentRecord(resource.record, shown, key) ?? []) : [];
      });
      const [first] = [...seen.values()];
      if (records.length === 0 || first === undefined) continue;
      fixtures[collection] = first.resource.kind === 'singleton' ? (records[0] ?? {}) : records;
    }
    return fixtures;
  }

  /** One rule for each distinct request; the first response counts. */
  #rules(redactor: Redactor): WrittenRule[] {
    const rules = new Map<string, WrittenRule>();
    for (const [index, step] of this.#steps.entries()) {
      const { exchange, case: testCase } = step;
      const { operation } = testCase;
      const shown = redactor.exchange(exchange);
      const { response } = shown;
      if (response === undefined) continue;
      const { body } = step.sent;
      const rule = recordedRule(entryOf(index, shown, operation.id, response), {
        operation,
        options: this.#options,
        redact: redactor,
        body: isJsonObject(body) ? withoutHidden(redactor.value(body)) : undefined,
      });
      const key = `${operation.id} ${stringifyJson(rule?.match ?? {})}`;
      if (rule !== undefined && !rules.has(key)) rules.set(key, rule);
    }
    // A rule with more conditions comes first: the first that fits answers.
    return [...rules.values()].sort((left, right) => conditions(right) - conditions(left));
  }
}

/** A client sends its own secret: a rule must not ask for a hidden one. */
function withoutHidden(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, JsonValue][] => {
      if (isJsonObject(member)) return [[name, withoutHidden(member)]];
      return isHidden(stringifyJson(member)) ? [] : [[name, member]];
    }),
  );
}

function conditions({ match = {} }: WrittenRule): number {
  return Object.values(match).reduce<number>(
    (sum, part) => sum + (isJsonObject(part) ? Object.keys(part).length : 1),
    0,
  );
}

function entryOf(
  id: number,
  { request, durationMs }: Step['exchange'],
  operation: string,
  response: JournalEntry['answer'],
): JournalEntry {
  return {
    id,
    at: 0,
    durationMs,
    request,
    answer: { ...response, operation },
    requestSize: request.body.length,
    answerSize: response.body.length,
    fault: undefined,
    callbacks: 0,
    scenario: undefined,
    refusal: undefined,
    violation: undefined,
    forced: undefined,
  };
}

/** The name of a resource; for records below others, the path of their collection. */
function collectionKey({ exchange, case: testCase }: Step, resource: Resource): string {
  if (resource.parents.length === 0) return resource.name;
  const { path } = splitTarget(exchange.request.target);
  const base = new URL(exchange.baseUrl).pathname.replace(/\/+$/, '');
  const own = path.slice(base.length).split('/');
  const length = resource.collectionPath.split('/').length;
  return own.length >= length ? own.slice(0, length).join('/') : testCase.operation.path;
}

/** Writes a recording into a folder: `traffic.har`, and at the end what the mock plays. */
export class Recording {
  readonly #path: string;
  readonly #root: SealedFolder;
  readonly #folders: Readonly<Record<'fixtures' | 'scenarios', SealedFolder>>;
  readonly #options: MockOptions;
  readonly #recorder: TrafficRecorder;
  readonly #har: FileWriter;
  readonly #write = har.begin();

  /** Throws a VouchError (`usage`) if the folder cannot be written, or has links in the way. */
  constructor(folder: string, options: MockOptions) {
    this.#path = resolve(folder);
    this.#options = options;
    this.#recorder = new TrafficRecorder(options);
    this.#root = new SealedFolder(this.#path);
    const [fixtures, scenarios] = [this.#root.folder('fixtures'), this.#root.folder('scenarios')];
    this.#folders = { fixtures, scenarios };
    this.#har = this.#root.openFile('traffic.har');
  }

  take(event: RunEvent): void {
    const text = this.#write(event);
    if (text !== '') this.#har.write(text);
  }

  add(step: Step): void {
    this.#recorder.add(step);
  }

  finish(redactor: Redactor): void {
    this.#har.finish();
    const { fixtures, scenario } = this.#recorder.texts(redactor);
    this.#folders.fixtures.writeFile('recorded.json', fixtures);
    if (scenario !== undefined) this.#folders.scenarios.writeFile('recorded.yaml', scenario);
    const { file } = this.#options.contract;
    const contract = isAddress(file) ? file : relative(this.#path, resolve(file));
    const isNamed = isAddress(file) ? !file.includes('?') : existsSync(resolve(file));
    const named = isNamed ? `contract: ${JSON.stringify(contract)}\n` : '';
    const config = `${named}mock:\n  fixtures: fixtures\n  scenarios: scenarios\n`;
    this.#root.writeFile('vouch.config.yaml', config);
    this.#root.close();
  }
}
