const headers = { Authorization: 'Bearer demo-key', 'Content-Type': 'application/json' };

/** @param {string} [base] the base URL of the service */
export async function listPets(base = '/api') {
  return (await fetch(`${base}/pets?limit=100`, { headers })).json();
}

/** Adds a pet. Returns why it was refused, otherwise undefined. */
export async function addPet(name, base = '/api') {
  const body = JSON.stringify({ name, categoryId: 1 });
  const response = await fetch(`${base}/pets`, { method: 'POST', headers, body });
  return response.ok ? undefined : (await response.json()).message;
}
