// The client of the page. Its types come from the contract: `npm run types` writes contract.d.ts, and `npm run typecheck`
// finds what the contract does not allow.

/** @typedef {import('./contract.d.ts').components['schemas']['Pet']} Pet */
/** @typedef {NonNullable<import('./contract.d.ts').operations['listPets']['parameters']['query']>} ListQuery */
/** @typedef {import('./contract.d.ts').operations['createPet']['requestBody']['content']['application/json']} NewPet */

/** What the service refused, in its own words. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {{ url: string, key: string, fetch?: typeof fetch }} options where the service is, and what opens it
 */
export function makeClient({ url, key, fetch = globalThis.fetch }) {
  /** @param {string} path @param {RequestInit} [init] @returns {Promise<any>} */
  async function ask(path, init = {}) {
    const answer = await fetch(`${url}${path}`, {
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${key}` },
    });
    const body = await answer.json();
    if (!answer.ok) throw new Refusal(answer.status, body.message);
    return body;
  }

  return {
    /** @param {ListQuery} [query] @returns {Promise<Pet[]>} */
    list: (query = {}) =>
      ask(
        `/pets?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
      ),
    /** @param {NewPet} pet @returns {Promise<Pet>} */
    add: (pet) =>
      ask('/pets', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(pet),
      }),
  };
}
