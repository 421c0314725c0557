/**
 * The catalogue area: the reference data of sales and customers. Partners read it; the operator replaces it as a whole.
 * openapi.yaml describes the operations.
 */
import type { CatalogueStore } from '../../activities/catalogue/catalogue-store.ts';
import { indexTrains } from '../../activities/shared/fares.ts';
import { assertMatches } from '../shared/etags.ts';
import type { TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { presentCatalogue, presentMethods } from './presenters.ts';
import { providerWarnings } from './provider-warnings.ts';
import { readContent } from './requests.ts';
import { findWarnings, MAX_WARNINGS, type NamedTimetable } from './timetable-warnings.ts';
import { readDay, type TravelDay } from './travel-day.ts';

export interface CatalogueDependencies {
  readonly catalogue: CatalogueStore;
  readonly timetable: TravelDay & NamedTimetable;
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
        const json = { version, ...presentCatalogue(content) };
        if (query.travelDate === undefined) return { status: 200, headers: { etag: etagOf(version) }, json };
        // Journeys change without the catalogue.
        return { status: 200, json: { ...(await readDay(timetable, trains, query.travelDate, query)), ...json } };
      },
      putCatalogue: async ({ body, headers, log }) => {
        const content = readContent(body);
        const { version } = await catalogue.replace(content, (replaced) =>
          assertMatches(headers['if-match'], etagOf(replaced)),
        );
        const lacking = await findWarnings(content, timetable, log);
        const warnings = [...providerWarnings(content, usesProvider), ...lacking].slice(0, MAX_WARNINGS);
        const json = { version, ...(warnings.length > 0 && { warnings }) };
        return { status: 200, headers: { etag: etagOf(version) }, json };
      },
      listPaymentMethods: async ({ channel }) => ({ status: 200, json: presentMethods(channel, usesProvider) }),
    },
    finds: {},
  };
}

function etagOf(version: number): string {
  return `"${version}"`;
}
