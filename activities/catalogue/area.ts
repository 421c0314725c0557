/** The manifest of the catalogue area: the reference data of sales and customers. */
import { defineArea } from '../../platform/area.ts';
import { CATALOGUE } from '../shared/catalogue.ts';
import { FARES } from '../shared/fares.ts';
import { CATALOGUE_VERSIONS, CATALOGUE as CATALOGUES } from './catalogue-document.ts';
import { CatalogueFares } from './catalogue-fares.ts';
import { CATALOGUE_STORE, CatalogueStore } from './catalogue-store.ts';

export const catalogueArea = defineArea({
  name: 'catalogue',
  servedBy: 'api',
  collections: [
    {
      definition: CATALOGUES,
      uses: {
        api: ['find', 'insert', 'update'],
        'payment-page': ['find'],
        // The methods of the channel, when an attempt of a page makes its payment.
        'payment-pages-worker': ['find'],
        // Names on tickets and receipts, and whether the channel sends them by itself.
        'sales-documents-worker': ['find'],
      },
    },
    { definition: CATALOGUE_VERSIONS, uses: { api: ['insert', 'update'] } },
  ],
  provide: ({ mongo }, interfaces) => {
    const catalogue = new CatalogueStore(mongo);
    interfaces.provide(CATALOGUE, catalogue);
    interfaces.provide(CATALOGUE_STORE, catalogue);
    interfaces.provide(FARES, new CatalogueFares(catalogue));
  },
});
