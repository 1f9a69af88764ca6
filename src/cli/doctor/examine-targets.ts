import { assignToken } from '../../check/secrets/assign-token.ts';
import {
  findSystemAddresses,
  guardLookup,
  refuseMetadata,
} from '../../check/transport/wire/socket/guard-lookup.ts';
import type { TargetConfig } from '../../config/config.ts';
import type { Contract } from '../../contract/model.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { hostOf, isLoopbackHost } from '../../http/host.ts';
import { defined } from '../../json/defined.ts';
import type { Io } from '../io.ts';
import type { Diagnosis, Patient } from './examination.ts';

/**
 * Whether the tokens are there that a check of this contract needs, and it is known which scheme
 * each is for.
 */
export function examineToken({ io, contract, config }: Patient): Diagnosis[] {
  if (contract instanceof Error || config instanceof Error) {
    return [
      {
        level: 'warn',
        text: 'not looked at, because contract and configuration say which are needed',
      },
    ];
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
  const text = 'none is needed: the contract asks for none';
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
    text: 'VOUCH_TOKEN is not set: what needs a token will be skipped by vouch check',
    hint: "Set it: export VOUCH_TOKEN=… (the mock's is demo-key)",
  };
}

function examineVariable({ env }: Io, target: string, variable: string): Diagnosis {
  if (isSet(env[variable]))
    return { level: 'ok', text: `${variable} is set, for the target ${target}` };
  const text = `${variable} is not set, which the target ${target} needs`;
  return { level: 'warn', text, hint: `Set it: export ${variable}=…` };
}

interface Wanting {
  readonly who: string;
  readonly auth: TargetConfig['auth'];
}

/**
 * Security schemes without a credential: the token without a scheme is for the only one that is
 * left, and for none of several.
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
  return [
    {
      level: 'warn',
      text,
      hint: `Name the variable of each: --auth ${flags}, or under auth of the target.`,
    },
  ];
}

function variablesOf({ auth, headers = {} }: TargetConfig): string[] {
  const words = auth === undefined ? [] : typeof auth === 'string' ? [auth] : Object.values(auth);
  const inHeaders = Object.values(headers).filter((text) => text.startsWith('env:'));
  return [...words, ...inHeaders].map((word) => word.replace(/^env:/, ''));
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== '';
}

/**
 * Whether the targets can be reached: one request without a credential for each, and none to where
 * nobody sent us.
 */
export async function examineTargets({ config, target }: Patient): Promise<Diagnosis[]> {
  const targets = config instanceof Error ? {} : config.targets;
  if (target === undefined) {
    const all = Object.entries(targets);
    return all.length === 0
      ? [
          {
            level: 'ok',
            text: 'none is configured',
            hint: 'Ask for one: vouch doctor http://127.0.0.1:4010',
          },
        ]
      : Promise.all(all.map(([name, { url }]) => examineTarget(name, url)));
  }
  const configured = Object.hasOwn(targets, target)
    ? targets[target]
    : Object.values(targets).find(({ url }) => url === target);
  if (configured !== undefined) return [await examineTarget(target, configured.url)];
  if (URL.canParse(target) && /^https?:/i.test(target) && isLoopbackHost(hostOf(new URL(target))))
    return [await examineTarget(target, target)];
  return [
    {
      level: 'fail',
      text: `${target} is neither a target of the configuration nor an address of this machine, so nothing was sent`,
      hint: 'Write it under targets in vouch.config.yaml, and name it.',
    },
  ];
}

async function examineTarget(name: string, url: string): Promise<Diagnosis> {
  const shown = name === url ? url : `${name} (${url})`;
  try {
    const { status, durationMs } = await askHead(url);
    const answered = `${shown} answers: ${String(status)} in ${durationMs.toFixed(0)} ms`;
    return status >= 500
      ? {
          level: 'warn',
          text: answered,
          hint: 'A status of 500 and above says that it is not well. Look at its log.',
        }
      : { level: 'ok', text: answered };
  } catch (error) {
    if (error instanceof VouchError)
      return {
        level: 'fail',
        text: `${shown}: ${error.message}`,
        ...defined({ hint: error.hint }),
      };
    const isHere = URL.canParse(url) && isLoopbackHost(hostOf(new URL(url)));
    return {
      level: 'warn',
      text: `${shown} does not answer (${codeOf(error) ?? String(error)})`,
      hint: isHere
        ? 'Start it, or mend its address in the configuration.'
        : 'Look at the address, the network and the proxy.',
    };
  }
}

const timeoutMs = 5_000;

/** What came of asking. */
interface HeadAnswer {
  readonly status: number;
  readonly durationMs: number;
}

/**
 * Asks for the head of a URL once, without a credential, and follows nothing. Throws
 * 'refused-for-safety' for a link-local or metadata address, and what the network says otherwise.
 */
async function askHead(text: string): Promise<HeadAnswer> {
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
