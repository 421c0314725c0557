/**
 * The catalogue area: the reference data of sales and customers. Partners read it; the operator replaces it as a whole.
 * openapi.yaml describes the operations.
 */
import type { CatalogueStore } from '../../activities/catalogue/catalogue-store.ts';
import type { TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { presentCatalogue, presentMethods } from './presenters.ts';
import { readContent } from './requests.ts';

export interface CatalogueDependencies {
  readonly catalogue: CatalogueStore;
}

export const CATALOGUE_DOCUMENT = new URL('./openapi.yaml', import.meta.url);

export function createCatalogueArea({ catalogue }: CatalogueDependencies): TypedArea<Operations> {
  return {
    name: 'catalogue',
    document: CATALOGUE_DOCUMENT,
    operations: {
      getCatalogue: async () => {
        const { version, content } = await catalogue.current();
        return { status: 200, json: { version, ...presentCatalogue(content) } };
      },
      putCatalogue: async ({ body }) => ({ status: 200, json: await catalogue.replace(readContent(body)) }),
      listPaymentMethods: async ({ channel }) => ({ status: 200, json: presentMethods(channel) }),
    },
    finds: {},
  };
}
