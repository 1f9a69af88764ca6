import type {
  Claim as ClaimOf,
  ExchangePattern as PatternOf,
  HandlerOf,
  MockHandle,
  SessionHandle,
} from '../../../src/index.ts';
export interface Records {
  pets: components['schemas']['Pet'];
}
export type Handlers = {
  listPets?: HandlerOf<paths['/pets']['get'], Records>;
  createPet?: HandlerOf<paths['/pets']['post'], Records>;
  getPet?: HandlerOf<paths['/pets/{petId}']['get'], Records>;
  getStoreOrders?: HandlerOf<paths['/store/orders']['get'], Records>;
  sendMessage?: HandlerOf<paths['/messages']['post'], Records>;
};
export type Handler<Id extends OperationId> = NonNullable<Handlers[Id]>;

export type OperationId = keyof Handlers;
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
    get: operations['listPets'];
    put?: never;
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
    NewPet: {
      name: string;
      categoryId: number;
      status?: components['schemas']['PetStatus'];
    };
    Pet: components['schemas']['NewPet'] & {
      id: number;
    };
    PetStatus: 'available' | 'pending' | 'sold';
    Pets: components['schemas']['Pet'][];
    Error: {
      code: string;
      message: string;
      status: number;
    };
    Message: {
      id?: string;
      message?: string;
      status?: string;
      createdAt?: string;
    };
  };
  responses: {
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
        limit?: number;
        status?: components['schemas']['PetStatus'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
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
    requestBody: {
      content: {
        'application/json': components['schemas']['NewPet'];
      };
    };
    responses: {
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pet'];
        };
      };
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
        petId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pet'];
        };
      };
      401: components['responses']['Unauthorized'];
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
    requestBody: {
      content: {
        'application/json': {
          message: string;
        };
      };
    };
    responses: {
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'];
        };
      };
      401: components['responses']['Unauthorized'];
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
