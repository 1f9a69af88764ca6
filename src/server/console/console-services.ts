import type { Operation } from '../../contract/model.ts';
import { suggestWord, usage, type VouchError } from '../../errors.ts';
import type { HeaderList } from '../../http/message.ts';
import type { Scenario } from '../../mock/scenarios/scenario.ts';

/**
 * Another configured service of the same contract. A page selects it by name and does not see its
 * credentials.
 */
export interface OtherService {
  readonly name: string;
  readonly kind: 'prism' | 'target';
  /** The base URL without credentials, for display. */
  readonly url: string;
  /** The base URL and the credential of an operation; undefined where no URL is configured. */
  addressOf(operation: Operation | undefined): OtherAddress | undefined;
}

/** Where requests go, and their credentials. */
export interface OtherAddress {
  /** A base URL without a trailing slash. */
  readonly url: string;
  readonly headers: HeaderList;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** A finding as the console shows it; redacted. */
export type CheckFinding = {
  readonly id: string;
  readonly check: string;
  readonly severity: string;
  /** `GET /items and 3 more operations`. */
  readonly operation: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** File, line and column in the contract. */
  readonly place: string;
  readonly frame: string;
  readonly curl: readonly string[];
  /** The OpenAPI Overlay that answers it, as YAML. */
  readonly overlay: string | null;
};

/** A gap of the contract that a change of the document closes; redacted. */
export type CheckGap = {
  readonly id: string;
  readonly message: string;
  readonly observed: string;
  readonly overlay: string;
};

/** An event of a check; `finished` is always the last. */
export type CheckNews =
  | { readonly type: 'planned'; readonly requests: number }
  | { readonly type: 'progress'; readonly done: number }
  | { readonly type: 'finding'; readonly finding: CheckFinding }
  | { readonly type: 'gap'; readonly gap: CheckGap }
  | {
      readonly type: 'finished';
      readonly verdict: string;
      readonly reason: string;
      readonly requests: number;
      /** The id of its HTML report. */
      readonly report: string;
    };

/** The service to check: by name, a base URL on this machine, or this mock. */
export interface CheckStart {
  readonly target?: string;
  readonly url?: string;
  /** Whether the URL is that of this mock, which is sent its own key. */
  readonly itself?: boolean;
  readonly mode: 'read-only' | 'read-write';
}

/** A scenario in a file, with its path as a person names it. */
export interface ScenarioFile {
  readonly file: string;
  readonly yaml: string;
}

export interface ScenarioFiles {
  /** Where new scenarios are saved, as a person names it; undefined if there is no folder. */
  folder(): string | undefined;
  /** The YAML file of a scenario; undefined if there is none. */
  read(name: string): ScenarioFile | undefined;
  /**
   * Writes the YAML file of a scenario, whose name is checked already, and returns its path. Throws
   * a VouchError (`usage`) if that fails.
   */
  write(scenario: Scenario, yaml: string): string;
}

/** The credential of a check, as the command line is given it. */
export type CheckAccess = {
  /** The key of the mock; null if it has none, or the contract asks for none. */
  readonly key: string | null;
  /** Whether VOUCH_TOKEN, which the mock was started with, is sent instead to other servers. */
  readonly fromEnvironment: boolean;
  /** The security schemes that the credential is for, where the contract has several. */
  readonly schemes: readonly string[];
};

/** The functions of the console besides the mock, which the program that starts it provides. */
export interface ConsoleServices {
  /** The origin of the mock, if the console has another one: `http://127.0.0.1:4010`. */
  readonly mockOrigin?: () => string | undefined;
  /** The files of scenarios; without them, scenarios of the console are kept in memory. */
  readonly scenarioFiles?: ScenarioFiles;
  /** The services that can receive requests now; none by default. */
  readonly others?: () => readonly OtherService[];
  /**
   * Checks a service; if absent, the console shows the command instead. Throws a VouchError for a
   * service that cannot be checked.
   */
  readonly check?: (start: CheckStart, signal: AbortSignal) => AsyncIterable<CheckNews>;
  /** What a check of a URL on this machine sends. */
  readonly checkAccess?: () => CheckAccess;
  /**
   * The HTML report of a finished check by its id, which cannot be guessed; undefined if it is
   * unknown or no longer kept.
   */
  readonly report?: (id: string) => string | undefined;
}

/** The error for a service that is not configured. */
export function unknownService(name: string, { others }: ConsoleServices): VouchError {
  const known = others?.().map((other) => other.name) ?? [];
  return usage(`There is no service ${name.slice(0, 80)}.`, {
    hint:
      known.length === 0
        ? 'Start with --prism, or name targets in vouch.config.yaml.'
        : suggestWord(name, known),
  });
}
