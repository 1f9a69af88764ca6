import type { Contract, Operation } from '../../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import { defined, type JsonValue } from '../../json/value.ts';
import { editAnswers, editBodies, editRequests, type Target } from './edit-service.ts';
import type { Family, Mutation, Mutator, Plant, Service } from './mutant.ts';

/** Where a mutation can be planted: an operation, and what its kind selects beside it. */
export type Place = Pick<Target, 'status'> & { readonly operation: Operation };

/** The request of an answer, and the service that gives it. */
export interface Scene {
  readonly request: HttpRequest;
  readonly service: Service;
}

/** An edit that leaves a message unchanged if it returns undefined. */
type Edit<Message, At> = (
  message: Message,
  place: At,
  scene: Scene,
) => Message | undefined | Promise<Message | undefined>;

/** What a kind of mutation changes: the first of these that is easy to state. */
type Change<At extends Place> =
  | { readonly request: (request: HttpRequest, place: At) => HttpRequest | undefined }
  | { readonly answer: Edit<HttpResponse, At>; readonly status?: Target['status'] }
  | { readonly body: Edit<JsonValue, At>; readonly status?: Target['status'] }
  /** Anything in the exchanges of the operation; called once for each service. */
  | { readonly act: (place: At) => Plant }
  /** Anything in the exchanges of all operations. */
  | { readonly plant: (place: At) => Plant };

export type Kind<At extends Place> = Change<At> &
  Pick<Mutator, 'rule' | 'killedBy'> &
  Pick<Mutation, 'second'> & {
    /** The places where a contract allows it, the clearest first. */
    readonly where: (contract: Contract) => readonly At[];
    /** What the operation does, after its id: `ignores limit`. */
    readonly says: string | ((place: At) => string);
    /** The number of places that get a mutation: more add little. The default is 3. */
    readonly max?: number;
    /** Why a run may be unable to show it, as in `Mutation`. */
    readonly hidden?: (place: At) => string | undefined;
    readonly seedRecords?: (place: At) => number;
    /** Whether a check can only warn of it at this place. */
    readonly warns?: (place: At) => boolean;
  };

/** The number of places of one kind that get a mutation: more add little. */
export const maxOfKind = 3;

export function mutantsOf(
  family: Family,
): <At extends Place>(id: string, kind: Kind<At>) => Mutator {
  return (id, kind) => ({
    id,
    family,
    rule: kind.rule,
    ...defined({ killedBy: kind.killedBy }),
    find: (contract) =>
      kind
        .where(contract)
        .slice(0, kind.max ?? maxOfKind)
        .map((place) => ({
          mutator: id,
          title: titleOf(kind, place),
          operation: place.operation.id,
          ...defined({
            hidden: kind.hidden?.(place),
            seedRecords: kind.seedRecords?.(place),
            second: kind.second,
            killedBy: kind.warns?.(place) === true ? ('warning' as const) : undefined,
          }),
          plant: plantOf(kind, place),
        })),
  });
}

function titleOf<At extends Place>({ says }: Kind<At>, place: At): string {
  return `${place.operation.id} ${typeof says === 'string' ? says : says(place)}`;
}

function plantOf<At extends Place>(kind: Kind<At>, place: At): Plant {
  const { operation } = place;
  if ('plant' in kind) return kind.plant(place);
  if ('act' in kind) return onlyAt(operation, () => kind.act(place));
  if ('request' in kind)
    return (service, fired) =>
      editRequests(service, fired, operation, (request) => kind.request(request, place));
  const target = { operation, ...defined({ status: kind.status ?? place.status }) };
  return (service, fired) =>
    'answer' in kind
      ? editAnswers(service, fired, target, (response, request) =>
          kind.answer(response, place, { request, service }),
        )
      : editBodies(service, fired, target, (body, request) =>
          kind.body(body, place, { request, service }),
        );
}

/** Plants a change for the requests of one operation. */
function onlyAt(operation: Operation, act: () => Plant): Plant {
  return (service, fired) => {
    const mutated = act()(service, fired);
    return (request) =>
      service.operationOf(request) === operation ? mutated(request) : service.respond(request);
  };
}
