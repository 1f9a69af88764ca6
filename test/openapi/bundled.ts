import { compare, factsOf } from './comparison.ts';
import { statementsOf } from './document-facts.ts';
import { readText, readYaml } from './files.ts';
import { readMarkdown } from './markdown.ts';
import type { JsonObject } from '../../src/json/value.ts';

/**
 * The source of the bundled contract, its sections, what it says, and the document that is held
 * against it.
 */
export const source = readText('openapi/pet-store-service-interface.md');
export const sections = readMarkdown(source);
export const facts = factsOf(sections);
export const document = readYaml('openapi/petstore.v1.yaml');

/** How a document differs from the source. */
export function differences(changed: JsonObject): string[] {
  return compare(facts, statementsOf(changed));
}
