import { readFileSync } from 'node:fs';

/**
 * Processor time of the machine since its start, in ticks: what ran, and what was requested and
 * given to another machine of the host.
 */
export interface ProcessorTime {
  readonly ran: number;
  readonly stolen: number;
}

/**
 * Reads the first line of `/proc/stat` (proc_stat(5)): user, nice, system, idle, iowait, irq,
 * softirq, steal. Undefined where there is none.
 */
export function readProcessorTime(text: string): ProcessorTime | undefined {
  const [, ...ticks] = (/^cpu .*$/m.exec(text)?.[0] ?? '').split(/ +/).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen] = ticks;
  return stolen === undefined ? undefined : { ran: user + nice + system + irq + softirq, stolen };
}

/**
 * The share of the processor time requested between two readings that the host gave to other
 * machines: 0 to 1.
 */
export function stolenShare(before: ProcessorTime, after: ProcessorTime): number {
  const stolen = after.stolen - before.stolen;
  const requested = after.ran - before.ran + stolen;
  return requested <= 0 ? 0 : stolen / requested;
}

/** Begins to look; answers how much was stolen since, undefined on systems that do not say. */
export function watchStolenTime(): () => number | undefined {
  const before = look();
  return () => {
    const after = look();
    return before === undefined || after === undefined ? undefined : stolenShare(before, after);
  };
}

function look(): ProcessorTime | undefined {
  try {
    return readProcessorTime(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return undefined;
  }
}
