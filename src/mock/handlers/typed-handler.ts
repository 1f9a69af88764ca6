import type { Below, HandledRequest, HandlerCall, SessionRecords } from './handler.ts';

/*
 * Handlers as a contract types them. `Operation` is one of the types that openapi-typescript makes:
 * `paths['/pets']['post']`. `vouch types` writes what is below with them.
 */

/** The parameters in one place, none of them needed where all are optional. */
type In<Operation, Place extends string> = Operation extends {
  parameters: { [place in Place]?: infer Given };
}
  ? [Given] extends [undefined]
    ? Readonly<Record<string, never>>
    : Readonly<NonNullable<Given>>
  : Readonly<Record<string, never>>;

type Content<Message> = Message extends { content: infer Media } ? Media[keyof Media] : undefined;

type BodyOf<Operation> = Operation extends { requestBody: infer Body }
  ? Content<Body>
  : Operation extends { requestBody?: infer Body }
    ? Content<NonNullable<Body>> | undefined
    : undefined;

type Responses<Operation> = Operation extends { responses: infer All } ? All : never;

type Successes = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 226;

type Fields = Readonly<Record<string, string>>;

/** An answer with the body of its status; `default` and `4XX` are any other number. */
type Answer<All> = {
  [Status in keyof All]: {
    readonly status: Status extends number ? Status : number;
    readonly headers?: Fields;
    readonly body?: Content<All[Status]>;
  };
}[keyof All];

/** An answer of the operation's success, whose status need not be said. */
type Success<All> = {
  readonly status?: undefined;
  readonly headers?: Fields;
  readonly body?: Content<All[keyof All & Successes]>;
};

/** What `next()` returns: told apart by its status. */
type Made<All> = {
  [Status in keyof All]: {
    readonly status: Status extends number ? Status : number;
    readonly headers: Fields;
    readonly body: Content<All[Status]>;
  };
}[keyof All];

/** A handler of one operation, with the types of its contract. */
export type HandlerOf<Operation, Records extends object> = (
  call: CallOf<Operation, Records>,
) => Returned<Operation> | Promise<Returned<Operation>>;

type Returned<Operation> =
  Answer<Responses<Operation>> | Success<Responses<Operation>> | undefined | void;

/** What a handler of one operation is given, with the types of its contract. */
export interface CallOf<Operation, Records extends object> extends Omit<
  HandlerCall,
  'request' | 'records' | 'next'
> {
  readonly request: Omit<HandledRequest, 'path' | 'query' | 'cookies' | 'body'> & {
    readonly path: In<Operation, 'path'>;
    readonly query: In<Operation, 'query'>;
    readonly cookies: In<Operation, 'cookie'>;
    readonly body: BodyOf<Operation>;
  };
  readonly records: RecordsOf<Records>;
  next(): Promise<Made<Responses<Operation>>>;
}

/** The records of a session, each with the type of its resource. */
export interface RecordsOf<Records extends object> {
  list<Name extends keyof Records & string>(
    resource: Name,
    page?: Parameters<SessionRecords['list']>[1],
  ): Promise<Records[Name][]>;
  get<Name extends keyof Records & string>(
    resource: Name,
    id: string | number,
    place?: Below,
  ): Promise<Records[Name] | undefined>;
  put<Name extends keyof Records & string>(
    resource: Name,
    id: string | number,
    record: Records[Name],
    place?: Below,
  ): Promise<Records[Name]>;
  remove(resource: keyof Records & string, id: string | number, place?: Below): Promise<boolean>;
}
