import { usage } from '../../errors.ts';
import type { HttpRequest } from '../../http/message.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Snapshot } from '../../mock/control/snapshot.ts';
import type { Mock } from '../../mock/mock.ts';
import type { Scenario } from '../../mock/scenarios/scenario.ts';
import type { CallbackSender } from '../callbacks/send-callbacks.ts';
import type { Browsers } from '../browsers.ts';
import type { Disturbance } from '../disturbance.ts';
import type { ConsoleServices } from '../console/console-services.ts';
import type { Journal } from '../journal/journal.ts';
import type { ConsoleLogin } from './console-login.ts';
import type { ControlReply } from './fields.ts';

/** The objects that the control API shows and changes. */
export interface ControlParts {
  readonly mock: Mock;
  readonly journal: Journal;
  readonly snapshots: SavedSnapshots;
  /** The YAML of scenarios that were written in the console and could not be saved in a file. */
  readonly scenarioDrafts: WeakMap<Scenario, string>;
  readonly token: string;
  /** The browsers that may use the console. */
  readonly login: ConsoleLogin;
  /** The bound address of the server. */
  readonly host: string;
  readonly version: string | undefined;
  readonly scenario: string | undefined;
  readonly disturbance: Disturbance;
  /** How the mock treats the browsers of its start page. */
  readonly browsers: Browsers;
  /** The services of the console besides the mock. */
  readonly services: ConsoleServices;
  /** Whether the control API has its own port. */
  readonly apart: boolean;
  /** Undefined if the mock sends no callbacks. */
  readonly callbacks: CallbackSender | undefined;
}

/** A permitted request to the control API with its parsed parts. */
export interface ControlCall {
  readonly parts: ControlParts;
  readonly request: HttpRequest;
  /** The decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
  /** The query; unknown parameters were refused. */
  readonly query: Readonly<Record<string, string>>;
}

/** A response of a route that has a body. */
export interface ControlAnswer {
  readonly description: string;
  readonly schema: JsonObject;
  /** The media type of the body; default JSON. */
  readonly mediaType?: string;
}

/** One operation of the control API with its description in the OpenAPI document. */
export interface ControlRoute {
  /** The operationId. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the prefix: `/snapshots/{name}`. */
  readonly path: string;
  readonly summary: string;
  /** Whether the route needs no token. */
  readonly open?: true;
  /** The query parameters with their descriptions. */
  readonly query?: Readonly<Record<string, string>>;
  /** The headers that the route reads, with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The schema of the request body, if there is one. */
  readonly body?: JsonObject;
  /** Whether the body is optional. */
  readonly bodyOptional?: true;
  /**
   * The responses besides 401, 403 and, if the route has input, 400. One without a schema is a
   * description alone: a problem, or no body.
   */
  readonly answers: Readonly<Record<string, ControlAnswer | string>>;
  /** Throws `usage` for invalid input. A GET changes nothing. */
  answer(call: ControlCall): Promise<ControlReply>;
}

export interface NamedSnapshot {
  readonly name: string;
  readonly takenAt: Date;
  readonly snapshot: Snapshot;
}

const maxSnapshots = 100;

/** The named snapshots in the order of creation. A snapshot with an existing name replaces it. */
export class SavedSnapshots {
  readonly #snapshots = new Map<string, NamedSnapshot>();

  /** Throws `usage` if there are already a hundred. */
  add(named: NamedSnapshot): void {
    if (this.#snapshots.size >= maxSnapshots && !this.#snapshots.has(named.name)) {
      throw usage(`There are ${String(maxSnapshots)} snapshots already.`, {
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

  /** Returns false if there is none with that name. */
  remove(name: string): boolean {
    return this.#snapshots.delete(name);
  }
}
