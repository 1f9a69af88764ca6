import { parseScenario } from '../mock/scenarios/parse/parse-scenario.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import { readDataFolder } from './read-data.ts';

/**
 * Reads every scenario of a folder; a scenario's name is its file's. Throws a VouchError
 * ('scenario-invalid') with place and code frame.
 */
export async function loadScenarios(folder: string): Promise<Scenario[]> {
  const files = await readDataFolder(folder, 'scenario-invalid');
  return files.map((data) => parseScenario(data.name, data.value, data.fault));
}
