import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../api.ts';
import { objectOf, objectsOf, textOf, without, type Json } from '../json.ts';
import type { CensusRecord, Service } from '../service.ts';

/** Jupyter Server: files, kernels, sessions, terminals and sections of the configuration. */
export const jupyter: Service = {
  name: 'jupyter',
  title: 'Jupyter Server',
  version: '2.21.1',
  install: { from: 'pypi', requirements: 'jupyter.txt' },
  start: ({ installed, data, ports }) => {
    mkdirSync(join(data, 'files'), { recursive: true });
    const folders = {
      JUPYTER_CONFIG_DIR: 'config',
      JUPYTER_DATA_DIR: 'data',
      JUPYTER_RUNTIME_DIR: 'runtime',
      IPYTHONDIR: 'ipython',
    };
    return {
      program: join(installed, 'bin/jupyter-server'),
      args: [
        ...flags,
        '--ip=127.0.0.1',
        `--port=${String(ports[0])}`,
        `--ServerApp.root_dir=${join(data, 'files')}`,
      ],
      env: Object.fromEntries(
        Object.entries(folders).map(([name, folder]) => [name, join(data, folder)]),
      ),
    };
  },
  ready: { path: '/api/status' },
  document: async ({ data }, api) => {
    const file = join(data, 'jupyter.yaml');
    writeFileSync(file, (await api.send('GET', '/api/spec.yaml')).text);
    return file;
  },
  basePath: '',
  auth: { headers: {} },
  examples: { '*': { path: 'report.txt', section_name: 'notebook', terminal_id: '1' } },
  kinds: [
    { name: 'file', createdBy: ['POST /api/contents/{path}', 'PUT /api/contents/{path}'] },
    { name: 'checkpoint', createdBy: ['POST /api/contents/{path}/checkpoints'] },
    { name: 'kernel', createdBy: ['POST /api/kernels', 'POST /api/sessions'] },
    { name: 'session', createdBy: ['POST /api/sessions'] },
    { name: 'terminal', createdBy: ['POST /api/terminals'] },
    { name: 'setting', createdBy: ['PATCH /api/config/{section_name}'] },
  ],
  seed,
  census,
};

/** Its document describes no credentials, so the server is started without any. */
const flags = [
  '--no-browser',
  '--allow-root',
  '--IdentityProvider.token=',
  '--ServerApp.disable_check_xsrf=True',
  '--ServerApp.port_retries=0',
];

const sections = ['notebook', 'tree', 'terminal', 'editor', 'common'];

async function seed(api: Api): Promise<void> {
  for (const name of ['report', 'budget', 'thesis', 'survey', 'notes']) {
    await api.ask('PUT', `/api/contents/${name}.txt`, {
      type: 'file',
      format: 'text',
      content: `The ${name}`,
    });
    await api.ask('PUT', `/api/contents/${name}`, { type: 'directory' });
    await api.ask('PUT', `/api/contents/${name}/data.txt`, {
      type: 'file',
      format: 'text',
      content: `Data of the ${name}`,
    });
    await api.ask('POST', `/api/contents/${name}.txt/checkpoints`);
    await api.ask('POST', '/api/terminals');
    await api.ask('POST', '/api/sessions', {
      path: `${name}.ipynb`,
      name,
      type: 'notebook',
      kernel: { name: 'python3' },
    });
  }
  for (const section of sections)
    await api.ask('PATCH', `/api/config/${section}`, { theme: 'dark', size: 12 });
}

async function census(api: Api): Promise<CensusRecord[]> {
  const kernels = objectsOf(await api.ask('GET', '/api/kernels'));
  const sessions = objectsOf(await api.ask('GET', '/api/sessions'));
  const terminals = objectsOf(await api.ask('GET', '/api/terminals'));
  const settings = await Promise.all(
    sections.map((section) => api.ask('GET', `/api/config/${section}`)),
  );
  return [
    ...(await filesIn(api, '')),
    // When a kernel was active last, and for how many clients, changes by itself.
    ...kernels.map((kernel) =>
      recordOf('kernel', textOf(kernel, 'id'), { name: kernel['name'] ?? null }),
    ),
    ...sessions.map((session) =>
      recordOf('session', textOf(session, 'id'), {
        ...without(session, 'kernel'),
        kernel: textOf(session['kernel'], 'id'),
      }),
    ),
    ...terminals.map((terminal) => recordOf('terminal', textOf(terminal, 'name'), {})),
    ...settings.map((content, at) => recordOf('setting', sections[at] ?? '', content)),
  ];
}

async function filesIn(api: Api, folder: string): Promise<CensusRecord[]> {
  const records: CensusRecord[] = [];
  for (const { path, type } of objectsOf(
    objectOf(await api.ask('GET', `/api/contents/${encode(folder)}`))['content'],
  )) {
    records.push(...(await fileAt(api, textOf(path), textOf(type))));
  }
  return records;
}

async function fileAt(api: Api, path: string, type: string): Promise<CensusRecord[]> {
  const names = [path, path.split('/').at(-1) ?? path];
  // A folder is modified whenever something is created in it.
  if (type === 'directory')
    return [{ kind: 'file', id: path, names, content: type }, ...(await filesIn(api, path))];
  const { json } = await api.send('GET', `/api/contents/${encode(path)}`);
  const checkpoints = objectsOf(
    (await api.send('GET', `/api/contents/${encode(path)}/checkpoints`)).json,
  );
  return [
    { kind: 'file', id: path, names, content: without(json, 'hash', 'hash_algorithm') },
    ...checkpoints.map((checkpoint): CensusRecord => ({
      kind: 'checkpoint',
      id: `${path} ${textOf(checkpoint, 'id')}`,
      names: [textOf(checkpoint, 'id'), path],
      content: checkpoint,
    })),
  ];
}

function encode(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function recordOf(kind: string, id: string, content: Json): CensusRecord {
  return { kind, id, names: [id], content };
}
