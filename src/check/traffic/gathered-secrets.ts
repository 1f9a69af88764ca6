import type { Contract } from '../../contract/model.ts';
import { redacted } from '../../redact/hide-named.ts';
import { makeValueHider, type ValueHider, withPlain } from '../../redact/hide-values.ts';
import { secretsIn } from '../../redact/redactor.ts';
import { SecretNames } from '../../redact/secret-names.ts';
import type { Exchange } from '../model/exchange.ts';
import { assembleRedactor, type Redactor, withoutCodings } from '../secrets/redact.ts';
import type { Secret, Secrets } from '../secrets/secrets.ts';
import { inventedCredentials, shellSecrets } from '../secrets/secrets.ts';

/** The secrets that are searched in every way in which they may be written: that takes long. */
const maxThorough = 10;
/** The secrets that are searched as they are; the oldest are forgotten first. */
const maxPlain = 100;

/**
 * The secrets in traffic: vouch was not given them, and must not show them. They are found by their
 * names, and then hidden by their values too. There may be a new one in every exchange.
 */
export class GatheredSecrets {
  readonly #names: SecretNames;
  readonly #given: readonly Secret[];
  readonly #invented: readonly string[];
  readonly #thorough = new Map<string, Secret>();
  readonly #plain = new Map<string, Secret>();
  #values: ValueHider;
  #redactor: Redactor;

  constructor(contract: Contract, given: Secrets) {
    this.#given = shellSecrets(given);
    this.#invented = inventedCredentials(given);
    const inHeaders = given.headers.flatMap(({ name, shell }) => (shell === undefined ? [] : name));
    this.#names = new SecretNames(contract, inHeaders);
    this.#values = makeValueHider(this.#given);
    this.#redactor = this.#makeRedactor();
  }

  /** Hides all secrets that are known now. */
  get redactor(): Redactor {
    return this.#redactor;
  }

  /** All secrets, with what a shell writes in their place. */
  get all(): readonly Secret[] {
    return [...this.#given, ...this.#thorough.values(), ...this.#plain.values()];
  }

  /** Learns the secrets of an exchange. */
  learn({ request, response }: Exchange): void {
    const found = [request, ...(response === undefined ? [] : [response])].flatMap((message) => {
      const { credentials, others } = secretsIn(message, this.#names, withoutCodings);
      return [
        ...credentials.map((value) => ({ value, shell: '$VOUCH_TOKEN' })),
        ...others.filter(isTelling).map((value) => ({ value, shell: redacted })),
      ];
    });
    const before = this.#thorough.size;
    const fresh = found.filter((secret) => this.#add(secret));
    if (fresh.length === 0) return;
    if (this.#thorough.size > before)
      this.#values = makeValueHider([...this.#given, ...this.#thorough.values()]);
    this.#redactor = this.#makeRedactor();
  }

  #add(secret: Secret): boolean {
    const { value } = secret;
    if (this.#thorough.has(value) || this.#plain.has(value)) return false;
    if (this.#thorough.size < maxThorough) this.#thorough.set(value, secret);
    else this.#plain.set(value, secret);
    const [oldest] = this.#plain.keys();
    if (oldest !== undefined && this.#plain.size > maxPlain) this.#plain.delete(oldest);
    return true;
  }

  #makeRedactor(): Redactor {
    return assembleRedactor({
      values: withPlain(this.#values, [...this.#plain.values()]),
      names: this.#names,
      shells: [...new Set(this.all.map(({ shell }) => shell))],
      invented: this.#invented,
      isRecorded: true,
    });
  }
}

/** A shorter text, or a plain word, occurs in harmless texts too; in its place it is hidden. */
function isTelling(value: string): boolean {
  return value.length >= 6 && !/^\p{L}+$/u.test(value);
}
