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

export interface ContentKeeper {
  /** For the line of these travellers. Asked once for each new line, in their order. Throws for what the offer lacks. */
  readonly keep: (travellerIds: readonly TravellerId[]) => KeptContent;
  /** Asked after the last new line. Throws for a supplement that no line could take. */
  readonly assertAllKept: () => void;
}

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
 * the seat: a second one goes to another new line of its travellers, if there is one. A line without travellers gives what it
 * has to the first new line. The keeper throws VALIDATION_FAILED (422), which names the supplement.
 */
export function keepContent(
  offer: Offer,
  { replaced, products, keepsSupplements, pointer }: ReplacedContent,
): ContentKeeper {
  const chosen = replaced.flatMap((line) => chosenIn(line, products).map((id): Chosen => ({ line, id })));
  const left = new Set(chosen);
  const ofNobody = replaced.filter(({ travellers }) => travellers.length === 0);
  const keep = (travellerIds: readonly TravellerId[]): KeptContent => {
    const own = replaced.filter((line) =>
      line.travellers.some(({ travellerId }) => travellerIds.includes(travellerId)),
    );
    const before = [...own, ...ofNobody];
    const externalReference = before.find((line) => line.externalReference !== undefined)?.externalReference;
    const possible = [...left].filter(({ line }) => before.includes(line));
    const kept = keepsSupplements ? fitting(possible, offer, pointer) : [];
    for (const each of kept) left.delete(each.chosen);
    return {
      ...(externalReference !== undefined && { externalReference }),
      ...(keepsSupplements && { selectableProductIds: kept.map(({ offered }) => offered.selectableId) }),
    };
  };
  const assertAllKept = () => {
    if (keepsSupplements && left.size > 0) throw leftSupplements([...left], pointer);
  };
  return { keep, assertAllKept };
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
  return notKept(lacking, pointer, {
    detail: `The offer lacks supplements of the lines: ${namesOf(lacking)}`,
    code: 'REQUIRED',
    reason: ({ line, id }) => `is required: the line ${line.id} has the supplement ${id}, which the offer lacks`,
  });
}

/** Dropping one would lose what the customer has paid for. */
function leftSupplements(left: readonly Chosen[], pointer: string): ServiceError {
  return notKept(left, pointer, {
    detail: `The new lines cannot have all supplements of the lines: a line has one that reserves the seat. Left: ${namesOf(left)}`,
    code: 'SAME_SEAT',
    reason: ({ line, id }) =>
      `is required: the line ${line.id} has the supplement ${id}, and no new line of its travellers can take it beside another that reserves the seat`,
  });
}

interface NotKept {
  readonly detail: string;
  readonly code: 'REQUIRED' | 'SAME_SEAT';
  readonly reason: (chosen: Chosen) => string;
}

function notKept(chosen: readonly Chosen[], pointer: string, { detail, code, reason }: NotKept): ServiceError {
  const errors = chosen.map(
    (each): ErrorItem => ({
      pointer: `${pointer}/selectableProductIds`,
      code,
      detail: reason(each),
    }),
  );
  return new ServiceError(
    'VALIDATION_FAILED',
    `${detail}. Name the supplements of the new lines in selectableProductIds; an empty list is none.`,
    { status: 422, errors },
  );
}

function namesOf(chosen: readonly Chosen[]): string {
  return [...new Set(chosen.map(({ id }) => id))].join(', ');
}
