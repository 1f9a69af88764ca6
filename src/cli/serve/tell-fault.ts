import type { Io } from '../io.ts';
import { printError } from '../print-error.ts';

/**
 * A fault that comes with every request is told once; no more of them are remembered than anybody
 * would read.
 */
const mostTold = 100;

/**
 * Tells a person of vouch's own faults while the mock serves: the client has learnt no more than
 * the status 500.
 */
export function tellFaults(io: Io): (fault: unknown) => void {
  const told = new Set<string>();
  return (fault) => {
    const text = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    if (told.has(text) || told.size >= mostTold) return;
    told.add(text);
    printError(fault, io);
  };
}
