import type * as Redocly from '@redocly/openapi-core';

/**
 * A resolver for Redocly that reads nothing at all: no file, no address. The document is handed
 * over parsed, and whatever else it names (in an example's `externalValue`, in a discriminator's
 * mapping) is left unread.
 */
export function makeSealedResolver(core: typeof Redocly): Redocly.BaseResolver {
  class SealedResolver extends core.BaseResolver {
    override loadExternalRef(reference: string): Promise<Redocly.Source> {
      return Promise.reject(
        new core.ResolveError(
          new Error(
            `${reference} is outside the document, and vouch reads nothing but the document`,
          ),
        ),
      );
    }
  }
  return new SealedResolver();
}
