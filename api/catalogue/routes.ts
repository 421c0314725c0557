/**
 * The catalogue area: the reference data of sales and customers. Partners read it; the operator replaces it as a whole.
 * openapi.yaml describes the operations.
 */
import type { CatalogueStore } from '../../activities/catalogue/catalogue-store.ts';
import { indexTrains } from '../../activities/shared/fares.ts';
import type { TimetableReader } from '../../activities/shared/timetable.ts';
import type { TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { presentCatalogue, presentMethods } from './presenters.ts';
import { readContent } from './requests.ts';
import { findWarnings } from './timetable-warnings.ts';
import { readDay, type TravelDay } from './travel-day.ts';

export interface CatalogueDependencies {
  readonly catalogue: CatalogueStore;
  readonly timetable: TravelDay & Pick<TimetableReader, 'listLineIds'>;
  /** Whether the configuration of this process names the payment provider. */
  readonly usesProvider: (provider: string) => boolean;
}

export const CATALOGUE_DOCUMENT = new URL('./openapi.yaml', import.meta.url);

export function createCatalogueArea({
  catalogue,
  timetable,
  usesProvider,
}: CatalogueDependencies): TypedArea<Operations> {
  return {
    name: 'catalogue',
    document: CATALOGUE_DOCUMENT,
    operations: {
      getCatalogue: async ({ query }) => {
        const { version, content } = await catalogue.current();
        const trains = { trains: indexTrains(content.trains) };
        const day = query.travelDate === undefined ? {} : await readDay(timetable, trains, query.travelDate, query);
        return { status: 200, json: { version, ...day, ...presentCatalogue(content) } };
      },
      putCatalogue: async ({ body, log }) => {
        const content = readContent(body);
        const { version } = await catalogue.replace(content);
        const warnings = await findWarnings(content, timetable, log);
        return { status: 200, json: { version, ...(warnings.length > 0 && { warnings }) } };
      },
      listPaymentMethods: async ({ channel }) => ({ status: 200, json: presentMethods(channel, usesProvider) }),
    },
    finds: {},
  };
}
