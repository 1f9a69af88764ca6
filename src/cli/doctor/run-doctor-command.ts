import { readConfig } from '../../config/config.ts';
import { countsOf } from '../../text/counts.ts';
import { cleanLine } from '../../text/safe-text.ts';
import { makeTextStyle, type TextStyle } from '../../text/text-style.ts';
import { hangText } from '../../text/wrap-text.ts';
import { type ExitCode, exitCodes, type Io, wantsColor } from '../io.ts';
import { type ContractFlags, findContract } from '../find-contract.ts';
import { asCalled } from '../program-name.ts';
import {
  type Diagnosis,
  type DoctorInput,
  type Examination,
  examineConfig,
  examineContract,
  examineNode,
  examinePort,
  examinePrism,
  examineState,
  examineStore,
} from './examine-machine.ts';
import { examineTargets, examineToken } from './examine-targets.ts';

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
