// Pet Store Service Interface 1.0.0: types made by `vouch types`. Do not edit them: run it again.

import type {
  Claim as ClaimOf,
  ExchangePattern as PatternOf,
  HandlerOf,
  MockHandle,
  SessionHandle,
} from '../../../src/index.ts';

/** The records of each resource, by the names of `vouch mock --explain`. */
export interface Records {
  pets: components['schemas']['Pet'];
}

/** The handler of each operation. */
export interface Handlers {
  listPets?: HandlerOf<paths['/pets']['get'], Records>;
  createPet?: HandlerOf<paths['/pets']['post'], Records>;
  getPet?: HandlerOf<paths['/pets/{petId}']['get'], Records>;
  getStoreOrders?: HandlerOf<paths['/store/orders']['get'], Records>;
  sendMessage?: HandlerOf<paths['/messages']['post'], Records>;
}

/** The handler of one operation: `const handler: Handler<'listPets'> = …`. */
export type Handler<Id extends OperationId> = NonNullable<Handlers[Id]>;

export type OperationId = keyof Handlers;
/** A running mock, a session of it, and what they verify, with the operations of this contract. */
export type Mock = MockHandle<OperationId>;
export type Session = SessionHandle<OperationId>;
export type Claim = ClaimOf<OperationId>;
export type ExchangePattern = PatternOf<OperationId>;

export interface paths {
  '/pets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List animals
     * @description Returns a paginated list of animals.
     */
    get: operations['listPets'];
    put?: never;
    /**
     * Add an animal
     * @description Adds an animal. `name` and `categoryId` are required; the service assigns the `id`.
     */
    post: operations['createPet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/pets/{petId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Fetch one animal
     * @deprecated
     * @description Returns one animal by identifier.
     *
     *     The operation is deprecated and is to be removed on 5 December 2030. It remains callable until then. The replacement
     *     is `GET /pets` with a `status` filter.
     */
    get: operations['getPet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/store/orders': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Store orders
     * @description The source names this operation and shows nothing of what it takes and answers. It is tagged `Store` because the source counts it among the store operations.
     */
    get: operations['getStoreOrders'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/messages': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a message (quickstart sample)
     * @description A message-sending call from the quickstart sample, at an address of its own. It uses the same `Authorization` header as the pet operations, and `Content-Type: application/json`.
     */
    post: operations['sendMessage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description The request body for adding an animal. */
    NewPet: {
      /**
       * @description The animal's name
       * @example Biscuit
       */
      name: string;
      /**
       * Format: int64
       * @description Identifier of the category the animal belongs to
       * @example 1
       */
      categoryId: number;
      /** @description Availability status */
      status?: components['schemas']['PetStatus'];
    };
    /** @description The response form of an animal. A Pet is a NewPet plus the `id` field. */
    Pet: components['schemas']['NewPet'] & {
      /**
       * Format: int64
       * @description Unique identifier assigned on creation
       * @example 1
       */
      id: number;
    };
    /**
     * @description The state of an animal. The list operation filters animals by these states.
     * @enum {string}
     */
    PetStatus: 'available' | 'pending' | 'sold';
    /** @description An array of Pet objects. It is the body of a successful list call. */
    Pets: components['schemas']['Pet'][];
    /** @description The body of an error response. */
    Error: {
      /**
       * @description Machine-readable error code
       * @example missing_field
       */
      code: string;
      /**
       * @description Human-readable description
       * @example The field categoryId is required.
       */
      message: string;
      /**
       * @description The HTTP status code. It repeats the status of the response.
       * @example 400
       */
      status: number;
    };
    /** @description The response of the quickstart sample. The source calls none of its fields required. */
    Message: {
      /**
       * @description Identifier of the message
       * @example msg_0001
       */
      id?: string;
      /**
       * @description The text that was sent
       * @example Hello, is Biscuit still available?
       */
      message?: string;
      /**
       * @description Processing status; `queued` is the value the sample returns
       * @example queued
       */
      status?: string;
      /**
       * Format: date-time
       * @description Creation time. An ISO 8601 timestamp in UTC.
       * @example 2030-06-01T09:30:00Z
       */
      createdAt?: string;
    };
  };
  responses: {
    /** @description API key missing or invalid */
    Unauthorized: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
  };
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listPets: {
    parameters: {
      query?: {
        /** @description Maximum number of animals to return */
        limit?: number;
        /** @description Filters by availability status */
        status?: components['schemas']['PetStatus'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pets'];
        };
      };
      401: components['responses']['Unauthorized'];
    };
  };
  createPet: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description The animal to add. */
    requestBody: {
      content: {
        'application/json': components['schemas']['NewPet'];
      };
    };
    responses: {
      /** @description Animal added; the body carries the assigned `id` */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pet'];
        };
      };
      /** @description Body missing required fields or containing invalid values */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      401: components['responses']['Unauthorized'];
    };
  };
  getPet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Identifier of the animal */
        petId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Success */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pet'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description The requested resource could not be found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
    };
  };
  getStoreOrders: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Not shown. Any status and any body may come. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  sendMessage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description The message to send. */
    requestBody: {
      content: {
        'application/json': {
          message: string;
        };
      };
    };
    responses: {
      /** @description An invalid JSON body or a missing `message` field. A missing `Content-Type` header is also a cause to check. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description A Message object */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Message'];
        };
      };
    };
  };
}
