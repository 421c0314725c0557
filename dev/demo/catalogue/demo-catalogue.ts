/**
 * The catalogue of the demo: fares of the demo region, for Fjordbuss and Nordtog. Callers: the local stack, which starts the
 * API with it; tests.
 */
import type { GivenCatalogue } from '../../../activities/catalogue/given-catalogue.ts';
import { CHANNELS, FJORDBUSS, NORDTOG, ORGANISATIONS } from './channels.ts';
import { coachProducts } from './coach-products.ts';
import { CONSENTS } from './consents.ts';
import { railPasses, railProducts } from './rail-products.ts';
import { CHANGE_RULE_SETS, REFUND_RULE_SETS } from './rules.ts';
import { SEAT_PLANS, TRAINS } from './seat-plans.ts';
import { coachSupplements, railSupplements, townSupplements } from './supplements.ts';
import { townProducts } from './town-products.ts';
import { ENTITLEMENTS, USER_TYPES } from './travellers.ts';

export function demoCatalogue(): GivenCatalogue {
  const own = { organisationId: FJORDBUSS, carrierOrganisationId: FJORDBUSS };
  const ofTrains = { organisationId: FJORDBUSS, carrierOrganisationId: NORDTOG };
  const ownTrains = { organisationId: NORDTOG, carrierOrganisationId: NORDTOG };
  const sold = [
    ...townProducts(own),
    ...townSupplements(own),
    ...coachProducts(own),
    ...coachSupplements(own),
    ...railProducts(ofTrains),
    ...railSupplements(ofTrains),
    ...railPasses(ownTrains),
  ];
  return {
    timeZone: 'Europe/Oslo',
    organisations: ORGANISATIONS,
    distributionChannels: CHANNELS,
    consentDefinitions: CONSENTS,
    userTypes: USER_TYPES,
    entitlements: ENTITLEMENTS,
    fareProducts: sold.map(({ product }) => product),
    prices: sold.flatMap(({ prices }) => prices),
    refundRuleSets: REFUND_RULE_SETS,
    changeRuleSets: CHANGE_RULE_SETS,
    seatPlans: SEAT_PLANS,
    trains: TRAINS,
  };
}
