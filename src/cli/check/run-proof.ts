import { VouchError } from '../../errors.ts';
import { prove } from '../../prove/prove.ts';
import type { DeviationResult, ProofSettings } from '../../prove/run-deviation.ts';
import { writeJson } from '../../text/json-text.ts';
import { countOf, formatDuration } from '../../text/counts.ts';
import type { ContractWords } from '../find-contract.ts';
import { wantsColor, type Io } from '../io.ts';
import { formatProof, formatProofStart, isProved } from './format-proof.ts';
import { defined } from '../../json/defined.ts';

/** The flags that a proof looks at. */
export interface ProofWords extends ContractWords {
  readonly seed?: string;
  readonly minCaught?: number;
  readonly reporter: readonly string[];
}

/**
 * Proves a contract's check, prints what came of it, and answers whether it holds; `interrupted`
 * where somebody stopped it.
 */
export async function runProof(
  io: Io,
  words: ProofWords,
  {
    document,
    settings,
  }: { readonly document: string | undefined; readonly settings: Omit<ProofSettings, 'seed'> },
): Promise<'passed' | 'failed' | 'interrupted'> {
  const asJson = isForMachines(words.reporter);
  const results: DeviationResult[] = [];
  const progress = startProgress(io);
  const choice = {
    ...defined({ contract: document, config: words.config, allowRefHosts: words.allowRefHost }),
  };
  const page = {
    color: wantsColor(io, 'out'),
    width: io.width,
    ...defined({ minCaught: words.minCaught }),
  };
  let verdict: 'passed' | 'failed' = 'failed';
  try {
    for await (const event of prove({
      choice,
      settings: { ...settings, seed: words.seed ?? 'proof' },
      signal: io.signal,
    })) {
      if (event.type === 'proof-started') {
        if (!asJson) io.out(formatProofStart(event, page));
        progress.begin(event.deviations + event.tempers);
      } else if (event.type === 'task-done') {
        if (event.kind === 'deviation') results.push(event.result);
        progress.step();
      } else {
        progress.end();
        verdict = isProved(event.summary, words.minCaught) ? 'passed' : 'failed';
        io.out(
          asJson
            ? `${writeJson({ ...event.summary, deviations: results }, 2)}\n`
            : formatProof(event.summary, results, page),
        );
      }
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
    progress.end();
    io.err(
      `Interrupted: a proof is told when it is whole. ${countOf(results.length, 'deviation')} had been tried.\n`,
    );
    return 'interrupted';
  }
  return verdict;
}

function isForMachines(reporters: readonly string[]): boolean {
  const other = reporters.find((word) => word !== 'json' && word !== 'pretty');
  if (other !== undefined)
    throw new VouchError('usage', `A proof cannot be printed by the reporter ${other}.`, {
      hint: 'Leave --reporter out for text, or write --reporter json.',
    });
  return reporters.includes('json');
}

interface Progress {
  begin(total: number): void;
  step(): void;
  end(): void;
}

/** A line on a terminal, and nothing elsewhere. */
function startProgress(io: Io): Progress {
  let total = 0;
  let done = 0;
  let began = 0;
  const show = (): void => {
    const left =
      done < 5
        ? ''
        : `, about ${formatDuration(((io.clock().getTime() - began) / done) * (total - done))} left`;
    if (io.isTTY.err)
      io.err(`\r\u001b[2K${String(done)} of ${String(total)} tried${left}`.slice(0, io.width + 4));
  };
  return {
    begin: (count) => {
      total = count;
      began = io.clock().getTime();
      show();
    },
    step: () => {
      done += 1;
      show();
    },
    end: () => {
      if (io.isTTY.err) io.err('\r\u001b[2K');
    },
  };
}
