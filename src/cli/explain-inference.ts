import type { Contract, Resource } from '../contract/model.ts';

/** What was inferred from a contract, from what, and why the rest belongs to no resource: the text of `vouch mock --explain`. */
export function explainInference(contract: Contract): string {
  const lines = [`${contract.title} ${contract.version} (${contract.file}, OpenAPI ${contract.dialect})`, ''];
  for (const resource of contract.resources) lines.push(...explainResource(resource), '');
  if (contract.resources.length === 0) lines.push('No resource was found: every operation is answered from the contract, and nothing is kept.', '');
  if (contract.unplaced.length > 0) {
    lines.push('Answered from the contract, without state:');
    for (const { operation, why } of contract.unplaced) lines.push(`  ${operation.id} (${operation.method} ${operation.path}): ${why}`);
    lines.push('');
  }
  return `${lines.join('\n')}`;
}

function explainResource(resource: Resource): string[] {
  const fields = [...resource.record.flatten().properties.keys()].join(', ');
  return [`Resource ${resource.name}: records with ${fields}`, ...resource.why.map((line) => `  ${line}`)];
}
