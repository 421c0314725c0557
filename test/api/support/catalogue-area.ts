/** The catalogue area on a database of a test, which may hold the rows of a timetable. */
import type { Connection } from 'mongoose';
import { CatalogueStore } from '../../../activities/catalogue/catalogue-store.ts';
import { TimetableRowsReader } from '../../../activities/timetable/reader/timetable-rows-reader.ts';
import { createCatalogueArea } from '../../../api/catalogue/routes.ts';
import { SIGNING_KEYS } from '../../support/planner-keys.ts';

export function catalogueArea(connection: Connection, catalogue = new CatalogueStore(connection)) {
  const timetable = new TimetableRowsReader(connection, { publicKeys: () => SIGNING_KEYS.publicKeys });
  return {
    area: createCatalogueArea({ catalogue, timetable, usesProvider: (provider) => provider === 'SIMULATOR' }),
    findChannel: async (id: string) => await catalogue.findChannel(id),
  };
}
