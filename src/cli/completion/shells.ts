import { writeBash } from './bash.ts';
import type { CommandWords } from './command-words.ts';
import { writeFish } from './fish.ts';
import { writePowershell } from './powershell.ts';
import { writeZsh } from './zsh.ts';

/** A shell for which completion can be written. */
export interface Shell {
  readonly name: string;
  /** How a person switches it on, for the help. */
  readonly use: string;
  write(commands: readonly CommandWords[]): string;
}

/** Every shell, in the order of the help. */
export const shells = [
  { name: 'bash', use: 'source <(vouch completion bash)', write: writeBash },
  { name: 'zsh', use: 'source <(vouch completion zsh)', write: writeZsh },
  { name: 'fish', use: 'vouch completion fish | source', write: writeFish },
  {
    name: 'powershell',
    use: 'vouch completion powershell | Out-String | Invoke-Expression',
    write: writePowershell,
  },
] as const satisfies readonly Shell[];
