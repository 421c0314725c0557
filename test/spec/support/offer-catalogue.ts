/** Products as written in test/spec/offers/catalogue.yaml, in the form of the catalogue. Callers: offers.test.ts. */
import { z } from 'zod';
import type { FareTable } from '../../../workflows/offers/rules/wanted-travel.ts';
import type { FarePrice, FareProduct, PriceBasis } from '../../../workflows/shared/fares.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { OSLO } from './offer-case.ts';

const ids = z.array(z.string());
const price = z.strictObject({
  flat: z.number().optional(),
  zones: z.record(z.string(), z.number()).optional(),
  base: z.number().optional(),
  perKilometre: z.number().optional(),
  minimum: z.number().optional(),
  roundTo: z.number().optional(),
  pairs: z.record(z.string(), z.number()).optional(),
});
const area = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ZONES'), authorityIds: ids.optional(), zoneIds: ids.optional() }),
  z.strictObject({
    kind: z.literal('LINES'),
    lineIds: ids.optional(),
    authorityIds: ids.optional(),
    modes: ids.optional(),
  }),
]);
const product = z.strictObject({
  about: z.string().optional(),
  area: area.optional(),
  zoneType: z.enum(['RING', 'POINT_TO_POINT']).optional(),
  validityDuration: z.string().optional(),
  latestStartDays: z.number().default(0),
  refund: z.literal('UNUSED').optional(),
  entitlements: ids.default([]),
  group: z.tuple([z.number(), z.number()]).optional(),
  compartment: z.tuple([z.number(), z.number()]).optional(),
  accommodation: z.enum(['SLEEPER', 'COUCHETTE']).optional(),
  organisation: z.number().default(1),
  currency: z.string().default('NOK'),
  compulsory: ids.default([]),
  optional: ids.default([]),
  supplement: z
    .strictObject({ modifiesSeating: z.literal(true).optional(), seatFacility: z.string().optional() })
    .optional(),
  prices: z.record(z.string(), price),
});
export const offerCatalogue = z.record(z.string(), product);
type GivenProduct = z.infer<typeof product>;

const minor = (kroner: number) => Math.round(kroner * 100);

/** The named products with their supplements. */
export function fareTable(catalogue: z.infer<typeof offerCatalogue>, names: readonly string[]): FareTable {
  const wanted = new Set(names.flatMap((name) => [name, ...partsOf(catalogue, name)]));
  const given = Object.entries(catalogue).filter(([id]) => wanted.has(id));
  return {
    timeZone: OSLO,
    products: new Map(given.map(([id, each]) => [id, productOf(id, each)])),
    prices: new Map(given.map(([id, each]) => [id, pricesOf(id, each)])),
    refundRuleSets: new Map([
      ['NONE', { id: 'NONE', currency: 'NOK', rules: [] }],
      [
        'UNUSED',
        {
          id: 'UNUSED',
          currency: 'NOK',
          rules: [{ id: 'r', untilBefore: 'PT0S', refundPercent: 100, feeAmountMinor: 0, unusedOnly: true }],
        },
      ],
    ]),
  };
}

function partsOf(catalogue: z.infer<typeof offerCatalogue>, name: string): readonly string[] {
  const found = catalogue[name];
  if (!found) throw new Error(`catalogue.yaml has no product ${name}`);
  return [...found.compulsory, ...found.optional];
}

function productOf(id: string, given: GivenProduct): FareProduct {
  const organisationId = given.organisation as OrganisationId;
  const facts = {
    ...{ id, version: 1, name: [{ lang: 'nob', value: id }] as const, currency: given.currency },
    ...{ organisationId, carrierOrganisationId: organisationId, tax: { code: 'VAT_LOW', basisPoints: 1_200 } },
  };
  if (given.supplement) {
    const { modifiesSeating = false, seatFacility } = given.supplement;
    return { ...facts, kind: 'SUPPLEMENT', modifiesSeating, ...(seatFacility && { seatFacility }) };
  }
  if (!given.area) throw new Error(`${id} has no area`);
  const { zoneType, validityDuration, group, compartment, accommodation } = given;
  const count = ([minTravellers, maxTravellers]: readonly [number, number]) => ({ minTravellers, maxTravellers });
  return {
    ...{ ...facts, kind: 'PREASSIGNED', area: given.area as never, latestStartDays: given.latestStartDays },
    ...{ transferable: false, refundRuleSetId: given.refund ?? 'NONE', changeRuleSetId: 'NONE' },
    ...{ requiredEntitlements: given.entitlements, compulsorySupplements: given.compulsory },
    optionalSupplements: given.optional,
    ...(zoneType && { zoneType }),
    ...(validityDuration && { validityDuration }),
    ...(accommodation && { accommodation }),
    ...(group && { group: count(group) }),
    ...(compartment && { compartment: count(compartment) }),
  };
}

function pricesOf(productId: string, { prices }: GivenProduct): readonly FarePrice[] {
  return Object.entries(prices).map(([type, given]) => ({
    productId,
    ...(type !== 'ALL' && { userTypeId: type }),
    basis: basisOf(given),
  }));
}

function basisOf({
  flat,
  zones,
  pairs,
  base = 0,
  perKilometre = 0,
  minimum = 0,
  roundTo = 0.01,
}: z.infer<typeof price>): PriceBasis {
  if (flat !== undefined) return { kind: 'FLAT', amountMinor: minor(flat) };
  if (zones) {
    const steps = Object.entries(zones).map(([count, amount]) => ({
      zones: Number(count),
      amountMinor: minor(amount),
    }));
    return { kind: 'ZONES', steps };
  }
  if (pairs) return { kind: 'STOP_PAIRS', pairs: Object.entries(pairs).map(([ends, amount]) => pairOf(ends, amount)) };
  return {
    ...{ kind: 'DISTANCE', baseMinor: minor(base), perKilometreMinor: minor(perKilometre) },
    ...{ minimumMinor: minor(minimum), roundToMinor: minor(roundTo) },
  };
}

function pairOf(ends: string, amount: number) {
  const [fromStopPlaceId = '', toStopPlaceId = ''] = ends.split('-');
  return { fromStopPlaceId, toStopPlaceId, amountMinor: minor(amount) };
}
