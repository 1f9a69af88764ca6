import { makeClient } from './client.js';

// Where the service is comes with the address of the page: ?service=http://127.0.0.1:4010/v1
const address = new URLSearchParams(location.search);
const client = makeClient({
  url: address.get('service') ?? 'http://127.0.0.1:4010/v1',
  key: address.get('key') ?? 'demo-key',
});

const list = /** @type {HTMLUListElement} */ (document.querySelector('#pets'));
const filter = /** @type {HTMLSelectElement} */ (document.querySelector('#status'));
const form = /** @type {HTMLFormElement} */ (document.querySelector('#add'));
const message = /** @type {HTMLParagraphElement} */ (document.querySelector('#message'));

async function show() {
  const chosen = /** @type {import('./client.js').ListQuery['status'] | ''} */ (filter.value);
  const pets = await client.list(chosen === '' ? { limit: 100 } : { limit: 100, status: chosen });
  list.replaceChildren(
    ...pets.map(({ name, status }) => {
      const item = document.createElement('li');
      item.textContent = `${name} (${status})`;
      return item;
    }),
  );
  message.textContent = pets.length === 0 ? 'There is no animal.' : '';
}

/** @param {() => Promise<void>} work */
async function tellFailure(work) {
  try {
    await work();
  } catch (error) {
    message.textContent = `That did not work: ${error instanceof Error ? error.message : String(error)}`;
  }
}

filter.addEventListener('change', () => tellFailure(show));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void tellFailure(async () => {
    await client.add({
      name: String(new FormData(form).get('name')),
      categoryId: 1,
      status: 'available',
    });
    form.reset();
    await show();
  });
});
void tellFailure(show);
