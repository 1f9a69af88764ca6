import { pick } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { bodyOf, check, fail, placed, type Call } from './call.ts';
import { bodyRule, isId, members } from './rules.ts';
import {
  allOf,
  findOne,
  idIn,
  type Contents,
  type Current,
  type Identifier,
  type Kind,
  type Reference,
} from './store.ts';

/** What the body has of the members that clients may send. */
export function sentOf<K extends Kind>(call: Call, kind: K, isUpdate = false): Contents[K] {
  const body = bodyOf(call);
  check(call, kind, [bodyRule(kind, isUpdate), body]);
  if (isUpdate && (body as Json)['id'] !== placed(call, 'id'))
    if (kind !== 'Patient' || !call.service.has('other-id-accepted'))
      fail(call.service, 'structure', 'The id is not that of the address.', `${kind}.id`);
  const sent: unknown = pick(body, Object.keys(members[kind]));
  return sent as Contents[K];
}

/** The id of a new resource. */
export function newId(call: Call, kind: Kind): string {
  if (kind !== 'Patient' || !call.service.has('client-id-kept')) return call.service.nextId();
  const { id } = bodyOf(call) as Json;
  return typeof id === 'string' && isId(id) ? id : call.service.nextId();
}

/** The resource that a reference is to; refuses one to nothing. */
export function referred<K extends Kind>(
  { practice, service }: Call,
  kind: K,
  [reference, place]: readonly [Reference, string],
): Current<Contents[K]> {
  const found = findOne(practice, kind, idIn(reference));
  return found ?? fail(service, 'rule', `There is no ${reference.reference}.`, place);
}

/** Refuses a reference to a practitioner who is not there, or not active. */
export function checkActive(call: Call, place: readonly [Reference, string]): void {
  const { content } = referred(call, 'Practitioner', place);
  if (content.active === false)
    fail(call.service, 'rule', 'The practitioner is not active.', place[1]);
}

const isSame = (a: Identifier, b: Identifier): boolean =>
  (a.system ?? '') === (b.system ?? '') && a.value === b.value;

/** Refuses an identifier that another resource of the kind has. */
export function checkIdentifiers(
  { practice, service }: Call,
  kind: 'Patient' | 'Practitioner',
  [content, ownId]: readonly [{ readonly identifier?: readonly Identifier[] }, string | undefined],
): void {
  const isWide = kind === 'Patient' && service.has('identifier-of-other-taken');
  const places = isWide ? [service.linden, service.hafen] : [practice];
  const others = places.flatMap((place) => allOf(place, kind)).filter(({ id }) => id !== ownId);
  const taken = others.flatMap((other) => other.content.identifier ?? []);
  if (content.identifier?.some((each) => taken.some((other) => isSame(each, other))) === true)
    fail(service, 'taken', 'The identifier is that of another one.', `${kind}.identifier`);
}
