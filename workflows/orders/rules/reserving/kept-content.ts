/** What a new line keeps of those that it replaces, beside the travellers: the partner's reference and the supplements. Pure. */
import { takesSeat } from '../../../offers/rules/needed-seats.ts';
import type { Offer } from '../../../offers/rules/offer.ts';
import type { FareProduct } from '../../../shared/fares.ts';
import type { TravellerId } from '../../../shared/ids.ts';
import { type ErrorItem, ServiceError } from '../../../shared/service-error.ts';
import type { LineProduct, OrderLine } from '../order.ts';

export interface KeptContent {
  readonly externalReference?: string;
  /** Absent: the caller has chosen. */
  readonly selectableProductIds?: readonly string[];
}

/** For the line of these travellers. Asked once for each new line, in their order. */
export type ContentKeeper = (travellerIds: readonly TravellerId[]) => KeptContent;

export interface ReplacedContent {
  readonly replaced: readonly OrderLine[];
  /** Of the catalogue: tells which supplements nobody has chosen. */
  readonly products: ReadonlyMap<string, FareProduct>;
  readonly keepsSupplements: boolean;
  /** JSON pointer of the configuration. */
  readonly pointer: string;
}

/**
 * The supplements of a replaced line go to one new line, so that none is sold twice. The keeper throws VALIDATION_FAILED (422)
 * for a supplement that the offer lacks.
 */
export function keepContent(
  offer: Offer,
  { replaced, products, keepsSupplements, pointer }: ReplacedContent,
): ContentKeeper {
  const taken = new Set<OrderLine>();
  return (travellerIds) => {
    const before = replaced.filter((line) =>
      line.travellers.some(({ travellerId }) => travellerIds.includes(travellerId)),
    );
    const externalReference = before.find((line) => line.externalReference !== undefined)?.externalReference;
    const left = before.filter((line) => !taken.has(line));
    for (const line of left) taken.add(line);
    return {
      ...(externalReference !== undefined && { externalReference }),
      ...(keepsSupplements && { selectableProductIds: selectableOf(offer, left, products, pointer) }),
    };
  };
}

/** The same for lines of which a new line would keep the same. */
export function contentKey(lines: readonly OrderLine[]): string {
  return JSON.stringify(
    lines.map(({ externalReference = null, fareProducts }) => [externalReference, ...supplementsIn(fareProducts)]),
  );
}

function selectableOf(
  offer: Offer,
  lines: readonly OrderLine[],
  products: ReadonlyMap<string, FareProduct>,
  pointer: string,
): readonly string[] {
  const found = lines.flatMap((line) =>
    chosenIn(line, products).map((id) => ({ line, id, offered: offer.supplements.find((each) => each.id === id) })),
  );
  const lacking = found.filter(({ offered }) => !offered);
  if (lacking.length > 0) throw lackingSupplements(lacking, pointer);
  // Each traveller of the new line has one seat on a ride, also where several lines had one each.
  const isSecond = ({ offered }: (typeof found)[number], at: number) =>
    offered && takesSeat(offered) && found.findIndex((each) => each.offered === offered) < at;
  return found.filter((each, at) => !isSecond(each, at)).flatMap(({ offered }) => offered?.selectableId ?? []);
}

function chosenIn({ fareProducts }: OrderLine, products: ReadonlyMap<string, FareProduct>): readonly string[] {
  const compulsory = fareProducts.flatMap(({ id }) => {
    const product = products.get(id);
    return product?.kind === 'PREASSIGNED' ? product.compulsorySupplements : [];
  });
  return supplementsIn(fareProducts).filter((id) => !compulsory.includes(id));
}

function supplementsIn(products: readonly LineProduct[]): readonly string[] {
  return products.flatMap(({ id, kind }) => (kind === 'SUPPLEMENT' ? [id] : []));
}

function lackingSupplements(
  lacking: readonly { readonly line: OrderLine; readonly id: string }[],
  pointer: string,
): ServiceError {
  const errors = lacking.map(
    ({ line, id }): ErrorItem => ({
      pointer: `${pointer}/selectableProductIds`,
      code: 'REQUIRED',
      detail: `is required: the line ${line.id} has the supplement ${id}, which the offer lacks`,
    }),
  );
  const names = [...new Set(lacking.map(({ id }) => id))].join(', ');
  return new ServiceError(
    'VALIDATION_FAILED',
    `The offer lacks supplements of the lines: ${names}. Name the supplements of the new lines in selectableProductIds; an empty list is none.`,
    { status: 422, errors },
  );
}
