import type { Exchange } from '../model/exchange.ts';

/** An exchange that somebody else recorded, such as an entry of a HAR file. */
export interface RecordedTraffic {
  /** Where it stands, for a person: `entry 12 (GET /v1/pets)`. */
  readonly label: string;
  /**
   * Its `baseUrl` is only the origin: which part of the path is the base is found by the contract.
   */
  readonly exchange: Exchange;
  /** Whether the response's body was recorded too. */
  readonly bodyRecorded: boolean;
}

/**
 * What a recording holds, and how many of its entries have no answer that could be judged, by the
 * reason.
 */
export interface Traffic {
  /** The file's name, for a person. */
  readonly file: string;
  readonly exchanges: readonly RecordedTraffic[];
  readonly unusable: ReadonlyMap<string, number>;
}
