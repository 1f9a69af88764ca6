import { readConfig, type TargetConfig } from '../../config/config.ts';
import { countsOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { makeTextStyle, type TextStyle } from '../../text/text-style.ts';
import { hangText } from '../../text/wrap-text.ts';
import { asCalled, type ExitCode, exitCodes, type Io, wantsColor } from '../io.ts';
import { type ContractFlags, findContract } from '../find-contract.ts';
import type { Diagnosis, DoctorInput, Examination } from './examine-machine.ts';
import {
  examineConfig,
  examineContract,
  examineNode,
  examinePort,
  examinePrism,
  examineState,
  examineStore,
  one,
} from './examine-machine.ts';
import { assignToken } from '../../check/secrets/run-credentials.ts';
import {
  findSystemAddresses,
  guardLookup,
  refuseMetadata,
} from '../../check/transport/wire/socket/open-socket.ts';
import type { Contract } from '../../contract/model.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { hostOf, isLoopbackHost } from '../../http/host.ts';

/**
 * Checks everything that vouch needs here and prints how to fix each problem. Returns 0 without
 * failures, otherwise 1.
 */
export async function runDoctorCommand(
  io: Io,
  target: string | undefined,
  flags: ContractFlags,
): Promise<ExitCode> {
  const input = await readDoctorInput(io, target, flags);
  const style = makeTextStyle(wantsColor(io, 'out'));
  const found: Diagnosis[] = [];
  for (const { name, examine } of examinations) {
    const diagnoses = await examine(input);
    found.push(...diagnoses);
    for (const [index, diagnosis] of diagnoses.entries())
      io.out(
        diagnosisLines(index === 0 ? name : '', diagnosis, {
          style,
          width: io.width,
          program: io.program,
        }),
      );
  }
  const count = (level: Diagnosis['level']): number =>
    found.filter((each) => each.level === level).length;
  const [failures, warnings] = [count('fail'), count('warn')];
  io.out(
    `\n${
      failures + warnings === 0
        ? style.green('No problems found.')
        : `${countsOf([
            [failures, 'failure'],
            [warnings, 'warning'],
          ])}. ${failures === 0 ? 'vouch can run.' : 'Fix the failures first.'}`
    }\n`,
  );
  return failures === 0 ? exitCodes.passed : exitCodes.failed;
}

async function readDoctorInput(
  io: Io,
  target: string | undefined,
  flags: ContractFlags,
): Promise<DoctorInput> {
  const folder = process.cwd();
  const failed = (error: unknown): Error =>
    error instanceof Error ? error : new Error(String(error));
  const config = await readConfig(folder, flags.config).catch(failed);
  const contract =
    config instanceof Error
      ? config
      : await findContract(
          config.contract === undefined && flags.demo !== true
            ? config.documents?.[0]?.contract
            : undefined,
          flags,
        ).then((chosen) => chosen.contract, failed);
  return {
    io,
    flags,
    folder,
    target,
    config,
    contract,
    nodeVersion: process.versions.node,
    platform: process.platform,
  };
}

const marks = { ok: '✓', warn: '!', fail: '✗' } as const;

function diagnosisLines(
  name: string,
  { level, text, hint }: Diagnosis,
  {
    style,
    width,
    program,
  }: { readonly style: TextStyle; readonly width: number; readonly program: string | undefined },
): string {
  const paint = { ok: style.green, warn: style.yellow, fail: style.red }[level];
  const prefix = `${paint(`${marks[level]} ${level.padEnd(4)}`)}  ${name.padEnd(8)}  `;
  const hang = (start: string, prose: string): string[] =>
    hangText(start, asCalled(cleanLine(prose), program), width);
  const lines = [
    ...hang(prefix, text),
    ...(hint === undefined ? [] : hang(`${' '.repeat(18)}→ `, hint).map(style.dim)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Every examination of `vouch doctor`, in the order of its report. */
const examinations: readonly Examination[] = [
  { name: 'node', examine: examineNode },
  { name: 'config', examine: examineConfig },
  { name: 'contract', examine: examineContract },
  { name: 'port', examine: examinePort },
  { name: 'token', examine: examineToken },
  { name: 'target', examine: examineTargets },
  { name: 'state', examine: examineState },
  { name: 'prism', examine: examinePrism },
  { name: 'redis', examine: examineStore },
];

/**
 * Whether the tokens that a check of this contract needs are set, and the scheme of each is
 * known.
 */
export function examineToken({ io, contract, config }: DoctorInput): Diagnosis[] {
  if (contract instanceof Error || config instanceof Error) {
    return one('warn', 'not checked: the contract or the configuration cannot be read');
  }
  const targets = Object.entries(config.targets);
  const own = targets.flatMap(([target, settings]) => [
    ...variablesOf(settings).map((variable) => examineVariable(io, target, variable)),
    ...examineSchemes(io, contract, { who: `the target ${target}`, auth: settings.auth }),
  ]);
  if (contract.operations.every(({ security }) => security.length === 0))
    return [noneNeeded(io), ...own];
  const areAllNamed = targets.length > 0 && targets.every(([, { auth }]) => auth !== undefined);
  return areAllNamed ? own : [examineDefault(io, contract), ...own];
}

function noneNeeded({ env }: Io): Diagnosis {
  const text = 'not needed: the contract requires no credentials';
  return {
    level: 'ok',
    text: isSet(env['VOUCH_TOKEN']) ? `${text}, so VOUCH_TOKEN is not sent` : text,
  };
}

function examineDefault(io: Io, contract: Contract): Diagnosis {
  const [ambiguous] = examineSchemes(io, contract, {
    who: 'a check without --auth',
    auth: 'env:VOUCH_TOKEN',
  });
  if (ambiguous !== undefined) return ambiguous;
  if (isSet(io.env['VOUCH_TOKEN'])) return { level: 'ok', text: 'VOUCH_TOKEN is set' };
  return {
    level: 'warn',
    text: 'VOUCH_TOKEN is not set: vouch check will skip operations that need a token',
    hint: "Set it: export VOUCH_TOKEN=… (the mock's is demo-key)",
  };
}

function examineVariable({ env }: Io, target: string, variable: string): Diagnosis {
  if (isSet(env[variable]))
    return { level: 'ok', text: `${variable} is set, for the target ${target}` };
  const text = `${variable} is not set; the target ${target} needs it`;
  return { level: 'warn', text, hint: `Set it: export ${variable}=…` };
}

interface Wanting {
  readonly who: string;
  readonly auth: TargetConfig['auth'];
}

/**
 * Security schemes without a credential. The token without a scheme is used only if a single scheme
 * remains.
 */
function examineSchemes({ env }: Io, contract: Contract, { who, auth }: Wanting): Diagnosis[] {
  const named = typeof auth === 'object' ? auth : {};
  const { candidates } = assignToken(contract, { tokens: named });
  const isServed =
    typeof auth !== 'object' ||
    (isSet(env['VOUCH_TOKEN']) && !Object.values(named).includes('env:VOUCH_TOKEN'));
  if (candidates.length === 0 || (candidates.length === 1 && isServed)) return [];
  const schemes = candidates.map((group) => group.join(' or ')).join(', ');
  const text = `${who} has no credential for ${schemes}`;
  const flags = candidates.map(([scheme = '']) => `${scheme}=env:NAME`).join(' --auth ');
  return one(
    'warn',
    text,
    `Name a variable for each: --auth ${flags}, or set them under auth of the target.`,
  );
}

function variablesOf({ auth, headers = {} }: TargetConfig): string[] {
  const flags = auth === undefined ? [] : typeof auth === 'string' ? [auth] : Object.values(auth);
  const inHeaders = Object.values(headers).filter((text) => text.startsWith('env:'));
  return [...flags, ...inHeaders].map((word) => word.replace(/^env:/, ''));
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

/**
 * Whether the targets are reachable: one request without credentials to each, and only to targets
 * that the user named.
 */
export async function examineTargets({ config, target }: DoctorInput): Promise<Diagnosis[]> {
  const targets = config instanceof Error ? {} : config.targets;
  if (target === undefined) {
    const all = Object.entries(targets);
    return all.length === 0
      ? one('ok', 'none configured', 'Check one: vouch doctor http://127.0.0.1:4010')
      : Promise.all(all.map(([name, { url }]) => examineTarget(name, url)));
  }
  const configured = Object.hasOwn(targets, target)
    ? targets[target]
    : Object.values(targets).find(({ url }) => url === target);
  if (configured !== undefined) return [await examineTarget(target, configured.url)];
  if (URL.canParse(target) && /^https?:/i.test(target) && isLoopbackHost(hostOf(new URL(target))))
    return [await examineTarget(target, target)];
  return one(
    'fail',
    `${target} is neither a configured target nor an address of this ` +
      'machine; nothing was sent',
    'Add it under targets in vouch.config.yaml and use its name.',
  );
}

async function examineTarget(name: string, url: string): Promise<Diagnosis> {
  const shown = name === url ? url : `${name} (${url})`;
  try {
    const { status, durationMs } = await requestHead(url);
    const answered = `${shown} responded ${String(status)} in ${durationMs.toFixed(0)} ms`;
    return status >= 500
      ? {
          level: 'warn',
          text: answered,
          hint: 'A 5xx status means that the service fails. Check its log.',
        }
      : { level: 'ok', text: answered };
  } catch (error) {
    if (error instanceof VouchError)
      return { level: 'fail', text: `${shown}: ${error.message}`, hint: error.hint };
    const isHere = URL.canParse(url) && isLoopbackHost(hostOf(new URL(url)));
    return {
      level: 'warn',
      text: `${shown} does not respond (${codeOf(error) ?? String(error)})`,
      hint: isHere
        ? 'Start it, or fix its address in the configuration.'
        : 'Check the address, the network and the proxy.',
    };
  }
}

const timeoutMs = 5_000;

/**
 * Sends one HEAD request without a credential and follows no redirects. Throws 'refused-for-safety'
 * for a link-local or metadata address, and network errors as they are.
 */
async function requestHead(
  text: string,
): Promise<{ readonly status: number; readonly durationMs: number }> {
  const url = new URL(text);
  refuseMetadata(hostOf(url));
  const { request } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      method: 'HEAD',
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      lookup: guardLookup(findSystemAddresses),
    });
    asked.on('response', (response) => {
      response.destroy();
      resolve({ status: response.statusCode ?? 0, durationMs: performance.now() - began });
    });
    asked.on('error', reject);
    asked.end();
  });
}
