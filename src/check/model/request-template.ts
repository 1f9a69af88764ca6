import { wordsIn } from '../../words-in.ts';
import type { MediaTypeSpec, Parameter } from '../../contract/model.ts';
import type { Comparison, Condition } from '../../contract/query-languages/language.ts';
import type { HeaderList } from '../../http/message.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';

/** The source of an argument: known in the plan, or taken from an earlier response. */
export type Source =
  /**
   * With `like`, a resource: instead of the value, an identifier that no record has, in the form of
   * those that responses showed of the resource. With `address`, here and in `made`: the address of
   * such a record, written like this one (`Categories('toys')`).
   */
  | {
      readonly kind: 'value';
      readonly value: JsonValue;
      readonly like?: string;
      readonly address?: string;
    }
  /** The text before percent-encoding: `1e2`, `abc`. */
  | { readonly kind: 'text'; readonly text: string }
  /** The text in percent-encoded form, even if invalid. */
  | { readonly kind: 'raw'; readonly text: string }
  /**
   * The identifier of any known record of the resource; `otherwise` if none is known. With
   * `parent`, here and below, not the identifier, but the value of that segment in the record's
   * path (counted from 0), such as the owner of a thing.
   */
  | {
      readonly kind: 'known';
      readonly resource: string;
      readonly parent?: number;
      readonly otherwise?: JsonValue;
    }
  /**
   * The value of a segment (counted from 0) of a seen record's path that belongs to no resource:
   * for requests that only read. `path` is that of the record, with every parameter as `{}`, and
   * `name` that of the parameter.
   */
  | {
      readonly kind: 'seen';
      readonly path: string;
      readonly segment: number;
      readonly name: string;
      /** What the contract shows, if no record is seen. */
      readonly otherwise?: JsonValue;
    }
  /** The identifier of a record of the resource that the run created: only these may be changed. */
  | { readonly kind: 'own'; readonly resource: string; readonly parent?: number }
  /** The identifier of the record that an earlier step of the same sequence created. */
  | { readonly kind: 'created'; readonly resource: string; readonly parent?: number }
  /** The identifier of the first record that an earlier step of the same sequence listed. */
  | { readonly kind: 'listed'; readonly resource: string; readonly parent?: number }
  /** The identifier that an earlier read of the same sequence requested and did not find. */
  | { readonly kind: 'absent'; readonly resource: string }
  /**
   * A text that no earlier request contained, new each time it is written: a UUID, or this many
   * hexadecimal digits, behind a prefix.
   */
  | { readonly kind: 'unique'; readonly digits?: number; readonly prefix?: string }
  /**
   * The values of several sources, as one list, or as one text with `joint` between them; none if
   * one of them has no value.
   */
  | { readonly kind: 'list'; readonly of: readonly Source[]; readonly joint?: string }
  /** The names of the members of the request's own body, as the value of an update mask. */
  | { readonly kind: 'members' }
  /** The ETag that the record of the path was last shown with; `*` if it is shown without one. */
  | { readonly kind: 'tag' }
  /**
   * The value of a field in the record that was created or listed first. `of`: the one in the
   * middle of all values, if the field has an order; `behind`: the last item of the first record
   * that has several in the field; `other`: a value that the first record does not have;
   * `part`, `beginning`: of its texts, letters that few of them have there, `swapped` in the other
   * case. With `day`, the day of a moment; with `offset`, the moment as it is written so many hours
   * from UTC (RFC 3339). With `own`, of a record of the run only: it names a part of that record.
   */
  | {
      readonly kind: 'field';
      readonly resource: string;
      readonly field: string;
      readonly of?: (typeof takenOf)[number];
      readonly swapped?: true;
      readonly day?: true;
      readonly offset?: number;
      readonly own?: true;
      readonly otherwise?: JsonValue;
    }
  /**
   * The identifier of the record that the step with this title created; with `parent`, what stands
   * in that segment of its path, and with `field`, the value of that field.
   */
  | {
      readonly kind: 'made';
      readonly step: string;
      readonly resource: string;
      readonly parent?: number;
      readonly field?: string;
      readonly address?: string;
    }
  /**
   * What a runtime expression comes to on the exchange of an earlier step of the same sequence: the
   * last one of that operation, or the first, or the one with this title (OpenAPI 3.1, section
   * 4.8.20). With `of`, a path: where the value is the address of what it leads to
   * (`operations/7` of `/v1/operations/{operation}`), what stands in its last segment.
   */
  | {
      readonly kind: 'link';
      readonly operation: string;
      readonly expression: string;
      readonly first?: true;
      readonly step?: string;
      readonly of?: string;
    }
  /**
   * The value of a field that some known records share and others do not: at least this many, and
   * as few as possible. With `otherThan`, the text of a value, another one if any record has it.
   */
  | {
      readonly kind: 'held';
      readonly resource: string;
      readonly field: string;
      readonly least: number;
      readonly otherThan?: string;
    }
  /**
   * An expression in a query language, by its id, that compares fields with those of known records:
   * one by which some records match and others do not, if there is one. With `unlike`, none if a
   * service that misreads it in this way would select the same records. With `within`, it is one
   * over the records in this member of the records of the resource, and stands behind its name: an
   * expansion (OData 4.01, Part 1, section 11.2.5.2.1).
   */
  | {
      readonly kind: 'expression';
      readonly resource: string;
      readonly language: string;
      readonly condition: Condition<Compared>;
      readonly unlike?: Misreading;
      readonly within?: string;
    }
  /**
   * The size of a page, or the number of records before it, such that the last unpaged list of the
   * same sequence has this many pages or a few less. None for a page (counted from 1) that would
   * begin beyond its end. `within`: a text whose number it replaces, `odata.maxpagesize=5`.
   */
  | {
      readonly kind: 'share';
      readonly resource: string;
      readonly pages: number;
      readonly page: number;
      readonly of: 'size' | 'start';
      readonly within?: string;
    }
  /**
   * The value of a parameter for the next page, according to the last page of the list in an
   * earlier step of the same sequence. `altered`: with other letters and digits, so that it is a
   * token that no list gave.
   */
  | {
      readonly kind: 'next';
      readonly resource: string;
      readonly parameter: string;
      readonly altered?: true;
    };

