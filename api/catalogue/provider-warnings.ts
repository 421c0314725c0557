/**
 * Methods of payment that nobody can pay by: their provider is not set up in this service. No fault: another environment
 * may have it. Pure. Caller: the operation that replaces the catalogue.
 */
import { BOOK_PROVIDER, type CatalogueContent } from '../../activities/shared/catalogue.ts';
import type { Schemas } from './contract.gen.ts';

export function providerWarnings(
  { distributionChannels }: Pick<CatalogueContent, 'distributionChannels'>,
  usesProvider: (provider: string) => boolean,
): readonly Schemas['Warning'][] {
  return distributionChannels.flatMap(({ paymentMethods }, channel) =>
    paymentMethods.flatMap(({ active, provider }, at) => {
      if (!active || provider === BOOK_PROVIDER || usesProvider(provider)) return [];
      const pointer = `/distributionChannels/${channel}/paymentMethods/${at}/provider`;
      const detail = `the payment provider ${provider} is not set up in this service`;
      return [{ pointer, code: 'PROVIDER_NOT_SET_UP' as const, detail }];
    }),
  );
}
