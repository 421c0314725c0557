/** Faults of fare products: what they refer to exists and fits them. Pure; called by catalogue-faults.ts. */
import { nominalSeconds, readDuration } from '../../workflows/shared/duration.ts';
import type { TravellerCount } from '../../workflows/shared/fares.ts';
import { LONGEST_TICKET_DAYS } from '../../workflows/shared/longest-ticket.ts';
import type { ErrorItem } from '../../workflows/shared/service-error.ts';
import { duplicates, type Faults, fault, faultsOfEach, idsOf, unknownReference } from './fault-items.ts';
import {
  DEFAULT_CURRENCY,
  DEFAULT_LATEST_START_DAYS,
  type GivenCatalogue,
  type GivenPreassigned,
  type GivenProduct,
  type GivenRuleSet,
  type GivenSupplement,
} from './given-catalogue.ts';

/** The last start may be the end of its day, and a ticket without a duration is valid for its journey. */
const MARGIN_DAYS = 2;
const SECONDS_PER_DAY = 86_400;

interface Known {
  readonly organisations: ReadonlySet<number>;
  readonly products: ReadonlyMap<string, GivenProduct>;
  readonly entitlements: ReadonlySet<string>;
  readonly refundRuleSets: ReadonlyMap<string, GivenRuleSet<unknown>>;
  readonly changeRuleSets: ReadonlyMap<string, GivenRuleSet<unknown>>;
}

export function* productFaults(content: GivenCatalogue): Faults {
  const { fareProducts = [], entitlements = [], refundRuleSets = [], changeRuleSets = [] } = content;
  const known: Known = {
    organisations: idsOf(content.organisations),
    products: byId(fareProducts),
    entitlements: idsOf(entitlements),
    refundRuleSets: byId(refundRuleSets),
    changeRuleSets: byId(changeRuleSets),
  };
  yield* duplicates(fareProducts, ({ id }) => id, '/fareProducts', 'id');
  yield* faultsOfEach(fareProducts, (product, at) => {
    const pointer = `/fareProducts/${at}`;
    return [
      ...organisationFaults(product, pointer, known),
      ...(product.kind === 'SUPPLEMENT'
        ? supplementFaults(product, pointer)
        : preassignedFaults(product, pointer, known)),
    ];
  });
}

function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function organisationFaults(product: GivenProduct, pointer: string, { organisations }: Known): readonly ErrorItem[] {
  return (['organisationId', 'carrierOrganisationId'] as const).flatMap((member) =>
    unknownReference<number>(product[member], organisations, `${pointer}/${member}`, 'organisation'),
  );
}

function supplementFaults({ modifiesSeating, seatFacility }: GivenSupplement, pointer: string): readonly ErrorItem[] {
  if (modifiesSeating || seatFacility === undefined) return [];
  return [fault(`${pointer}/seatFacility`, 'NOT_APPLICABLE', 'is only for a supplement that modifies seating')];
}

function preassignedFaults(product: GivenPreassigned, pointer: string, known: Known): readonly ErrorItem[] {
  const { requiredEntitlements = [], validityDuration = '', compartment, group } = product;
  const isBackwards = validityDuration.startsWith('-');
  return [
    ...(['refundRuleSetId', 'changeRuleSetId'] as const).flatMap((member) =>
      ruleSetReferenceFaults(product, member, pointer, known),
    ),
    ...requiredEntitlements.flatMap((id, at) =>
      unknownReference(id, known.entitlements, `${pointer}/requiredEntitlements/${at}`, 'entitlement'),
    ),
    ...(['compulsorySupplements', 'optionalSupplements'] as const).flatMap((list) =>
      (product[list] ?? []).flatMap((id, at) =>
        supplementReferenceFaults(product, id, `${pointer}/${list}/${at}`, known),
      ),
    ),
    ...chosenTwice(product, pointer),
    ...(isBackwards ? [fault(`${pointer}/validityDuration`, 'RANGE', 'must not be negative')] : []),
    ...lateEndFaults(product, pointer),
    ...countFaults(compartment, `${pointer}/compartment`),
    ...countFaults(group, `${pointer}/group`),
    ...(compartment && group ? [fault(`${pointer}/group`, 'NOT_APPLICABLE', 'cannot stand beside compartment')] : []),
    ...(product.zoneType !== undefined && product.area.kind !== 'ZONES'
      ? [fault(`${pointer}/zoneType`, 'NOT_APPLICABLE', 'is only for a product with an area of zones')]
      : []),
  ];
}

/** A ticket that is sold must be signed. */
function lateEndFaults(product: GivenPreassigned, pointer: string): readonly ErrorItem[] {
  const { latestStartDays = DEFAULT_LATEST_START_DAYS, validityDuration = 'PT0S' } = product;
  const validDays = Math.ceil(nominalSeconds(readDuration(validityDuration)) / SECONDS_PER_DAY);
  const days = latestStartDays + MARGIN_DAYS + validDays;
  if (days <= LONGEST_TICKET_DAYS) return [];
  const why = `no ticket can be signed for more than ${LONGEST_TICKET_DAYS} days ahead`;
  const member = latestStartDays >= LONGEST_TICKET_DAYS ? 'latestStartDays' : 'validityDuration';
  const what = `latestStartDays and validityDuration let a ticket end ${days} days after its sale`;
  return [fault(`${pointer}/${member}`, 'RANGE', `is too much: ${what}, and ${why}`)];
}

function ruleSetReferenceFaults(
  product: GivenPreassigned,
  member: 'refundRuleSetId' | 'changeRuleSetId',
  pointer: string,
  known: Known,
): readonly ErrorItem[] {
  const sets = member === 'refundRuleSetId' ? known.refundRuleSets : known.changeRuleSets;
  const set = sets.get(product[member]);
  if (!set) return unknownReference(product[member], sets, `${pointer}/${member}`, 'rule set');
  return currencyFaults(product, set, `${pointer}/${member}`);
}

function supplementReferenceFaults(
  product: GivenPreassigned,
  id: string,
  pointer: string,
  { products }: Known,
): readonly ErrorItem[] {
  const supplement = products.get(id);
  if (!supplement) return unknownReference(id, products, pointer, 'fare product');
  if (id === product.id) return [fault(pointer, 'SELF_REFERENCE', 'is the product itself')];
  if (supplement.kind !== 'SUPPLEMENT') return [fault(pointer, 'NO_SUPPLEMENT', `${id} is no supplement`)];
  return currencyFaults(product, supplement, pointer);
}

/** Amounts of different currencies cannot be added. */
function currencyFaults(
  product: GivenPreassigned,
  other: { readonly id: string; readonly currency?: string | undefined },
  pointer: string,
): readonly ErrorItem[] {
  const { currency = DEFAULT_CURRENCY } = product;
  if ((other.currency ?? DEFAULT_CURRENCY) === currency) return [];
  return [fault(pointer, 'CURRENCY', `${other.id} has another currency than ${product.id}`)];
}

function chosenTwice(product: GivenPreassigned, pointer: string): readonly ErrorItem[] {
  const { compulsorySupplements = [], optionalSupplements = [] } = product;
  return optionalSupplements.flatMap((id, at) =>
    compulsorySupplements.includes(id)
      ? [fault(`${pointer}/optionalSupplements/${at}`, 'DUPLICATE', `${id} is compulsory already`)]
      : [],
  );
}

function countFaults(count: TravellerCount | undefined, pointer: string): readonly ErrorItem[] {
  if (!count || count.minTravellers <= count.maxTravellers) return [];
  return [fault(`${pointer}/maxTravellers`, 'RANGE', 'is below minTravellers')];
}
