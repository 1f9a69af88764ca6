import type { Source } from './install/source.ts';
import type { Api } from './api.ts';
import type { Json } from './json.ts';

/** One record, or one setting, of a service, as its own API shows it. */
export interface CensusRecord {
  /** The name of its kind, see `Kind`. */
  readonly kind: string;
  /** Unique within its kind. */
  readonly id: string;
  /** Every identifier by which a report may name it. */
  readonly names: readonly string[];
  /** What it holds, without the members that change by themselves. */
  readonly content: Json;
}

/** A kind of record that the census of a service reads. */
export interface Kind {
  readonly name: string;
  /**
   * The operations that create records of this kind, `POST /buckets`, as the OpenAPI document
   * writes them.
   */
  readonly createdBy: readonly string[];
  /**
   * Why a new record of this kind is not a record that a run left: a journal entry, or a part of
   * another record.
   */
  readonly notLeft?: string;
}

/** Where one run of a service keeps its files, and where it listens. */
export interface Place {
  /** The folder of the installation. */
  readonly installed: string;
  /** A new, empty folder for the data of this run. */
  readonly data: string;
  /** Free ports on 127.0.0.1; the first one is the port of the API. */
  readonly ports: readonly [number, number, number];
}

/** The command that starts a service. Its working folder is the data folder. */
export interface Launch {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * A service that is installed from a package registry, and what the benchmark needs to know about
 * it.
 */
export interface Service {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly install: Source;
  /**
   * Writes what the service needs into its data folder, and answers the command that starts it;
   * also of data that is there.
   */
  start(place: Place): Launch | Promise<Launch>;
  /** The request that is repeated until it succeeds. */
  readonly ready: Probe;
  /**
   * The path of the OpenAPI document: in the installation, written from the running service, or
   * from an archive.
   */
  document(place: Place, api: Api): string | Promise<string>;
  /** The path that goes behind the origin in the URL that `vouch check` gets. */
  readonly basePath: string;
  readonly auth: Auth;
  /**
   * With `--examples`: identifiers of records of others, as `check.examples` of a configuration
   * names them. A run may read these records, and must not change them.
   */
  readonly examples?: Examples;
  readonly kinds: readonly Kind[];
  /** Creates the records of others. */
  seed(api: Api): Promise<void>;
  /** Reads every record and setting. */
  census(api: Api): Promise<readonly CensusRecord[]>;
}

/** Values of parameters, by the id of an operation, or `*`, and the name of the parameter. */
export type Examples = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** How to find out whether a service is ready. */
export interface Probe {
  readonly method?: string;
  readonly path: string;
}

/** The credentials that the benchmark itself sends, and those that `vouch check` gets. */
export interface Auth {
  readonly headers: Readonly<Record<string, string>>;
  /** The value of `VOUCH_TOKEN`. */
  readonly token?: string;
}
