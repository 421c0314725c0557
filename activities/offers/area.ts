/** The manifest of the offers area: what can be bought for a journey, at what price, for a limited time. */
import { defineArea } from '../../platform/area.ts';
import { OFFERS } from '../shared/offers.ts';
import { OFFERS_COLLECTION } from './offer-document.ts';
import { OfferStore } from './offer-store.ts';

export const offersArea = defineArea({
  name: 'offers',
  servedBy: 'api',
  collections: [
    {
      definition: OFFERS_COLLECTION,
      // Gone within two hours.
      leftOutOfBackups: 'ALL',
      uses: { api: ['find', 'insert'] },
    },
  ],
  provide: ({ mongo }, interfaces) => interfaces.provide(OFFERS, new OfferStore(mongo)),
});
