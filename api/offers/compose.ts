/** Composes the offers area for the API process. Caller: api/server.ts, by the area's name. */
import { OfferSearches } from '../../activities/offers/offer-search.ts';
import { OfferStore } from '../../activities/offers/offer-store.ts';
import { CATALOGUE } from '../../activities/shared/catalogue.ts';
import { FARES } from '../../activities/shared/fares.ts';
import { SEATING } from '../../activities/shared/seating.ts';
import { TIMETABLE } from '../../activities/shared/timetable.ts';
import type { AreaComposition } from '../shared/area-composition.ts';
import { createOffersArea } from './routes.ts';

export const composition: AreaComposition = {
  config: {},
  compose: ({ mongo, interfaces }) => {
    const offers = new OfferStore(mongo);
    const searches = new OfferSearches({
      timetable: interfaces.get(TIMETABLE),
      fares: interfaces.get(FARES),
      seating: interfaces.get(SEATING),
      offers,
    });
    return { area: createOffersArea({ catalogue: interfaces.get(CATALOGUE), searches, offers }) };
  },
};
