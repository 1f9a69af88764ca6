import { dirname } from 'node:path';
import type { WorkflowOptions } from '../../check/engine/settings.ts';
import type { Secret } from '../../check/secrets/secrets.ts';
import { VouchError } from '../../errors.ts';
import type { JsonValue } from '../../json/value.ts';
import { readConfigOnce } from '../../library/load-once.ts';
import type { Io } from '../io.ts';
import type { CheckFlags } from './check-flags.ts';

/**
 * The workflows of a run: those of the flags, otherwise those of the configuration. Undefined if
 * there are none. Throws a VouchError (`workflow-invalid`) with the place of an error.
 */
export async function readWorkflowOptions(
  io: Io,
  { workflows: named, workflowsOnly, input, config: file, root, demo }: CheckFlags,
): Promise<WorkflowOptions | undefined> {
  const config = demo === true ? undefined : await readConfigOnce(process.cwd(), file);
  const paths = named.length > 0 ? named : (config?.workflows ?? []);
  if (paths.length === 0) {
    const idle = workflowsOnly ? '--workflows-only' : input.length > 0 ? '--input' : undefined;
    if (idle === undefined) return undefined;
    throw new VouchError('usage', `${idle} needs workflows.`, { hint: 'Add --workflows FILE.' });
  }
  const { loadWorkflows } = await import('../../config/read-data.ts');
  const secrets: Secret[] = [];
  const given = [...Object.entries(config?.workflowInputs ?? {}), ...input.map(readFlag)];
  const inputs = given.map(([name, value]) => [name, readInput(name, value, { io, secrets })]);
  return {
    files: await loadWorkflows(paths, {
      root,
      ...(named.length > 0 || config?.file === undefined ? {} : { named: dirname(config.file) }),
    }),
    inputs: Object.fromEntries(inputs) as Record<string, JsonValue>,
    secrets,
    ...(workflowsOnly ? { alone: true } : {}),
  };
}

function readFlag(word: string): [name: string, value: JsonValue] {
  const at = word.indexOf('=');
  if (at < 1)
    throw new VouchError('usage', `--input ${word} is not given as NAME=VALUE.`, {
      hint: 'Write --input username=alice, or for a secret --input password=env:PASSWORD.',
    });
  return [word.slice(0, at), word.slice(at + 1)];
}

function readInput(
  name: string,
  value: JsonValue,
  { io, secrets }: { readonly io: Io; readonly secrets: Secret[] },
): JsonValue {
  const variable =
    typeof value === 'string' ? /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(value)?.[1] : undefined;
  if (variable === undefined) return value;
  const secret = io.env[variable] ?? '';
  if (secret === '')
    throw new VouchError(
      'usage',
      `The environment variable ${variable}, which should hold the input ${name}, is not set.`,
      { hint: `Set it first: export ${variable}=…` },
    );
  secrets.push({ value: secret, shell: `$${variable}` });
  return secret;
}
