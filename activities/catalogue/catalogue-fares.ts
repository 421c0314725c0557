/** The fares of the catalogue in force, indexed once for each version. Provided to other areas by the key FARES. */
import type { FarePrice } from '../../workflows/shared/fares.ts';
import type { CatalogueContent, CatalogueReader, CatalogueVersion } from '../shared/catalogue.ts';
import { type FareReader, type Fares, indexTrains } from '../shared/fares.ts';

export class CatalogueFares implements FareReader {
  readonly #catalogue: Pick<CatalogueReader, 'current' | 'lately'>;
  #read: Fares | undefined;

  constructor(catalogue: Pick<CatalogueReader, 'current' | 'lately'>) {
    this.#catalogue = catalogue;
  }

  async current(): Promise<Fares> {
    return this.#faresOf(await this.#catalogue.current());
  }

  async lately(): Promise<Fares> {
    return this.#faresOf(await this.#catalogue.lately());
  }

  #faresOf({ version, content }: CatalogueVersion): Fares {
    if (this.#read?.catalogueVersion !== version) this.#read = faresOf(version, content);
    return this.#read;
  }
}

export function faresOf(catalogueVersion: number, content: CatalogueContent): Fares {
  const { timeZone, userTypes, entitlements, trains } = content;
  return {
    catalogueVersion,
    timeZone,
    userTypes,
    entitlements,
    products: byId(content.fareProducts),
    prices: byProduct(content.prices),
    refundRuleSets: byId(content.refundRuleSets),
    changeRuleSets: byId(content.changeRuleSets),
    seatPlans: byId(content.seatPlans),
    trains: indexTrains(trains),
  };
}

function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function byProduct(prices: readonly FarePrice[]): ReadonlyMap<string, readonly FarePrice[]> {
  return Map.groupBy(prices, ({ productId }) => productId);
}
