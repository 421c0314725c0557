/**
 * Makes the catalogue of what a caller has written: amounts become integers, defaults are filled in. Pure. Callers: the
 * operation that replaces the catalogue, its loading at start (api/catalogue), the store.
 */
import type { FareProduct, PriceBasis } from '../../workflows/shared/fares.ts';
import { parseAmount } from '../../workflows/shared/money.ts';
import type { TaxRate } from '../../workflows/shared/price.ts';
import type { SeatPlan } from '../../workflows/shared/seats.ts';
import {
  BOOK_PROVIDER,
  type CatalogueContent,
  type DistributionChannel,
  PAYMENT_TYPE_GROUPS,
  type PaymentTypeGroup,
} from '../shared/catalogue.ts';
import {
  DEFAULT_CURRENCY,
  DEFAULT_LATEST_START_DAYS,
  DEFAULT_TIME_ZONE,
  type GivenBasis,
  type GivenCatalogue,
  type GivenChannel,
  type GivenProduct,
  type GivenRuleSet,
  type GivenSeatPlan,
  type GivenTax,
} from './given-catalogue.ts';

/** The payment provider that the service is configured with. */
const DEFAULT_PROVIDER = 'DEFAULT';
/** Money in these groups is taken by a payment provider; in all others it is handled elsewhere. */
const PROVIDED_GROUPS: ReadonlySet<string> = new Set<PaymentTypeGroup>(['PAYMENTCARD', 'MOBILE']);
const BASIS_POINTS_PER_PERCENT = 100;

export const EMPTY_CATALOGUE: CatalogueContent = {
  timeZone: DEFAULT_TIME_ZONE,
  organisations: [],
  distributionChannels: [],
  consentDefinitions: [],
  userTypes: [],
  entitlements: [],
  fareProducts: [],
  prices: [],
  refundRuleSets: [],
  changeRuleSets: [],
  seatPlans: [],
  trains: [],
};

/** Of a catalogue without faults. */
export function contentOf({ version: _, ...given }: GivenCatalogue): CatalogueContent {
  const { distributionChannels, fareProducts = [], prices = [] } = given;
  const { refundRuleSets = [], changeRuleSets = [], seatPlans = [] } = given;
  const products = fareProducts.map(productOf);
  const currencies = new Map(products.map(({ id, currency }) => [id, currency]));
  return {
    ...EMPTY_CATALOGUE,
    ...given,
    distributionChannels: distributionChannels.map(channelOf),
    fareProducts: products,
    prices: prices.map((price) => ({
      ...price,
      basis: basisOf(price.basis, currencies.get(price.productId) ?? DEFAULT_CURRENCY),
    })),
    refundRuleSets: refundRuleSets.map(ruleSetOf),
    changeRuleSets: changeRuleSets.map(ruleSetOf),
    seatPlans: seatPlans.map(seatPlanOf),
  };
}

/** Catalogues that were stored before a member existed have its default. */
export function withDefaults(
  stored: Partial<CatalogueContent> & Pick<GivenCatalogue, 'organisations' | 'distributionChannels'>,
): CatalogueContent {
  return { ...EMPTY_CATALOGUE, ...stored, distributionChannels: stored.distributionChannels.map(channelOf) };
}

function channelOf({ paymentMethods, refundPaymentTypeGroups, ...channel }: GivenChannel): DistributionChannel {
  return {
    ...channel,
    paymentMethods: paymentMethods.map((method) => ({
      ...method,
      paymentTypeGroup: groupOf(method.paymentTypeGroup),
      provider: method.provider ?? (PROVIDED_GROUPS.has(method.paymentTypeGroup) ? DEFAULT_PROVIDER : BOOK_PROVIDER),
    })),
    refundPaymentTypeGroups: refundPaymentTypeGroups.map(groupOf),
    currency: channel.currency ?? DEFAULT_CURRENCY,
    returnOrigins: channel.returnOrigins ?? [],
  };
}

function groupOf(text: string): PaymentTypeGroup {
  const group = PAYMENT_TYPE_GROUPS.find((each) => each === text);
  if (group === undefined) throw new RangeError(`${text} is no group of payment types`);
  return group;
}

function productOf(given: GivenProduct): FareProduct {
  const facts = { currency: given.currency ?? DEFAULT_CURRENCY, tax: taxOf(given.tax) };
  if (given.kind === 'SUPPLEMENT') {
    const { requiredEntitlements: _, ...supplement } = given;
    return { ...supplement, ...facts };
  }
  const { latestStartDays = DEFAULT_LATEST_START_DAYS, modifiesSeating: _, ...fare } = given;
  const { requiredEntitlements = [], compulsorySupplements = [], optionalSupplements = [] } = given;
  const lists = { requiredEntitlements, compulsorySupplements, optionalSupplements };
  return { ...fare, ...facts, latestStartDays, ...lists };
}

function taxOf({ code, rate }: GivenTax): TaxRate {
  return { code, basisPoints: Math.round(rate * BASIS_POINTS_PER_PERCENT) };
}

function basisOf(given: GivenBasis, currency: string): PriceBasis {
  const minor = (text: string) => amountOf(text, currency);
  switch (given.kind) {
    case 'FLAT':
      return { kind: given.kind, amountMinor: minor(given.amount) };
    case 'ZONES':
      return {
        kind: given.kind,
        steps: given.steps.map(({ zones, amount }) => ({ zones, amountMinor: minor(amount) })),
      };
    case 'DISTANCE':
      return {
        kind: given.kind,
        baseMinor: minor(given.baseAmount),
        perKilometreMinor: minor(given.amountPerKilometre),
        minimumMinor: minor(given.minimumAmount),
        roundToMinor: minor(given.roundUpTo),
      };
    case 'STOP_PAIRS':
      return {
        kind: given.kind,
        pairs: given.pairs.map(({ amount, ...pair }) => ({ ...pair, amountMinor: minor(amount) })),
      };
  }
}

function ruleSetOf<Rule extends { readonly feeAmount: string }>({
  id,
  currency = DEFAULT_CURRENCY,
  rules,
}: GivenRuleSet<Rule>) {
  return {
    id,
    currency,
    rules: rules.map(({ feeAmount, ...rule }) => ({ ...rule, feeAmountMinor: amountOf(feeAmount, currency) })),
  };
}

function amountOf(text: string, currency: string): number {
  const amountMinor = parseAmount(text, currency);
  if (amountMinor === undefined) throw new RangeError(`${text} is no amount of ${currency}`);
  return amountMinor;
}

function seatPlanOf({ id, carriages }: GivenSeatPlan): SeatPlan {
  return {
    id,
    carriages: carriages.map(({ carriageNumber, seats }) => ({
      carriageNumber,
      seats: seats.map(({ seatingProperties, ...seat }) => ({
        ...seat,
        properties: { ...seatingProperties, facilities: seatingProperties.facilities ?? [] },
      })),
    })),
  };
}
