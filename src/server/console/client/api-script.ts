/**
 * How the console talks to the control API. The token comes in the fragment of the address, which
 * no browser sends anywhere; it is taken out of the address at once and kept for this tab alone.
 */
export const apiScript = String.raw`
class Locked extends Error {}

const tokenKey = 'vouch-control-token';
const prefix = new URL('.', location.href).pathname.replace(/\/$/, '');

function takeToken() {
  /* An address within the page begins with a slash. */
  const given = /^#(?:token=)?([\w.~+=-][\w.~+/=-]{15,})$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  sessionStorage.setItem(tokenKey, given);
  history.replaceState(null, '', location.pathname + '#/traffic');
}

function headersOf(body) {
  return { Authorization: 'Bearer ' + (sessionStorage.getItem(tokenKey) ?? ''), Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
}

async function send(method, path, body, { signal, headers = {} } = {}) {
  let response;
  try {
    response = await fetch(prefix + path, { method, headers: { ...headersOf(body), ...headers }, body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body), signal, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Error('The mock does not answer. Is it still running?');
  }
  if (response.status === 401) {
    lock('This is not the token of the mock that runs now. Each start has a new one.');
    throw new Locked();
  }
  return response;
}

async function refusal(response) {
  const text = await response.text();
  let problem = {};
  try { problem = JSON.parse(text); } catch { /* The status is all there is to tell. */ }
  const error = new Error(problem.detail ?? 'The mock answered ' + response.status + '.');
  error.issues = problem.issues ?? [];
  error.problem = problem;
  error.status = response.status;
  return error;
}

async function callText(method, path, body, headers) {
  const response = await send(method, path, body, { headers });
  if (!response.ok) throw await refusal(response);
  return response.text();
}

async function call(method, path, body, headers) {
  const text = await callText(method, path, body, headers);
  return text === '' ? undefined : readJson(text);
}

/* Reads a body piece by piece, and tells of each part that ends with the mark. */
async function readParts(response, mark, tell) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split(mark);
    rest = parts.pop();
    parts.forEach(tell);
  }
}
`;
