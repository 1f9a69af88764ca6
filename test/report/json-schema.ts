import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`schema/${name}`, import.meta.url), 'utf8'));
}

/** Every way in which a document leaves its schema; empty for a valid one. */
function faultsBy(validate: ValidateFunction): (document: unknown) => string[] {
  return (document) =>
    validate(document)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
        );
}

/**
 * SARIF 2.1.0 by the schema that OASIS publishes (rtm.5, as on schemastore.org). Draft 4 names a
 * schema by `id`; nothing else in it is older than draft 7.
 */
export function makeSarifJudge(): (document: unknown) => string[] {
  const {
    id: _,
    $schema: __,
    ...schema
  } = read('sarif-2.1.0-rtm.5.json') as Record<string, unknown>;
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  return faultsBy(ajv.compile(schema));
}

/** HTTP Archive 1.2 by the files of the package `har-schema`. */
export function makeHarJudge(): (document: unknown) => string[] {
  const { schemas } = read('har-1.2.json') as {
    readonly schemas: Readonly<Record<string, object>>;
  };
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  const validate = ajv.getSchema('har.json#');
  if (validate === undefined) throw new Error('the schema of HAR is not there');
  return faultsBy(validate);
}
