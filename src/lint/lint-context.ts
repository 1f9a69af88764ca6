import type { Contract, Direction, Schema, SchemaIssue } from '../contract/model.ts';
import { SchemaFactory } from '../contract/schema/schema-factory.ts';
import { VouchError } from '../errors.ts';
import { type JsonValue, stringifyJson } from '../json/value.ts';
import { type DocumentNode, type NodeKind, walkDocument } from './walk-document.ts';

/** What a rule looks at: the contract's model, and its document as it is written. */
export interface LintContext {
  readonly contract: Contract;
  /** The patterns that Redocly was not given, because its engine could run away with them. */
  readonly withheld: ReadonlySet<string>;
  /** Every object of one kind, in the order of the document. */
  nodes(kind: NodeKind): readonly DocumentNode[];
  /** The schema that is written at a node, in one dialect. */
  schemaAt(node: DocumentNode): Schema;
  /**
   * How a value breaks a schema; empty where the schema itself cannot be used, which other rules
   * report.
   */
  issuesOf(schema: Schema, value: JsonValue, direction: Direction): readonly SchemaIssue[];
}

/** Reads a contract's document once, for all rules. */
export function makeLintContext(
  contract: Contract,
  withheld: ReadonlySet<string> = new Set(),
): LintContext {
  const byKind = Map.groupBy(walkDocument(contract.soundDocument), ({ kind }) => kind);
  const fault = (pointer: string, message: string): VouchError =>
    new VouchError('contract-reference', message, { place: contract.locate(pointer) });
  const factory = new SchemaFactory({ root: contract.soundDocument, fault }, contract.dialect);
  return {
    contract,
    withheld,
    nodes: (kind) => byKind.get(kind) ?? [],
    schemaAt: (place) => factory.at(place),
    issuesOf(schema, value, direction) {
      try {
        // What cannot be judged within its bounds is no fault of the document's.
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
