import type { Contract } from '../../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';
import type { MockKey } from '../security/mock-keys.ts';
import type { EndpointPath } from './endpoints.ts';
import { findOwnPaths } from './own-paths.ts';
import type { TokenDesk } from './token-desk.ts';
import type { TokenOptions } from './token-options.ts';
import { tokenPrefix } from './signing/token-prefix.ts';
import type { TokenJudge, TokenVerdict } from './token-verdict.ts';

/** The endpoints at which clients log in, and the judge of what they got there. */
export interface TokenService extends TokenJudge {
  /** Whether a request target is one of the endpoints'. */
  isTokenTarget(target: string): boolean;
  /**
   * Answers a request to one of them; never throws. `origin` is scheme and host as the client named
   * them.
   */
  answer(request: HttpRequest, origin: string): Promise<HttpResponse>;
}

/** What the service is made from. */
export interface TokenServiceParts extends TokenOptions {
  readonly contract: Contract;
  readonly keys: readonly MockKey[];
  readonly clock: () => Date;
  /** Whether a path belongs to an operation. */
  readonly isOwned: (path: string) => boolean;
}

/**
 * The endpoints of a contract. What is behind them is loaded and made when the first client comes.
 */
export class ContractTokens implements TokenService {
  readonly #given: TokenServiceParts;
  #ownPaths: ReadonlyMap<string, EndpointPath> | undefined;
  #desk: Promise<TokenDesk> | undefined;

  constructor(given: TokenServiceParts) {
    this.#given = given;
  }

  isTokenTarget(target: string): boolean {
    const path = pathOf(target);
    return path === tokenPrefix || path.startsWith(`${tokenPrefix}/`) || this.#own().has(path);
  }

  async answer(request: HttpRequest, origin: string): Promise<HttpResponse> {
    const path = pathOf(request.target);
    const desk = await this.#openDesk();
    return desk.answer({ request, path, origin, endpoint: this.#own().get(path) });
  }

  async judge(token: string, now: Date): Promise<TokenVerdict> {
    const desk = await this.#openDesk();
    return desk.judge(token, now);
  }

  #own(): ReadonlyMap<string, EndpointPath> {
    return (this.#ownPaths ??= findOwnPaths(this.#given.contract, this.#given.isOwned));
  }

  #openDesk(): Promise<TokenDesk> {
    return (this.#desk ??= import('./token-desk.ts').then(
      ({ TokenDesk: Desk }) => new Desk(this.#given),
    ));
  }
}

/** Asked of every request that the mock gets. */
function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? target : target.slice(0, mark);
}
