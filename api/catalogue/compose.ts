/** Composes the catalogue area for the API process. Caller: api/server.ts, by the area's name. */
import { z } from 'zod';
import { CATALOGUE_STORE } from '../../activities/catalogue/catalogue-store.ts';
import { AUDIT_TRAIL } from '../../activities/shared/audit.ts';
import { PAGE_PAYMENTS } from '../../activities/shared/payments.ts';
import { TIMETABLE } from '../../activities/shared/timetable.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { createCatalogueArea } from './routes.ts';
import { logWarnings } from './timetable-warnings.ts';

const config = {
  /** JSON file, loaded when no catalogue is stored yet. */
  CATALOGUE_FILE: z.string().optional(),
};

export const composition: AreaComposition = {
  config,
  compose: async ({ readConfig, interfaces, log }) => {
    const catalogue = interfaces.get(CATALOGUE_STORE);
    const { CATALOGUE_FILE: file } = readConfig(config);
    const timetable = interfaces.get(TIMETABLE);
    if (file !== undefined) {
      await loadCatalogue(catalogue, file, interfaces.get(AUDIT_TRAIL));
      // Of the catalogue in force, at each start: the timetable may have come after it.
      await logWarnings((await catalogue.current()).content, timetable, log);
    }
    const usesProvider = (provider: string) => interfaces.get(PAGE_PAYMENTS).usesProvider(provider);
    return { area: createCatalogueArea({ catalogue, timetable, usesProvider }) };
  },
};
