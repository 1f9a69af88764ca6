import type { Contract } from '../../contract/model.ts';
import { emptyBody, type HeaderList, type HttpRequest } from '../../http/message.ts';
import type { MockOptions } from '../../mock/mock.ts';
import { demoKey, keyText } from '../../mock/security/credentials.ts';
import { redacted } from '../../redact/hide-named.ts';
import { makeRedactorOf, type Redactor, secretsIn } from '../../redact/redactor.ts';
import { SecretNames } from '../../redact/secret-names.ts';

/** Redacts secrets of the exchanges of a mock. */
export interface Redact extends Redactor {
  headers(headers: HeaderList): [name: string, value: string][];
  /**
   * Redacts a sentence about a header, a parameter or a member of the body: `header X must be a,
   * but is b`.
   */
  sentence(sentence: string): string;
  /** The same redactor, which also redacts the secrets of this request. */
  within(request: Pick<HttpRequest, 'headers' | 'target'> & Partial<HttpRequest>): Redact;
}

/** A redactor for a contract: by name, by form, and by value of `known` secrets. */
export function makeRedact(
  contract: Pick<Contract, 'securitySchemes' | 'document'>,
  known: readonly string[],
): Redact {
  return redactOf(new SecretNames(contract), known.filter(isTelling));
}

/** The redactor of a mock: its contract and its keys. The key of a demo is no secret. */
export function redactFor({ contract, keys }: MockOptions): Redact {
  return makeRedact(
    contract,
    keys.map(keyText).filter((key) => key !== demoKey),
  );
}

function redactOf(names: SecretNames, values: readonly string[]): Redact {
  const byValue = (text: string): string =>
    values.reduce((rest, value) => rest.replaceAll(value, redacted), text);
  const base = makeRedactorOf({ names, byValue });
  return {
    ...base,
    headers: (list) =>
      list.map(([name, value]) => [name, names.isHeader(name) ? redacted : base.text(value)]),
    sentence: (sentence) => {
      const [, place = '', name = ''] =
        /^((?:header |query |body\S*\.)(\S+)) (?:must|is) /.exec(sentence) ?? [];
      const secret = place.startsWith('header ')
        ? names.isHeader(name)
        : names.parameter(name) !== undefined;
      if (secret) return `${place} is not as it must be (its value is a secret)`;
      // What must be is what a person asked for; what is comes from a client.
      const [expected = '', ...seen] = sentence.split(', but is ');
      return [byValue(expected), ...seen.map(base.text)].join(', but is ');
    },
    within: ({ headers, target, body = emptyBody }) => {
      const { credentials, others } = secretsIn({ headers, target, body }, names);
      const own = [...credentials, ...others].filter(isTelling);
      return redactOf(names, [...new Set([...values, ...own])]);
    },
  };
}

/** Short texts are not redacted by value, because they occur as ordinary words. */
function isTelling(value: string): boolean {
  return value.length >= 6;
}
