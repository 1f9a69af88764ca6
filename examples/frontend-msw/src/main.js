import { setupWorker } from 'msw/browser';
import { vouchHandlers } from 'vouch/msw';
import sources from 'virtual:vouch';
import { addPet, listPets } from './pets.js';

// A real application does this only in development: `if (import.meta.env.DEV)`.
const worker = setupWorker(...(await vouchHandlers({ ...sources, url: '/api' })));
await worker.start({ onUnhandledRequest: 'bypass' });

const [list, form, status] = ['ul', 'form', '[role=status]'].map((name) =>
  document.querySelector(name),
);

async function show() {
  list.replaceChildren(
    ...(await listPets()).map(({ name }) => {
      const item = document.createElement('li');
      item.textContent = name;
      return item;
    }),
  );
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const refusal = await addPet(new FormData(form).get('name'));
  status.textContent = refusal ?? '';
  await show();
});
await show();
