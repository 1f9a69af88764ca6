/**
 * What a partner builds on the service: a catalogue of the animals that are for sale, and animals of its own offered there. Reading is
 * tried three times where the service is away or the connection breaks. An offer is sent once: it may have been taken all the same.
 */
export function makeCatalogue({
  url,
  key,
  fetch = globalThis.fetch,
  wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
}) {
  async function send(path, request = {}) {
    const answer = await fetch(`${url}${path}`, {
      ...request,
      headers: { ...request.headers, Authorization: `Bearer ${key}` },
    });
    if (answer.status === 503) throw new Error('The service is not available.');
    const body = await answer.json();
    if (!answer.ok) throw new Refusal(body.message);
    return body;
  }

  async function read(path, attempt = 1) {
    try {
      return await send(path);
    } catch (error) {
      if (error instanceof Refusal || attempt === 3) throw error;
      await wait(100 * attempt);
      return read(path, attempt + 1);
    }
  }

  async function offer(name, categoryId) {
    try {
      return await send('/pets', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name, categoryId, status: 'available' }),
      });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Error(
        `Nobody knows whether ${name} was added. Look at the list before you offer it again.`,
        { cause: error },
      );
    }
  }

  return {
    forSale: async () =>
      (await read('/pets?status=available&limit=100')).map(({ id, name }) => ({ id, name })),
    offer,
  };
}

/** What the service will not do, in its own words. */
export class Refusal extends Error {}
