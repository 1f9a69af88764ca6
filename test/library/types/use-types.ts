// What the types of a contract allow, and what they refuse when it is compiled with the tests.
import type { Claim, Handler, Handlers, Mock, Records, Session } from './petstore.ts';

export const createPet: Handler<'createPet'> = async ({ request, records, next }) => {
  const { name } = request.body;
  const known: Records['pets'][] = await records.list('pets');
  if (known.some((pet) => pet.name === name))
    return { status: 400, body: { code: 'TAKEN', message: 'taken', status: 400 } };
  const made = await next();
  return made.status === 201 ? { body: { ...made.body, name: name.toUpperCase() } } : made;
};

export const handlers: Handlers = {
  createPet,
  listPets: ({ request }) => (request.query.limit === 1 ? { body: [] } : undefined),
};
// @ts-expect-error There is no such operation.
export const unknown: Handlers = { listPet: () => undefined };

// @ts-expect-error There is no such parameter.
export const other: Handler<'getPet'> = ({ request }) => void request.path.id;
// @ts-expect-error A pet has a name.
export const less: Handler<'getPet'> = () => ({ body: { id: 1 } });
// @ts-expect-error There are no such records.
export const lost: Handler<'getPet'> = ({ records }) => void records.get('pet', 1);

export function verify(mock: Mock, session: Session): number {
  const claim: Claim = { operation: 'createPet', count: 1 };
  // @ts-expect-error There is no such operation.
  session.verify({ operation: 'createPets' });
  return mock.verify(claim);
}
