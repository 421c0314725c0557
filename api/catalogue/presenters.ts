/** The catalogue as callers read it: amounts are decimal texts with their currency's digits, tax rates percent. */
import { BOOK_PROVIDER, type CatalogueContent, type DistributionChannel } from '../../activities/shared/catalogue.ts';
import type { ChangeRule, FareProduct, PriceBasis, RefundRule } from '../../workflows/shared/fares.ts';
import { formatAmount } from '../../workflows/shared/money.ts';
import type { SeatPlan } from '../../workflows/shared/seats.ts';
import type { Sent } from '../shared/operation.ts';
import type { Schemas } from './contract.gen.ts';

const BASIS_POINTS_PER_PERCENT = 100;

export function presentCatalogue(content: CatalogueContent): Sent<Omit<Schemas['Catalogue'], 'version'>> {
  const currencies = new Map(content.fareProducts.map(({ id, currency }) => [id, currency]));
  return {
    ...content,
    fareProducts: content.fareProducts.map(presentProduct),
    prices: content.prices.map(({ basis, ...price }) => ({
      ...price,
      basis: presentBasis(basis, currencies.get(price.productId) ?? ''),
    })),
    refundRuleSets: content.refundRuleSets.map(presentRuleSet<RefundRule>),
    changeRuleSets: content.changeRuleSets.map(presentRuleSet<ChangeRule>),
    seatPlans: content.seatPlans.map(presentSeatPlan),
  };
}

/** A method is active while its provider is set up too: book entries need none. */
export function presentMethods(
  { id, paymentMethods }: DistributionChannel,
  usesProvider: (provider: string) => boolean,
): Sent<Schemas['MethodOfChannel'][]> {
  return paymentMethods.map(({ paymentMethodId, paymentTypeGroup, paymentType, name, active, provider }) => ({
    paymentMethodId,
    paymentTypeGroup,
    paymentType,
    name,
    active: active && (provider === BOOK_PROVIDER || usesProvider(provider)),
    distributionChannelId: id,
  }));
}

function presentProduct(product: FareProduct): Sent<Schemas['FareProduct']> {
  const { code, basisPoints } = product.tax;
  const tax = { code, rate: basisPoints / BASIS_POINTS_PER_PERCENT };
  return product.kind === 'SUPPLEMENT'
    ? { ...product, tax, requiredEntitlements: [] }
    : { ...product, tax, modifiesSeating: false };
}

function presentBasis(basis: PriceBasis, currency: string): Schemas['PriceBasis'] {
  const amount = (amountMinor: number) => formatAmount(amountMinor, currency);
  switch (basis.kind) {
    case 'FLAT':
      return { kind: basis.kind, amount: amount(basis.amountMinor) };
    case 'ZONES':
      return {
        kind: basis.kind,
        steps: basis.steps.map(({ zones, amountMinor }) => ({ zones, amount: amount(amountMinor) })),
      };
    case 'DISTANCE':
      return {
        kind: basis.kind,
        baseAmount: amount(basis.baseMinor),
        amountPerKilometre: amount(basis.perKilometreMinor),
        minimumAmount: amount(basis.minimumMinor),
        roundUpTo: amount(basis.roundToMinor),
      };
    case 'STOP_PAIRS':
      return {
        kind: basis.kind,
        pairs: basis.pairs.map(({ amountMinor, ...pair }) => ({ ...pair, amount: amount(amountMinor) })),
      };
  }
}

function presentRuleSet<Rule extends { readonly feeAmountMinor: number }>({
  id,
  currency,
  rules,
}: {
  readonly id: string;
  readonly currency: string;
  readonly rules: readonly Rule[];
}) {
  return {
    id,
    currency,
    rules: rules.map(({ feeAmountMinor, ...rule }) => ({ ...rule, feeAmount: formatAmount(feeAmountMinor, currency) })),
  };
}

function presentSeatPlan({ id, carriages }: SeatPlan) {
  return {
    id,
    carriages: carriages.map(({ carriageNumber, seats }) => ({
      carriageNumber,
      seats: seats.map(({ properties, ...seat }) => ({ ...seat, seatingProperties: properties })),
    })),
  };
}
