import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isAddress } from '../../contract/load/source.ts';
import type { Contract } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import { VouchError } from '../../errors.ts';
import { writeContractTypes } from './contract-types.ts';

/** The part of openapi-typescript that is used. */
interface Typescriber {
  default(source: URL | object): Promise<unknown>;
  astToString(ast: unknown): string;
}

/**
 * The types of a contract as a module of TypeScript: those of openapi-typescript, which fetch
 * clients such as openapi-fetch take, and below them the handlers, records and claims of vouch.
 * Throws a VouchError ('types-missing') if openapi-typescript is not installed in the project.
 */
export async function writeTypes(contract: Contract, folder: string): Promise<string> {
  const { default: typed, astToString } = await findTypescriber(folder);
  const ast = await typed(sourceOf(contract));
  const title = `${contract.title} ${contract.version}`.replaceAll(/\s+/g, ' ');
  return [
    `// ${title}: types made by \`vouch types\`. Do not edit them: run it again.\n`,
    writeContractTypes(contract),
    astToString(ast),
  ].join('\n');
}

/**
 * The document as it is understood: in OpenAPI 3, without invalid parts. The file itself where it
 * refers to others.
 */
function sourceOf({ soundDocument, files, overlays }: Contract): URL | object {
  const [file] = files;
  const isWhole = files.length <= 1 || file === undefined || isAddress(file);
  return isWhole || (overlays?.length ?? 0) > 0 ? plain(soundDocument) : pathToFileURL(file);
}

/** A copy without bigints, which are bounds and examples: types have neither. */
function plain(value: JsonValue): object {
  return JSON.parse(
    JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? Number(one) : one)),
  ) as object;
}

/** Types are of use to who has TypeScript, so the project has both, and vouch neither. */
async function findTypescriber(folder: string): Promise<Typescriber> {
  const name = 'openapi-typescript';
  try {
    const path = createRequire(join(folder, 'package.json')).resolve(name);
    // A module of CommonJS: all that it exports is its default.
    const { default: typescriber } = (await import(
      /* @vite-ignore */ pathToFileURL(path).href
    )) as { readonly default: Typescriber };
    return typescriber;
  } catch (cause) {
    throw new VouchError('types-missing', `${name} cannot be used: it writes the types.`, {
      hint: `Install it in your project: npm install --save-dev ${name} typescript@5`,
      cause,
    });
  }
}
