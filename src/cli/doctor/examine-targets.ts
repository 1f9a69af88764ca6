import type { TargetConfig } from '../../config/config.ts';
import { isLoopbackHost, hostOf } from '../../http/host.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { askHead } from './ask-head.ts';
import type { Diagnosis, Patient } from './examination.ts';

/** Whether the tokens are there that a check of this contract needs. */
export function examineToken({ io, contract, config }: Patient): Diagnosis[] {
  if (contract instanceof Error || config instanceof Error) return [{ level: 'warn', text: 'not looked at, because contract and configuration say which are needed' }];
  if (contract.operations.every(({ security }) => security.length === 0)) return [{ level: 'ok', text: 'none is needed: the contract asks for none' }];
  const named = Object.entries(config.targets).flatMap(([target, { auth }]) => variablesOf(auth).map((variable) => ({ target, variable })));
  const general: Diagnosis = isSet(io.env['VOUCH_TOKEN']) ? { level: 'ok', text: 'VOUCH_TOKEN is set' } : { level: 'warn', text: 'VOUCH_TOKEN is not set: what needs a token will be skipped by vouch check', hint: "Set it: export VOUCH_TOKEN=… (the mock's is demo-key)" };
  const own = named.map(({ target, variable }): Diagnosis => (isSet(io.env[variable]) ? { level: 'ok', text: `${variable} is set, for the target ${target}` } : { level: 'warn', text: `${variable} is not set, which the target ${target} needs`, hint: `Set it: export ${variable}=…` }));
  return Object.keys(config.targets).length > 0 && Object.values(config.targets).every(({ auth }) => auth !== undefined) ? own : [general, ...own];
}

function variablesOf(auth: TargetConfig['auth']): string[] {
  const words = auth === undefined ? [] : typeof auth === 'string' ? [auth] : Object.values(auth);
  return words.map((word) => word.replace(/^env:/, ''));
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

/** Whether the targets can be reached: one request without a credential for each, and none to where nobody sent us. */
export async function examineTargets({ config, target }: Patient): Promise<Diagnosis[]> {
  const targets = config instanceof Error ? {} : config.targets;
  if (target === undefined) {
    const all = Object.entries(targets);
    return all.length === 0 ? [{ level: 'ok', text: 'none is configured', hint: 'Ask for one: vouch doctor http://127.0.0.1:4010' }] : Promise.all(all.map(([name, { url }]) => examineTarget(name, url)));
  }
  const configured = Object.hasOwn(targets, target) ? targets[target] : Object.values(targets).find(({ url }) => url === target);
  if (configured !== undefined) return [await examineTarget(target, configured.url)];
  if (URL.canParse(target) && /^https?:/i.test(target) && isLoopbackHost(hostOf(new URL(target)))) return [await examineTarget(target, target)];
  return [{ level: 'fail', text: `${target} is neither a target of the configuration nor an address of this machine, so nothing was sent`, hint: 'Write it under targets in vouch.config.yaml, and name it.' }];
}

async function examineTarget(name: string, url: string): Promise<Diagnosis> {
  const shown = name === url ? url : `${name} (${url})`;
  try {
    const { status, durationMs } = await askHead(url);
    const answered = `${shown} answers: ${String(status)} in ${durationMs.toFixed(0)} ms`;
    return status >= 500 ? { level: 'warn', text: answered, hint: 'A status of 500 and above says that it is not well. Look at its log.' } : { level: 'ok', text: answered };
  } catch (error) {
    if (error instanceof VouchError) return { level: 'fail', text: `${shown}: ${error.message}`, ...(error.hint === undefined ? {} : { hint: error.hint }) };
    const isHere = URL.canParse(url) && isLoopbackHost(hostOf(new URL(url)));
    return { level: 'warn', text: `${shown} does not answer (${codeOf(error) ?? String(error)})`, hint: isHere ? 'Start it, or mend its address in the configuration.' : 'Look at the address, the network and the proxy.' };
  }
}
