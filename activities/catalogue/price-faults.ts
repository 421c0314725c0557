/** Faults of prices: each product has one for every user type that it is sold to. Pure; called by catalogue-faults.ts. */
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { amountFaults, duplicates, type Faults, fault, faultsOfEach, idsOf, unknownReference } from './fault-items.ts';
import {
  DEFAULT_CURRENCY,
  type GivenBasis,
  type GivenCatalogue,
  type GivenFarePrice,
  type GivenProduct,
} from './given-catalogue.ts';

export function* priceFaults({ fareProducts = [], prices = [], userTypes = [] }: GivenCatalogue): Faults {
  const products = new Map(fareProducts.map((product) => [product.id, product]));
  const types = idsOf(userTypes);
  const priced = new Set(prices.map(({ productId }) => productId));
  const keyOf = ({ productId, userTypeId = 'every other user type' }: GivenFarePrice) => `${productId}, ${userTypeId},`;
  yield* faultsOfEach(fareProducts, ({ id }, at) =>
    priced.has(id) ? [] : [fault(`/fareProducts/${at}/id`, 'NO_PRICE', `${id} has no price`)],
  );
  yield* duplicates(prices, keyOf, '/prices', 'productId');
  yield* faultsOfEach(prices, function* ({ productId, userTypeId, basis }, at) {
    const pointer = `/prices/${at}`;
    const product = products.get(productId);
    yield* unknownReference(productId, products, `${pointer}/productId`, 'fare product');
    if (userTypeId !== undefined) yield* unknownReference(userTypeId, types, `${pointer}/userTypeId`, 'user type');
    if (product) yield* fitFaults(product, basis, `${pointer}/basis/kind`);
    yield* basisFaults(basis, product?.currency ?? DEFAULT_CURRENCY, `${pointer}/basis`);
  });
}

function fitFaults(product: GivenProduct, { kind }: GivenBasis, pointer: string): readonly ErrorItem[] {
  if (kind === 'FLAT') return [];
  const misfit = (reason: string) => [fault(pointer, 'BASIS', `${kind} does not fit ${product.id}: ${reason}`)];
  if (product.kind === 'SUPPLEMENT') return misfit('a supplement is FLAT');
  if (product.compartment && kind === 'ZONES') return misfit('a compartment is no matter of zones');
  const area = kind === 'ZONES' ? 'ZONES' : 'LINES';
  return product.area.kind === area ? [] : misfit(`its area is ${product.area.kind}`);
}

function basisFaults(basis: GivenBasis, currency: string, pointer: string): Faults {
  const check = (text: string, member: string, leastMinor = 0) =>
    amountFaults(text, currency, `${pointer}/${member}`, leastMinor);
  switch (basis.kind) {
    case 'FLAT':
      return check(basis.amount, 'amount');
    case 'ZONES':
      return basis.steps.flatMap(({ zones, amount }, at) => [
        ...check(amount, `steps/${at}/amount`),
        ...(zones > (basis.steps[at - 1]?.zones ?? 0)
          ? []
          : [fault(`${pointer}/steps/${at}/zones`, 'ORDER', 'must be more than in the step before')]),
      ]);
    case 'DISTANCE':
      return [
        ...check(basis.baseAmount, 'baseAmount'),
        ...check(basis.amountPerKilometre, 'amountPerKilometre'),
        ...check(basis.minimumAmount, 'minimumAmount'),
        ...check(basis.roundUpTo, 'roundUpTo', 1),
      ];
    case 'STOP_PAIRS':
      return pairFaults(basis, check, pointer);
  }
}

function* pairFaults(
  { pairs }: Extract<GivenBasis, { kind: 'STOP_PAIRS' }>,
  check: (text: string, member: string) => readonly ErrorItem[],
  pointer: string,
): Faults {
  yield* faultsOfEach(pairs, ({ amount }, at) => check(amount, `pairs/${at}/amount`));
  // A pair is valid both ways.
  yield* duplicates(
    pairs,
    ({ fromStopPlaceId, toStopPlaceId }) => [fromStopPlaceId, toStopPlaceId].sort().join(' – '),
    `${pointer}/pairs`,
    'toStopPlaceId',
  );
}
