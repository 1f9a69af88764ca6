import { VouchError } from '../../errors.ts';
import type { HttpRequest } from '../../http/message.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Snapshot } from '../../mock/control/snapshot.ts';
import type { Mock } from '../../mock/mock.ts';
import type { CallbackSender } from '../callbacks/send-callbacks.ts';
import type { Disturbance } from '../console/disturbance.ts';
import type { ConsoleServices } from '../console/console-services.ts';
import type { Journal } from '../journal/journal.ts';
import type { ControlReply } from './control-response.ts';

/** What the control API shows and moves. */
export interface ControlParts {
  readonly mock: Mock;
  readonly journal: Journal;
  readonly snapshots: SavedSnapshots;
  readonly token: string;
  /** The address that the server is bound to. */
  readonly host: string;
  readonly version: string | undefined;
  readonly scenario: string | undefined;
  readonly disturbance: Disturbance;
  /** What the console can do beyond the mock. */
  readonly services: ConsoleServices;
  /** The control API stands on a port of its own, and the mock on another. */
  readonly apart: boolean;
  /** Undefined where the mock sends nothing. */
  readonly callbacks: CallbackSender | undefined;
}

/** A request to the control API that was let in, with its parts read. */
export interface ControlCall {
  readonly parts: ControlParts;
  readonly request: HttpRequest;
  /** The values of the path's parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** The query, in which nothing stands that the route does not know. */
  readonly query: Readonly<Record<string, string>>;
}

/** One status that a route answers with; without a schema there is no body. */
export interface ControlAnswer {
  readonly description: string;
  readonly schema?: JsonObject;
  /** What the body is, where that is not JSON. */
  readonly mediaType?: string;
}

/**
 * One operation of the control API: what it does, and how the OpenAPI document of the API tells of
 * it.
 */
export interface ControlRoute {
  /** The operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the prefix: `/snapshots/{name}`. */
  readonly path: string;
  readonly summary: string;
  /** Needs no token. */
  readonly open?: true;
  /** The query parameters that it takes, with what they mean. */
  readonly query?: Readonly<Record<string, string>>;
  /** The headers that it heeds, with what they mean. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The schema of its body, where it takes one. */
  readonly body?: JsonObject;
  /** A body need not be sent. */
  readonly bodyOptional?: true;
  /** What it answers besides 401, 403 and, where something is to be read, 400. */
  readonly answers: Readonly<Record<string, ControlAnswer>>;
  /** Throws `usage` for what is asked wrongly. A GET changes nothing. */
  answer(call: ControlCall): Promise<ControlReply>;
}

/** Where the control API stands. */
export const controlPrefix = '/__vouch';

/** A snapshot under its name. */
export interface NamedSnapshot {
  readonly name: string;
  readonly takenAt: Date;
  readonly snapshot: Snapshot;
}

const mostSnapshots = 100;

/**
 * The snapshots that were taken by name, in the order of their taking. One taken again under the
 * same name replaces the first.
 */
export class SavedSnapshots {
  readonly #snapshots = new Map<string, NamedSnapshot>();

  /** Throws `usage` where there are a hundred already. */
  add(named: NamedSnapshot): void {
    if (this.#snapshots.size >= mostSnapshots && !this.#snapshots.has(named.name)) {
      throw new VouchError('usage', `There are ${String(mostSnapshots)} snapshots already.`, {
        hint: 'Delete one that is not needed any more.',
      });
    }
    this.#snapshots.delete(named.name);
    this.#snapshots.set(named.name, named);
  }

  find(name: string): NamedSnapshot | undefined {
    return this.#snapshots.get(name);
  }

  list(): readonly NamedSnapshot[] {
    return [...this.#snapshots.values()];
  }

  /** False where there is none of that name. */
  remove(name: string): boolean {
    return this.#snapshots.delete(name);
  }
}