/**
 * How a field is compared with the same field of a record, or with what of its value is taken: a
 * part of an item, the value in the other case, null.
 */
export type Compared = Omit<Comparison, 'value'> & {
  readonly takes?: (typeof takenValues)[number];
};

/** What is taken of the values of a field. */
export const takenOf = ['middle', 'other', 'behind', 'part', 'beginning'] as const;

export const takenValues = ['part', 'other case', 'null'] as const;

/**
 * A mistake of a service that reads expressions: the wrong joint binds more tightly, "not" is lost,
 * upper and lower case are alike, the place of a part is ignored, a part of an item is enough, null
 * is like no value and unlike none; or the whole expression is ignored.
 */
export type Misreading = (typeof misreadings)[number];

export const misreadings = wordsIn('joints negation case place item null whole');

/** A parameter of a request and the source of its value. */
export interface Argument {
  readonly parameter: Parameter;
  readonly source: Source;
}

/**
 * A body before it is written. `bytes` without a media type are sent without `Content-Type`.
 * `identifier` is the path to the identifier of a new record, with a name that the run made up.
 * With `namedBy`, a path parameter, the body repeats the record's name from the path instead.
 * `period`: another record at the same time may be in the way. `codes`: members, by
 * name or by pointer, with texts of a form, such as `AB-12`, which another record may have.
 */
