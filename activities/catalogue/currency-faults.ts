/** Faults of currencies: each is one of ISO 4217 that is in use. Pure; called by catalogue-faults.ts. */
import { type Faults, fault, faultsOfEach } from './fault-items.ts';
import type { GivenCatalogue } from './given-catalogue.ts';

const IN_USE: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

type Priced = readonly { readonly currency?: string | undefined }[];

export function* currencyFaults(content: GivenCatalogue): Faults {
  const { fareProducts = [], refundRuleSets = [], changeRuleSets = [] } = content;
  yield* unknownCurrencies(content.distributionChannels, '/distributionChannels');
  yield* unknownCurrencies(fareProducts, '/fareProducts');
  yield* unknownCurrencies(refundRuleSets, '/refundRuleSets');
  yield* unknownCurrencies(changeRuleSets, '/changeRuleSets');
}

function unknownCurrencies(items: Priced, pointer: string): Faults {
  return faultsOfEach(items, ({ currency }, at) => {
    if (currency === undefined || IN_USE.has(currency)) return [];
    return [fault(`${pointer}/${at}/currency`, 'UNKNOWN_REFERENCE', `ISO 4217 has no currency ${currency}`)];
  });
}
