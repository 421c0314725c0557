/** A fare product of the demo with its prices, and what most of them share. Callers: the modules of products. */
import type {
  GivenFarePrice,
  GivenPreassigned,
  GivenProduct,
  GivenSupplement,
  GivenTax,
} from '../../../activities/catalogue/given-catalogue.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';
import { demId } from '../xml-writer.ts';
import type { ChangeRuleSetName, RefundRuleSetName } from './rules.ts';

export interface Sold {
  readonly product: GivenProduct;
  readonly prices: readonly GivenFarePrice[];
}

/** Who sells, and who carries. */
export interface Parties {
  readonly organisationId: OrganisationId;
  readonly carrierOrganisationId: OrganisationId;
}

/** Transport of persons. */
const VAT_LOW: GivenTax = { code: 'VAT_LOW', rate: 12 };
export const VAT_HIGH: GivenTax = { code: 'VAT_HIGH', rate: 25 };

/** Orders buses, trams and boats. */
export const COAST = demId('Authority', 'Kysten');
/** Orders trains and coaches. */
export const LONG_DISTANCE = demId('Authority', 'Langrute');

type FareFacts = Omit<GivenPreassigned, 'kind' | 'version' | 'tax' | 'refundRuleSetId' | 'changeRuleSetId'> & {
  readonly refundRuleSetId: RefundRuleSetName;
  readonly changeRuleSetId: ChangeRuleSetName;
};

export function fare(facts: FareFacts, priced: (id: string) => readonly GivenFarePrice[]): Sold {
  return { product: { kind: 'PREASSIGNED', version: 1, tax: VAT_LOW, ...facts }, prices: priced(facts.id) };
}

type SupplementFacts = Omit<GivenSupplement, 'kind' | 'version' | 'tax'> & { readonly tax?: GivenTax };

export function supplement(facts: SupplementFacts, amount: string): Sold {
  return {
    product: { kind: 'SUPPLEMENT', version: 1, tax: VAT_LOW, ...facts },
    prices: [{ productId: facts.id, basis: { kind: 'FLAT', amount } }],
  };
}

export function lineId(number: number): string {
  return demId('Line', number);
}
