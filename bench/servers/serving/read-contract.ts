import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';

/** A part of an OpenAPI document. */
interface Part {
  readonly [name: string]: Part | undefined;
}

/** A response, as the client received it. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Judges responses by an OpenAPI document, with Ajv alone. */
export class Contract {
  readonly #document: Part;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<Part, ValidateFunction>();
  readonly #paths: readonly { pattern: RegExp; item: Part; places: number }[];

  constructor(file: URL) {
    const text = readFileSync(file, 'utf8').replaceAll('#/components/', 'contract#/components/');
    this.#document = load(text) as Part;
    this.#ajv = new Ajv2020({ strict: false, validateFormats: true });
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addFormat('binary', true).addFormat('int32', true).addFormat('int64', true);
    this.#ajv.addSchema({ $id: 'contract', components: this.#document['components'] });
    this.#paths = Object.entries(this.#document['paths'] ?? {})
      .map(([template, item]) => ({
        pattern: new RegExp(
          `^${template.replaceAll(/[.()$]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
        ),
        item: item ?? {},
        places: template.split('{').length - template.split('}:').length / 10,
      }))
      .sort((a, b) => a.places - b.places);
  }

  /** What in the response is against the document, one text each. */
  faultsIn(method: string, path: string, received: Received): string[] {
    const item = this.#paths.find(({ pattern }) => pattern.test(path))?.item;
    const operation = item?.[method.toLowerCase()];
    if (operation === undefined) return [];
    const at = `${method} ${path} ${String(received.status)}`;
    const responses = this.#resolve(operation['responses']) ?? {};
    const response = this.#resolve(responses[String(received.status)]);
    if (response === undefined) return [`${at}: the status is not documented`];
    const faults = this.#headerFaults(response['headers'], received.headers);
    return [...faults, ...this.#bodyFaults(method, response, received)].map(
      (fault) => `${at}: ${fault}`,
    );
  }

  #headerFaults(headers: Part | undefined, received: Headers): string[] {
    return Object.entries(headers ?? {}).flatMap(([name, part]) => {
      const header = this.#resolve(part);
      const value = received.get(name);
      if (value === null)
        return (header?.['required'] as unknown) === true ? [`${name} is missing`] : [];
      const schema = header?.['schema'];
      const isNumber = (schema?.['type'] as unknown) === 'integer';
      const validate = schema === undefined ? undefined : this.#validator(schema);
      return validate?.(isNumber ? Number(value) : value) === false ? [`${name} is ${value}`] : [];
    });
  }

  #bodyFaults(method: string, response: Part, received: Received): string[] {
    const content = response['content'];
    if (content === undefined)
      return received.body === undefined ? [] : ['the response has a body'];
    if (method === 'HEAD') return [];
    const type = (received.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
    const media = Object.entries(content).find(([name]) => name === type.toLowerCase())?.[1];
    if (media === undefined) return [`the media type ${type} is not documented`];
    if (!/json$/i.test(type) || media['schema'] === undefined) return [];
    const validate = this.#validator(media['schema']);
    return validate(received.body)
      ? []
      : [`the body is against its schema: ${this.#ajv.errorsText(validate.errors)}`];
  }

  #validator(schema: Part): ValidateFunction {
    const known = this.#validators.get(schema) ?? this.#ajv.compile(schema);
    this.#validators.set(schema, known);
    return known;
  }

  #resolve(part: Part | undefined): Part | undefined {
    const reference = part?.['$ref'] as unknown;
    if (typeof reference !== 'string') return part;
    return reference
      .replace(/^contract#\//, '')
      .split('/')
      .reduce<Part | undefined>((found, name) => found?.[name], this.#document);
  }
}
