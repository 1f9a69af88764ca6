import { fileURLToPath } from 'node:url';
import { loadContract } from '../../src/contract/load.ts';
import type { Contract, LocatedNode, Schema } from '../../src/contract/model.ts';
import {
  contractTexts,
  fieldTexts,
  operationTexts,
  parameterTexts,
  responseTexts,
  type ToldText,
} from '../../src/contract/words/facts.ts';
import { matchesOf } from '../../src/contract/words/phrase.ts';
import { type FactName, phrases } from '../../src/contract/words/phrases/index.ts';
import { type CorpusContract, largeContracts, smallContracts } from './corpus.ts';

const usage = `node bench/contracts/phrases.ts [--examples] [DOCUMENT …]

Counts on how many contracts of others each pattern of each phrase fires: those of
@readme/oas-examples, the large ones that fetch.ts has brought, the Pet Store, and each DOCUMENT.
A pattern that fires on none has not earned its place; the exit code is then 1.

  --examples  shows a sentence for each pattern
`;

/** The contract that the package bundles: a real one, which stays as it is. */
const petStore = fileURLToPath(new URL('../../openapi/petstore.v1.yaml', import.meta.url));

const deepest = 6;

/** The descriptions in a schema, and in those of its members. */
function* textsIn(
  schema: Schema,
  place: LocatedNode,
  seen: Set<string>,
  depth = 0,
): Generator<ToldText> {
  const flat = schema.flatten(place);
  if (depth > deepest || seen.has(flat.pointer)) return;
  seen.add(flat.pointer);
  yield* fieldTexts(flat);
  for (const part of flat.properties.values()) yield* textsIn(schema, part, seen, depth + 1);
  if (flat.node.items === undefined) return;
  const items = { node: flat.node.items, pointer: `${flat.pointer}/items` };
  yield* textsIn(schema, items, seen, depth + 1);
}

function* allTexts(contract: Contract): Generator<ToldText> {
  yield* contractTexts(contract);
  const seen = new Set<string>();
  for (const operation of contract.operations) {
    yield* operationTexts(operation);
    yield* operation.parameters.flatMap(parameterTexts);
    yield* operation.responses.flatMap(responseTexts);
    const media = [operation.requestBody, ...operation.responses].flatMap(
      (body) => body?.content ?? [],
    );
    for (const { schema } of media) if (schema !== undefined) yield* textsIn(schema, schema, seen);
  }
}

/** One pattern of a phrase, and where it fires. */
interface Tally {
  readonly fact: FactName;
  readonly source: string;
  readonly contracts: Set<string>;
  sentences: number;
  example: string;
}

const facts = Object.keys(phrases).filter((name): name is FactName => name in phrases);
const tallies = facts.flatMap((fact) =>
  phrases[fact].patterns.map((pattern) => ({
    pattern,
    tally: {
      fact,
      source: pattern.source,
      contracts: new Set(),
      sentences: 0,
      example: '',
    } as Tally,
  })),
);

function count(name: string, contract: Contract): void {
  for (const told of allTexts(contract))
    for (const { pattern, tally } of tallies) {
      const phrase = phrases[tally.fact];
      if (told.kind === 'stated' || !phrase.in.includes(told.kind)) continue;
      const found = matchesOf({ ...phrase, patterns: [pattern] }, told.text);
      if (found.length === 0) continue;
      tally.contracts.add(name);
      tally.sentences += found.length;
      if (tally.example === '') tally.example = `${name}: ${found[0]?.sentence ?? ''}`;
    }
}

async function main(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const given = words
    .filter((word) => word !== '--examples')
    .map((file): CorpusContract => ({ name: file, file }));
  const corpus = [
    ...smallContracts(),
    ...largeContracts(),
    { name: 'the Pet Store', file: petStore },
    ...given,
  ];
  let read = 0;
  for (const { name, file } of corpus)
    try {
      count(name, await loadContract(file));
      read += 1;
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  console.log(`${String(read)} contracts`);
  for (const { tally } of tallies) {
    const { fact, contracts, sentences, source, example } = tally;
    const counts = `${String(contracts.size).padStart(4)} ${String(sentences).padStart(6)}`;
    console.log(`${counts}  ${fact.padEnd(22)} ${source.slice(0, 90)}`);
    if (words.includes('--examples') && example !== '')
      console.log(`             ${example.replaceAll(/\s+/g, ' ').slice(0, 150)}`);
  }
  return tallies.some(({ tally }) => tally.contracts.size === 0) ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