export type BodyTemplate =
  /**
   * With `onto`, the id of a read in the same sequence: the first response of that read, as far as
   * this operation accepts it, with the members of `value`. The request is not sent if the result
   * is not a valid body.
   */
  | (FieldsTemplate & {
      readonly kind: 'json';
      readonly mediaType: string;
      readonly onto?: string;
    })
  /**
   * A value in a media type that is not JSON: a form, XML, text, a file; or the fields of JSON with
   * an envelope, of which one place may be altered. A range is written as one of the types that it
   * includes. With `label`, it is sent under that media type, which is not its own.
   */
  | (FieldsTemplate & {
      readonly kind: 'content';
      readonly media: MediaTypeSpec;
      readonly altered?: Alteration;
      readonly label?: string;
    })
  | { readonly kind: 'bytes'; readonly mediaType?: string; readonly bytes: Uint8Array };

interface FieldsTemplate {
  readonly value: JsonValue;
  readonly fills?: readonly Fill[];
  readonly identifier?: IdentifierPath;
  readonly namedBy?: string;
  readonly period?: Period;
  readonly codes?: readonly string[];
}

/** A place of a whole body that gets another value; without `part` it is left out. */
export interface Alteration {
  readonly at: Pointer;
  readonly part?: JsonValue;
}

/** A place of a body that gets its value when the request is sent. */
export interface Fill {
  readonly at: Pointer;
  readonly source: Source;
}

/** An address that an earlier step of the same sequence showed. */
export interface ShownAddress {
  /** The title of the step, and its operation. */
  readonly step: string;
  readonly operation: string;
  /** A runtime expression on its exchange: `$response.body#/href`. */
  readonly expression: string;
}

/**
 * Whether the record that an earlier step of the same sequence showed links to the operation: a
 * request that is sent only then, or only if it does not. Relations in `except` are those of what
 * can be read at the address.
 */
export interface WhetherLinked {
  readonly step: string;
  readonly is: boolean;
  readonly except: readonly string[];
}

/**
 * A request that is repeated while a member of the answer has one of some values, as texts: `null`
 * also if there is no such member.
 */
export interface Polling {
  readonly at: Pointer;
  readonly values: readonly string[];
  /** The most seconds that it takes. */
  readonly seconds: number;
}

/** A request before it is written: its values, by parameter. */
export interface RequestTemplate {
  readonly arguments: readonly Argument[];
  readonly body?: BodyTemplate;
  readonly credential: CredentialChoice;
  /** The scheme whose credential it is; the other schemes of the requirement have the right one. */
  readonly scheme?: string;
  /** The identity whose credential it carries, by name; absent for the run's own. */
  readonly identity?: string;
  /**
   * The title of the step of the same sequence that logged in: the request carries what that handed
   * out instead of the run's credential, and is not sent without it.
   */
  readonly session?: string;
  /** Another method than the operation's: HEAD, or an undeclared one. */
  readonly method?: string;
  /** Fields besides those that the operation declares. */
  readonly headers?: HeaderList;
  /**
   * The create of the same sequence whose `Location` replaces the operation's path, if it has the
   * same origin and another path.
   */
  readonly locatedBy?: string;
  /** The address that is asked in the place of the operation's path: one of the same origin. */
  readonly address?: ShownAddress;
  readonly polling?: Polling;
  /** Where the answer before shows a moment: the request waits until its clock has moved on. */
  readonly tick?: Pointer;
  /** Set if a link in an earlier answer decides whether it is sent. */
  readonly linked?: WhetherLinked;
}

/** The members of a body between whose moments something is reserved. */
export type Period = readonly [begin: string, end: string];

/** The members on the path to a record's identifier in a body: `['id']`, or `['data', 'id']`. */
export type IdentifierPath = readonly string[];

/**
 * The credential of a request. `empty` is the scheme without a value, `prefix` the right credential
 * without its last character, `longer` the right one with a suffix, `other-case` the right one with
 * the case of its letters inverted, `wrong-scheme` the right one under an undeclared scheme,
 * `other-scheme` a made-up one under such a scheme.
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
