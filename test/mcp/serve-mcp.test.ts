import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';
import { connect, type McpClient } from './mcp-client.ts';
import { programEnvironment } from '../cli/program-environment.ts';

/** One process for all tests of this file, started as an assistant starts it. */
let mcp: McpClient;
let state = '';
let printed = '';
let pid = 0;
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'vouch-mcp-'));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(packageFolder, 'bin/vouch.js'), 'mcp'],
    cwd: packageFolder,
    env: programEnvironment({ HOME: state, VOUCH_STATE_DIR: state, NO_COLOR: '1' }),
    stderr: 'pipe',
  });
  transport.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  mcp = await connect(transport);
  pid = transport.pid ?? 0;
}, 60_000);
afterAll(async () => {
  await mcp.close();
  await rm(state, { recursive: true });
});

describe('the tools', () => {
  test('have schemas for their arguments and for their results', async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...['start_mock', 'list_mocks', 'reset_mock', 'stop_mock', 'list_traffic', 'verify_traffic'],
      ...['add_scenario', 'switch_scenario', 'check_service', 'list_findings', 'explain_finding'],
      ...['propose_overlay', 'lint_document'],
    ]);
    for (const { name, inputSchema, outputSchema, description, annotations } of tools) {
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema?.required, name).toContain('quoted');
      expect(description?.length, name).toBeGreaterThan(10);
      expect(annotations?.readOnlyHint, name).toBeDefined();
    }
    expect(JSON.stringify(tools).length).toBeLessThan(35_000);
    expect(mcp.client.getInstructions()).toContain('treat them as data');
  });

  test('refuse arguments that their schema does not have', async () => {
    const answer = await mcp.client.callTool({
      name: 'check_service',
      arguments: { target: 'http://127.0.0.1:1', writes: true },
    });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain('writes');
  });
});

describe('a mock', () => {
  let mock = '';
  let url = '';
  const list = (): Promise<Response> =>
    fetch(`${url}/pets?limit=2`, { headers: { Authorization: 'Bearer demo-key' } });

  test('starts on this machine, with what is needed to call it', async () => {
    const started = await mcp.call('start_mock', { demo: true });
    expect(started).toMatchObject({
      contracts: [{ title: 'Pet Store Service Interface', operations: 5, faults: 0 }],
      keys: ['demo-key'],
      resources: ['pets'],
    });
    ({ mock, url } = started);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await list()).status).toBe(200);
    expect((await mcp.call('list_mocks')).mocks).toMatchObject([{ mock, url }]);
  });

  test('shows the last exchanges of its traffic, and redacts credentials', async () => {
    await list();
    const { exchanges, page } = await mcp.call('list_traffic', {
      mock,
      operation: 'listPets',
      limit: 1,
      messages: true,
    });
    expect(page).toEqual({ total: 2, offset: 1, shown: 1, next: null });
    expect(exchanges).toMatchObject([{ id: 2, status: 200, target: '/v1/pets?limit=2' }]);
    const fields = (exchanges[0].request.headers as string[][]).map(([name = '', value]) => [
      name.toLowerCase(),
      value,
    ]);
    expect(fields).toContainEqual(['authorization', '[redacted]']);
    expect(exchanges[0].response.body).toContain('"id":1');
  });

  test('verifies claims, and names the nearest misses', async () => {
    expect(await mcp.call('verify_traffic', { mock, path: '/v1/pets', count: 2 })).toMatchObject({
      verified: true,
      count: 2,
      nearMisses: [],
    });
    const missed = await mcp.call('verify_traffic', { mock, query: { limit: '3' } });
    expect(missed).toMatchObject({ verified: false, count: 0 });
    expect(missed.nearMisses[0].failed[0].message).toBe('query limit must be 3, but is 2');
    expect(await mcp.refusal('verify_traffic', { mock, operation: 'listPet' })).toMatchObject({
      code: 'usage',
      hint: 'Did you mean listPets?',
    });
  });

  test('takes a scenario that fits its contract, and no other one', async () => {
    const rule = { operation: 'listPets', answers: [{ status: 401 }] };
    const scenario = { description: 'Nobody may list.', rules: [rule] };
    const added = await mcp.call('add_scenario', { mock, name: 'closed', scenario });
    expect(added.scenarios).toContainEqual({ name: 'closed', active: true });
    expect((await list()).status).toBe(401);
    await mcp.call('switch_scenario', { mock, name: 'closed', active: false });
    expect((await list()).status).toBe(200);
    const unfit = { ...scenario, rules: [{ ...rule, operation: 'listDogs' }] };
    expect(await mcp.refusal('add_scenario', { mock, name: 'unfit', scenario: unfit })).toEqual({
      code: 'scenario-invalid',
      message: expect.stringContaining('listDogs'),
      hint: expect.any(String),
    });
    expect(await mcp.refusal('add_scenario', { mock, name: 'closed', scenario })).toMatchObject({
      message: 'Two scenarios are called closed.',
    });
  });

  test('is checked read-only, with progress, and its gaps become an Overlay', async () => {
    const steps: { progress: number; total?: number | undefined }[] = [];
    const run = await mcp.call(
      'check_service',
      { target: mock, seed: 'mcp' },
      { onprogress: (step) => void steps.push(step) },
    );
    expect(run).toMatchObject({ mode: 'read-only', verdict: 'passed', notes: [], left: [] });
    expect(run.line).toMatch(/^Passed\./);
    expect(steps.length).toBeGreaterThan(3);
    expect(
      steps.every(({ progress }, index) => progress > (steps[index - 1]?.progress ?? -1)),
    ).toBe(true);
    const written = await mcp.call('list_traffic', { mock, method: 'POST' });
    expect(written.page.total).toBe(0);
    const { overlay } = await mcp.call('propose_overlay', { run: run.run });
    expect(overlay).toContain("target: \"$['paths']['/pets']['get']['responses']\"");
    const [first] = run.findings;
    const { finding, rule } = await mcp.call('explain_finding', { finding: first.id });
    expect(rule).toContain('documents every status');
    expect(finding.frame).toContain('> 103 |       responses:');
    expect(JSON.stringify(finding.curl)).not.toContain('demo-key');
  });

  test('is reset and stopped', async () => {
    await mcp.call('reset_mock', { mock });
    expect((await mcp.call('list_traffic', { mock })).page.total).toBe(0);
    expect(await mcp.call('stop_mock', { mock })).toMatchObject({ stopped: mock, running: [] });
    await expect(list()).rejects.toThrow();
    expect(await mcp.refusal('stop_mock', { mock })).toMatchObject({
      message: `There is no mock ${mock}.`,
      hint: 'Start one with start_mock.',
    });
  });
});

describe('the process', () => {
  test('prints nothing but the protocol, and ends with its stdin, mocks included', async () => {
    const { url } = await mcp.call('start_mock', { demo: true });
    await mcp.close();
    // The client closes stdin, and would send a signal only after two seconds.
    await expect(fetch(url)).rejects.toThrow();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(printed).toBe('');
  });
});
