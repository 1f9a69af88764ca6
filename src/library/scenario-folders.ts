import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { usage } from '../errors.ts';
import { SealedFolder } from '../files/sealed-folder.ts';
import { validateScenario } from '../mock/scenarios/judge/check-scenarios.ts';
import type { Scenario } from '../mock/scenarios/scenario.ts';
import type { ScenarioFile, ScenarioFiles } from '../server/console/console-services.ts';
import type { PreparedDocument } from './build-mock.ts';

/** The scenario folders of the served contracts. */
export class ScenarioFolders implements ScenarioFiles {
  readonly #documents: () => readonly PreparedDocument[];

  constructor(documents: () => readonly PreparedDocument[]) {
    this.#documents = documents;
  }

  folder(): string | undefined {
    const [first] = this.#folders();
    return first === undefined ? undefined : shown(first);
  }

  read(name: string): ScenarioFile | undefined {
    for (const folder of this.#folders())
      for (const extension of ['.yaml', '.yml']) {
        const path = join(folder, name + extension);
        if (existsSync(path)) return { file: shown(path), yaml: readFileSync(path, 'utf8') };
      }
    return undefined;
  }

  write(scenario: Scenario, yaml: string): string {
    const { name } = scenario;
    const folders = this.#folders();
    const json = folders
      .map((folder) => join(folder, `${name}.json`))
      .find((path) => existsSync(path));
    if (json !== undefined)
      throw usage(`${shown(json)} has this scenario as JSON.`, {
        hint: 'Edit that file, or choose another name.',
      });
    const known = folders.flatMap((folder) =>
      [`${name}.yaml`, `${name}.yml`].map((file) => ({ folder, file })),
    );
    const place = known.find(({ folder, file }) => existsSync(join(folder, file))) ?? {
      folder: this.#folderFor(scenario),
      file: `${name}.yaml`,
    };
    const sealed = new SealedFolder(place.folder);
    try {
      sealed.writeFile(place.file, yaml);
    } finally {
      sealed.close();
    }
    return shown(join(place.folder, place.file));
  }

  #folders(): readonly string[] {
    return this.#documents().flatMap(({ scenarioFolder }) => scenarioFolder ?? []);
  }

  /** The folder of the first contract that the scenario fits. */
  #folderFor(scenario: Scenario): string {
    const fitting = this.#documents().find(
      ({ contract, scenarioFolder }) =>
        scenarioFolder !== undefined && validateScenario(scenario, contract).length === 0,
    );
    const folder = fitting?.scenarioFolder ?? this.#folders()[0];
    if (folder !== undefined) return folder;
    throw usage('The mock has no folder for scenarios.', {
      hint: 'Name one in vouch.config.yaml: mock.scenarios.',
    });
  }
}

function shown(path: string): string {
  return relative(process.cwd(), path) || path;
}
