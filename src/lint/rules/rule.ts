import type { Contract, Direction, Schema, SchemaIssue } from '../../contract/model.ts';
import { SchemaFactory } from '../../contract/schema/schema-factory.ts';
import { VouchError } from '../../errors.ts';
import type { Pointer } from '../../json/pointer.ts';
import { type JsonValue, stringifyJson } from '../../json/value.ts';
import type { LintSeverity } from '../lint-report.ts';
import { type DocumentNode, type NodeKind, walkDocument } from '../walk-document.ts';

/** The result of a rule: the place, the problem, and what to write instead. */
export interface LintFault {
  readonly pointer: Pointer;
  /** One sentence. */
  readonly message: string;
  readonly hint: string;
}

/**
 * A rule of vouch for contracts. Pure; it reports every problem, and never throws for an invalid
 * contract.
 */
export interface LintRule {
  /** `vouch/` and the rule; Redocly's own name where the rule is run in place of one of Redocly's. */
  readonly id: string;
  /** The severity, unless the configuration sets another. */
  readonly severity: LintSeverity;
  /** Why it matters, in one sentence. */
  readonly reason: string;
  /** The page of the standard that requires it. */
  readonly documentation?: string;
  inspect(context: LintContext): LintFault[];
}

/** A page of the OpenAPI specification, by its anchor. */
export function openApiPage(anchor: string): string {
  return `https://spec.openapis.org/oas/v3.1.1.html#${anchor}`;
}

/** What a rule inspects: the contract's model, and its document as written. */
export interface LintContext {
  readonly contract: Contract;
  /** Every object of one kind, in the order of the document. */
  nodes(kind: NodeKind): readonly DocumentNode[];
  /** The schema at a node, in one dialect. */
  schemaAt(node: DocumentNode): Schema;
  /**
   * The violations of a schema by a value; empty if the schema itself is invalid, which other rules
   * report.
   */
  issuesOf(schema: Schema, value: JsonValue, direction: Direction): readonly SchemaIssue[];
}

/** The inspection of a rule that looks at each object of one kind. */
export function atEach(
  kind: NodeKind,
  find: (node: DocumentNode, context: LintContext) => LintFault | readonly LintFault[] | undefined,
): LintRule['inspect'] {
  return (context) => context.nodes(kind).flatMap((node) => find(node, context) ?? []);
}

/** Reads a contract's document once, for all rules. */
export function makeLintContext(contract: Contract): LintContext {
  const byKind = Map.groupBy(walkDocument(contract.soundDocument), ({ kind }) => kind);
  const fault = (pointer: string, message: string): VouchError =>
    new VouchError('contract-reference', message, { place: contract.locate(pointer) });
  const factory = new SchemaFactory({ root: contract.soundDocument, fault }, contract.dialect);
  return {
    contract,
    nodes: (kind) => byKind.get(kind) ?? [],
    schemaAt: (place) => factory.at(place),
    issuesOf(schema, value, direction) {
      try {
        // A value that is too expensive to validate is not reported.
        return schema.validate(value, direction).filter(({ unjudged }) => unjudged !== true);
      } catch (error) {
        if (error instanceof VouchError) return [];
        throw error;
      }
    },
  };
}

const longest = 60;

/** A value as JSON for use in a message, cut to 60 characters. */
export function showJson(value: JsonValue): string {
  const text = stringifyJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
