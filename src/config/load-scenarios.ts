import { parseScenario } from '../mock/parse-scenario.ts';
import type { Scenario } from '../mock/scenario.ts';
import { VouchError } from '../errors.ts';
import { readDataFolder } from './read-data.ts';

/** Reads every scenario of a folder; a scenario's name is its file's. Throws a VouchError ('scenario-invalid') that names the file. */
export async function loadScenarios(folder: string): Promise<Scenario[]> {
  const files = await readDataFolder(folder, 'scenario-invalid');
  return files.map((data) => {
    try {
      return parseScenario(data.name, data.value);
    } catch (error) {
      if (error instanceof VouchError && error.place === undefined) throw new VouchError('scenario-invalid', `${data.file}: ${error.message}`, { cause: error, ...(error.hint === undefined ? {} : { hint: error.hint }) });
      throw error;
    }
  });
}
