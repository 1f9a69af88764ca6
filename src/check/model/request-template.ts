import type { MediaTypeSpec, Parameter } from '../../contract/model.ts';
import type { HeaderList } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';

/**
 * What one argument is: known when the plan is made, or taken from an earlier answer when the
 * request is sent.
 */
export type Source =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** As it is to stand on the wire, before percent-encoding: `1e2`, `abc`. */
  | { readonly kind: 'text'; readonly text: string }
  /** As it is to stand on the wire, percent-encoded or meant to be. */
  | { readonly kind: 'raw'; readonly text: string }
  /**
   * The identifier of any record of the resource that the run knows of; `otherwise` where it knows
   * none. With `parent`, here and below, not the identifier: what stands in that segment of the
   * record's path (counted from 0), such as the owner of a thing.
   */
  | {
      readonly kind: 'known';
      readonly resource: string;
      readonly parent?: number;
      readonly otherwise?: JsonValue;
    }
  /**
   * What fills a segment (counted from 0) of the path of a record that answers showed, where no
   * resource of the contract has it: for requests that only read. `path` is that of the record,
   * with every parameter as `{}`, and `name` that of the parameter.
   */
  | {
      readonly kind: 'seen';
      readonly path: string;
      readonly segment: number;
      readonly name: string;
    }
  /**
   * The identifier of a record of the resource that the run created: the only ones that it may
   * change.
   */
  | { readonly kind: 'own'; readonly resource: string; readonly parent?: number }
  /** The identifier of the record that an earlier step of the same sequence created. */
  | { readonly kind: 'created'; readonly resource: string; readonly parent?: number }
  /** The identifier of the first record that an earlier step of the same sequence listed. */
  | { readonly kind: 'listed'; readonly resource: string; readonly parent?: number }
  /**
   * The identifier that an earlier read of the same sequence asked for, where it was told that
   * there is no such record.
   */
  | { readonly kind: 'absent'; readonly resource: string }
  /**
   * A text that no request bore before, a new one each time it is written: a UUID, or so many
   * hexadecimal digits.
   */
  | { readonly kind: 'unique'; readonly digits?: number }
  /** The value of a field in the record that was created or listed first. */
  | { readonly kind: 'field'; readonly resource: string; readonly field: string }
  /**
   * What a runtime expression comes to on the exchange of an earlier step of the same sequence: the
   * last one of that operation, or the first (OpenAPI 3.1, section 4.8.20).
   */
  | {
      readonly kind: 'link';
      readonly operation: string;
      readonly expression: string;
      readonly first?: true;
    }
  /**
   * The value of a field that some of the records which are known have in common, and others have
   * not: at least so many of them, and as few as may be.
   */
  | {
      readonly kind: 'held';
      readonly resource: string;
      readonly field: string;
      readonly least: number;
    }
  /**
   * The size of a page, or the number of records before it, where the last list of the same
   * sequence that was asked for as a whole comes to so many pages or a few less. Nothing for a page
   * (counted from 1) that would begin behind its end.
   */
  | {
      readonly kind: 'share';
      readonly resource: string;
      readonly pages: number;
      readonly page: number;
      readonly of: 'size' | 'start';
    }
  /**
   * What the list's last page, in an earlier step of the same sequence, says that a parameter is on
   * the page after it.
   */
  | { readonly kind: 'next'; readonly resource: string; readonly parameter: string };

/** What one parameter of a request is filled with. */
export interface Argument {
  readonly parameter: Parameter;
  readonly source: Source;
}

/**
 * A body before it is written. `bytes` without a media type are sent without `Content-Type`.
 * `identifier` says where the body names the record that it creates, by a name that the run made
 * up. With `namedBy`, a path parameter, the body takes the record's name from the path instead.
 */
export type BodyTemplate =
  /**
   * With `onto`, the id of a read in the same sequence: what that answered first, as far as this
   * operation takes it, with the members of `value` in it. The request is not sent where that would
   * be no valid body.
   */
  | {
      readonly kind: 'json';
      readonly mediaType: string;
      readonly value: JsonValue;
      readonly onto?: string;
      readonly identifier?: IdentifierPath;
      readonly namedBy?: string;
    }
  /**
   * A value in a media type that is not JSON: a form, XML, text, a file. A range is written as one
   * of the types that it takes in.
   */
  | {
      readonly kind: 'content';
      readonly media: MediaTypeSpec;
      readonly value: JsonValue;
      readonly identifier?: IdentifierPath;
      readonly namedBy?: string;
    }
  | { readonly kind: 'bytes'; readonly mediaType?: string; readonly bytes: Uint8Array };

/** A request before it is written: what it carries, by parameter. */
export interface RequestTemplate {
  readonly arguments: readonly Argument[];
  readonly body?: BodyTemplate;
  readonly credential: CredentialChoice;
  /** The scheme whose credential it is; the other schemes of the requirement have the right one. */
  readonly scheme?: string;
  /** The identity whose credential it carries, by name; absent for the run's own. */
  readonly identity?: string;
  /** Another method than the operation's: HEAD, or one that the path does not declare. */
  readonly method?: string;
  /** Fields beside those that the operation asks for. */
  readonly headers?: HeaderList;
  /**
   * The create of the same sequence whose `Location` is asked, in the place of the operation's
   * path: only where it leads to another path of the same origin.
   */
  readonly locatedBy?: string;
}

/** The members that lead to a record's identifier in a body: `['id']`, or `['data', 'id']`. */
export type IdentifierPath = readonly string[];

/**
 * Which credential a request carries. `empty` has the scheme and nothing after it, `prefix` is the
 * right one without its last character, `longer` the right one with more behind it, `other-case`
 * the right one with small letters for capitals and the other way round, `wrong-scheme` the right
 * one under a scheme that the contract does not have, `other-scheme` a made-up one under such a
 * scheme.
 */
export type CredentialChoice =
  | 'given'
  | 'none'
  | 'empty'
  | 'wrong'
  | 'wrong-scheme'
  | 'other-scheme'
  | 'prefix'
  | 'longer'
  | 'other-case';
