/** What a new line keeps of those that it replaces, beside the travellers: the partner's reference and the supplements. Pure. */
import type { Offer, OfferedSupplement } from '../../../offers/rules/offer.ts';
import type { FareProduct } from '../../../shared/fares.ts';
import type { TravellerId } from '../../../shared/ids.ts';
import { type ErrorItem, ServiceError } from '../../../shared/service-error.ts';
import type { LineProduct, OrderLine } from '../order.ts';
import { sellSameSeat } from './chosen-products.ts';

export interface KeptContent {
  readonly externalReference?: string;
  /** Absent: the caller has chosen. */
  readonly selectableProductIds?: readonly string[];
}

/** For the line of these travellers. Asked once for each new line, in their order. */
export type ContentKeeper = (travellerIds: readonly TravellerId[]) => KeptContent;

export interface ReplacedContent {
  readonly replaced: readonly OrderLine[];
  /** Of the catalogue in force: tells which supplements of a line nobody has chosen, where the line does not. */
  readonly products: ReadonlyMap<string, FareProduct>;
  readonly keepsSupplements: boolean;
  /** JSON pointer of the configuration. */
  readonly pointer: string;
}

/**
 * Each supplement of a replaced line goes to one new line, so that none is sold twice. A line has one supplement that reserves
 * the seat: a second one goes to another new line of its travellers, if there is one. The keeper throws VALIDATION_FAILED (422)
 * for a supplement that the offer lacks.
 */
export function keepContent(
  offer: Offer,
  { replaced, products, keepsSupplements, pointer }: ReplacedContent,
): ContentKeeper {
  const chosen = replaced.flatMap((line) => chosenIn(line, products).map((id): Chosen => ({ line, id })));
  const left = new Set(chosen);
  return (travellerIds) => {
    const before = replaced.filter((line) =>
      line.travellers.some(({ travellerId }) => travellerIds.includes(travellerId)),
    );
    const externalReference = before.find((line) => line.externalReference !== undefined)?.externalReference;
    const own = [...left].filter(({ line }) => before.includes(line));
    const kept = keepsSupplements ? fitting(own, offer, pointer) : [];
    for (const each of kept) left.delete(each.chosen);
    return {
      ...(externalReference !== undefined && { externalReference }),
      ...(keepsSupplements && { selectableProductIds: kept.map(({ offered }) => offered.selectableId) }),
    };
  };
}

/** The same for lines of which a new line would keep the same. */
export function contentKey(lines: readonly OrderLine[]): string {
  return JSON.stringify(
    lines.map(({ externalReference = null, fareProducts }) => [externalReference, ...supplementsIn(fareProducts)]),
  );
}

interface Chosen {
  readonly line: OrderLine;
  readonly id: string;
}

interface Fitting {
  readonly chosen: Chosen;
  readonly offered: OfferedSupplement;
}

/** Those that the new line can have together. Those of few travellers come first: the others may go to a further line. */
function fitting(own: readonly Chosen[], offer: Offer, pointer: string): readonly Fitting[] {
  const lacking = own.filter(({ id }) => !offer.supplements.some((each) => each.id === id));
  if (lacking.length > 0) throw lackingSupplements(lacking, pointer);
  const found = own.flatMap((chosen) => {
    const offered = offer.supplements.find(({ id }) => id === chosen.id);
    return offered ? [{ chosen, offered }] : [];
  });
  const travellersOf = ({ chosen }: Fitting) => chosen.line.travellers.length;
  const taken: OfferedSupplement[] = offer.supplements.filter(({ isCompulsory }) => isCompulsory);
  const kept = new Set<Chosen>();
  for (const { chosen, offered } of found.toSorted((a, b) => travellersOf(a) - travellersOf(b))) {
    if (!offered.isCompulsory && taken.some((other) => sellSameSeat(other, offered))) continue;
    taken.push(offered);
    kept.add(chosen);
  }
  return found.filter(({ chosen }) => kept.has(chosen));
}

/** The line says what was compulsory when it was sold; lines of older builds, and lines written by hand, do not. */
function chosenIn({ fareProducts }: OrderLine, products: ReadonlyMap<string, FareProduct>): readonly string[] {
  const compulsory = fareProducts.flatMap(({ id }) => {
    const product = products.get(id);
    return product?.kind === 'PREASSIGNED' ? product.compulsorySupplements : [];
  });
  return fareProducts.flatMap(({ id, kind, isCompulsory }) =>
    kind === 'SUPPLEMENT' && !(isCompulsory ?? compulsory.includes(id)) ? [id] : [],
  );
}

function supplementsIn(products: readonly LineProduct[]): readonly string[] {
  return products.flatMap(({ id, kind }) => (kind === 'SUPPLEMENT' ? [id] : []));
}

function lackingSupplements(lacking: readonly Chosen[], pointer: string): ServiceError {
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
