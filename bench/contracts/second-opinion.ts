import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/**
 * A judge that shares nothing with vouch: plain Ajv over the raw document. Answers the first thing
 * that it dislikes.
 */
export type SecondOpinion = (pointer: string, value: unknown) => string | undefined;

const documentId = 'document';

/**
 * Compiles the schema at a pointer of a document when it is first asked for. `nullable`, boolean
 * bounds and `$ref` with siblings (OpenAPI 3.0 and Swagger 2) are rewritten, and members that
 * responses do not show are not required; the rest is Ajv's.
 */
export function makeSecondOpinion(document: object): SecondOpinion {
  const isOld = !('openapi' in document && /^3\.[12]/.test(String(document.openapi)));
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    logger: false,
    allErrors: false,
    formats: fullFormats,
    multipleOfPrecision: 9,
    // Each validator judges one answer or a few: to shorten its code takes longer than to run it.
    code: { optimize: false },
    inlineRefs: false,
  });
  ajv.addSchema(
    isOld
      ? { ...modernise(document), $id: documentId }
      : { ...withoutHidden(document), $id: documentId },
  );
  const compiled = new Map<string, (value: unknown) => boolean>();
  return (pointer, value) => {
    try {
      const reference = `${documentId}#${pointer.split('/').map(encodeURIComponent).join('/')}`;
      const validate = compiled.get(pointer) ?? ajv.compile({ $ref: reference });
      compiled.set(pointer, validate);
      if (validate(value)) return undefined;
      const [error] =
        (validate as { errors?: readonly { instancePath: string; message?: string }[] }).errors ??
        [];
      return `${error?.instancePath ?? ''} ${error?.message ?? ''}`.trim();
    } catch (error) {
      return `cannot judge: ${error instanceof Error ? error.message.slice(0, 80) : ''}`;
    }
  };
}

type Node = Record<string, unknown>;

/** The same document, in the words of JSON Schema 2020-12 where it uses those of OpenAPI 3.0. */
function modernise(document: object): object {
  return rewrite(document, (node) => {
    if (typeof node['$ref'] === 'string') return { $ref: node['$ref'] };
    const { nullable, exclusiveMinimum, exclusiveMaximum, ...rest } = node;
    const bounded = {
      ...rest,
      ...bound('Minimum', exclusiveMinimum, rest),
      ...bound('Maximum', exclusiveMaximum, rest),
    };
    if (nullable !== true || typeof node['type'] !== 'string') return bounded;
    const values = node['enum'];
    return {
      ...bounded,
      type: [node['type'], 'null'],
      ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
    };
  });
}

function bound(name: 'Minimum' | 'Maximum', exclusive: unknown, node: Node): Node {
  const plain = name === 'Minimum' ? 'minimum' : 'maximum';
  if (typeof exclusive === 'number') return { [`exclusive${name}`]: exclusive };
  return exclusive === true ? { [`exclusive${name}`]: node[plain], [plain]: undefined } : {};
}

function withoutHidden(document: object): object {
  return rewrite(document, ({ nullable: _word, ...node }) => node);
}

/**
 * Rewrites every object that stands in a document, and lets responses do without what is
 * `writeOnly`.
 */
function rewrite(document: object, change: (node: Node) => Node): Node {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value === 'bigint') return Number(value);
    if (typeof value !== 'object' || value === null) return value;
    const node = change(value as Node);
    const members = Object.entries(node).filter(
      ([name, member]) => !(name === 'pattern' && !isPattern(member)),
    );
    return requireShown(
      Object.fromEntries(
        members.map(([name, member]) => [
          name,
          name === 'example' || name === 'examples' ? member : visit(member),
        ]),
      ),
    );
  };
  return visit(document) as Node;
}

function requireShown(node: Node): Node {
  const { required, properties } = node;
  if (!Array.isArray(required) || typeof properties !== 'object' || properties === null)
    return node;
  const isShown = (name: unknown): boolean =>
    (properties as Record<string, Node | undefined>)[String(name)]?.['writeOnly'] !== true;
  return { ...node, required: required.filter(isShown) };
}

/** A pattern that no engine takes says nothing. */
function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return true;
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
