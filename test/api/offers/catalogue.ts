/** A small catalogue for the demo region: buses by zones, trains by distance, a coach with four seats. */
import { EMPTY_CATALOGUE } from '../../../activities/catalogue/catalogue-content.ts';
import type { CatalogueContent, DistributionChannel } from '../../../activities/shared/catalogue.ts';
import type { FarePrice, FareProduct, PreassignedProduct, SupplementProduct } from '../../../workflows/shared/fares.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import type { Seat } from '../../../workflows/shared/seats.ts';
import type { Text } from '../../../workflows/shared/text.ts';
import { channel } from '../../activities/catalogue/support.ts';

const [ONE, TWO] = [1 as OrganisationId, 2 as OrganisationId];
export const OWN_CHANNEL = 'TST:DistributionChannel:Own';
export const SHARED_CHANNEL = 'TST:DistributionChannel:Shared';
export const FOREIGN_CHANNEL = 'TST:DistributionChannel:Foreign';
export const COAST = 'DEM:Authority:Kysten';
export const LONG_DISTANCE = 'DEM:Authority:Langrute';
export const COACH_LINE = 'DEM:Line:401';

const named = (value: string): readonly Text[] => [{ lang: 'nob', value }];
const facts = (id: string, organisationId = ONE) => ({
  ...{ id, version: 1, name: named(id), organisationId, carrierOrganisationId: organisationId },
  ...{ currency: 'NOK', tax: { code: 'VAT_LOW', basisPoints: 1_200 } },
});

type Chosen = Pick<PreassignedProduct, 'area'> & Partial<PreassignedProduct>;

function fare(id: string, chosen: Chosen, organisationId = ONE): PreassignedProduct {
  return {
    ...{ ...facts(id, organisationId), kind: 'PREASSIGNED', latestStartDays: 30, transferable: false },
    ...{ refundRuleSetId: 'none', changeRuleSetId: 'none', requiredEntitlements: [] },
    ...{ compulsorySupplements: [], optionalSupplements: [], ...chosen },
  };
}

function supplement(id: string, chosen: Partial<SupplementProduct> = {}): SupplementProduct {
  return { ...facts(id), kind: 'SUPPLEMENT', modifiesSeating: false, ...chosen };
}

const onCoast = { kind: 'ZONES', authorityIds: [COAST] } as const;
const products: readonly FareProduct[] = [
  fare('bus-single', {
    ...{ area: onCoast, zoneType: 'POINT_TO_POINT', validityDuration: 'PT2H', refundRuleSetId: 'until-start' },
    optionalSupplements: ['bicycle'],
  }),
  fare('bus-day', { area: onCoast, validityDuration: 'P1D' }),
  fare('bus-group', { area: onCoast, validityDuration: 'P1D', group: { minTravellers: 3, maxTravellers: 10 } }),
  fare('train', { area: { kind: 'LINES', modes: ['rail'] }, optionalSupplements: ['bicycle'] }),
  fare('train-student', { area: { kind: 'LINES', modes: ['rail'] }, requiredEntitlements: ['STUDENT_CARD'] }),
  fare('coach', { area: { kind: 'LINES', modes: ['coach'] }, optionalSupplements: ['window'] }),
  fare('foreign', { area: { kind: 'LINES' } }, TWO),
  supplement('bicycle'),
  supplement('window', { modifiesSeating: true, seatFacility: 'WINDOW' }),
];

const flat = (productId: string, amountMinor: number, userTypeId?: string): FarePrice => ({
  ...{ productId, basis: { kind: 'FLAT', amountMinor } },
  ...(userTypeId && { userTypeId }),
});
const byZones = (userTypeId: string, amountMinor: number): FarePrice => ({
  ...{ productId: 'bus-single', userTypeId },
  basis: { kind: 'ZONES', steps: [1, 2, 3, 4, 5, 6, 7].map((zones) => ({ zones, amountMinor: zones * amountMinor })) },
});
const byDistance = (productId: string, perKilometreMinor: number): FarePrice => ({
  productId,
  basis: { kind: 'DISTANCE', baseMinor: 2_000, perKilometreMinor, minimumMinor: 4_500, roundToMinor: 100 },
});

const seat = (seatNumber: string, facilities: readonly string[]): Seat => ({
  ...{ seatNumber, compartmentNumber: '1' },
  properties: { fareClass: 'STANDARD', accommodationFacility: 'SEATING', facilities },
});
const seats = [seat('1', ['WINDOW']), seat('2', []), seat('3', []), seat('4', ['WINDOW'])];

function channels(): readonly DistributionChannel[] {
  return [
    channel({ id: OWN_CHANNEL, organisationIds: [ONE] }),
    channel({ id: SHARED_CHANNEL, organisationIds: [ONE, TWO] }),
    channel({ id: FOREIGN_CHANNEL, organisationIds: [TWO] }),
  ];
}

export const offersCatalogue: CatalogueContent = {
  ...EMPTY_CATALOGUE,
  organisations: [
    { id: ONE, name: 'One' },
    { id: TWO, name: 'Two', defaultDistributionChannelId: FOREIGN_CHANNEL },
    { id: 3 as OrganisationId, name: 'Three' },
  ],
  distributionChannels: channels(),
  userTypes: [
    { id: 'CHILD', name: named('Barn'), minAge: 6, maxAge: 17 },
    { id: 'ADULT', name: named('Voksen'), minAge: 18 },
    { id: 'STUDENT', name: named('Student') },
  ],
  entitlements: [{ id: 'STUDENT_CARD', name: named('Studentbevis') }],
  fareProducts: products,
  prices: [
    ...[byZones('ADULT', 4_000), byZones('CHILD', 2_000)],
    ...[flat('bus-day', 11_000), flat('bus-group', 20_000), flat('foreign', 100)],
    ...[byDistance('train', 150), byDistance('train-student', 100), byDistance('coach', 120)],
    ...[flat('bicycle', 3_000), flat('window', 2_500)],
  ],
  refundRuleSets: [
    { id: 'none', currency: 'NOK', rules: [] },
    {
      ...{ id: 'until-start', currency: 'NOK' },
      rules: [{ id: 'r1', untilBefore: 'PT0S', refundPercent: 100, feeAmountMinor: 0, unusedOnly: true }],
    },
  ],
  changeRuleSets: [{ id: 'none', currency: 'NOK', rules: [] }],
  seatPlans: [{ id: 'small', carriages: [{ carriageNumber: '1', seats }] }],
  trains: [{ id: 'coach', seatPlanId: 'small', seatReservation: 'COMPULSORY', lineIds: [COACH_LINE] }],
};
