/**
 * Makes the receipt of a confirmed version: what was sold, the money that moved, and who has sold it. Callers: what receipts offer
 * to other areas, the operations of the API.
 */

import type { ReceiptSeller, ReceiptType } from '../../workflows/receipts/rules/receipt.ts';
import { type ReceiptContent, receiptContent } from '../../workflows/receipts/rules/receipt-content.ts';
import type { FareProduct } from '../../workflows/shared/fares.ts';
import type { DistributionChannelId, OrderId, OrganisationId } from '../../workflows/shared/ids.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';
import type { CatalogueContent, CatalogueReader } from '../shared/catalogue.ts';
import type { CustomerReader } from '../shared/customers.ts';
import type { SoldOrder, SoldOrders } from '../shared/sold-orders.ts';
import type { MoneyOfVersions } from '../shared/version-money.ts';
import type { StoredReceipt } from './receipt-members.ts';
import type { ReceiptStore, Tenancy } from './receipt-store.ts';

export interface ReceiptIssuingOptions {
  readonly receipts: Pick<ReceiptStore, 'findOriginal' | 'issue'>;
  readonly sold: () => Pick<SoldOrders, 'findSold'>;
  readonly money: () => MoneyOfVersions;
  readonly catalogue: () => Pick<CatalogueReader, 'current'>;
  readonly customers: () => Pick<CustomerReader, 'findLanguage'>;
}

export interface WantedVersion {
  readonly tenancy: Tenancy;
  readonly orderId: OrderId;
  readonly orderVersion: number;
}

const DEFAULT_LANGUAGE: TextLanguage = 'nob';

export class ReceiptIssuing {
  readonly #options: ReceiptIssuingOptions;

  constructor(options: ReceiptIssuingOptions) {
    this.#options = options;
  }

  /**
   * The same for every repeat, in the language of the contact: that which a caller asks for is of its own mail. Undefined where this
   * version was not confirmed, or has neither payment nor credit. Throws UNAVAILABLE while money of it is on its way back.
   */
  async issue(version: WantedVersion, work: { readonly correlationId: string }): Promise<StoredReceipt | undefined> {
    const { receipts, sold, catalogue } = this.#options;
    const { tenancy, orderId, orderVersion } = version;
    const earlier = await receipts.findOriginal(tenancy, orderId, orderVersion);
    if (earlier) return earlier;
    const found = await sold().findSold(tenancy, orderId, orderVersion);
    if (!found) return undefined;
    const { content: reference } = await catalogue().current();
    const content = await this.#contentOf(found, reference.fareProducts);
    if (!content) return undefined;
    const { organisationId, distributionChannelId, currency, contact, createdBy } = found.order;
    const reader = contact ?? createdBy;
    const ofOrganisation = { organisationId, distributionChannelId, reader };
    const language = await this.#languageOf(ofOrganisation, reference);
    const facts = { organisationId, distributionChannelId, orderId, orderVersion, currency, language };
    const receipt = { ...facts, ...content, seller: sellerOf(organisationId, reference) };
    return await receipts.issue({ receipt, timeZone: reference.timeZone, contact: reader }, work);
  }

  /** Also of a version whose receipt is yet to be made. Undefined, and throws, as {@link issue}. */
  async typeOf({ tenancy, orderId, orderVersion }: WantedVersion): Promise<ReceiptType | undefined> {
    const earlier = await this.#options.receipts.findOriginal(tenancy, orderId, orderVersion);
    if (earlier) return earlier.receipt.receiptType;
    const found = await this.#options.sold().findSold(tenancy, orderId, orderVersion);
    return found && (await this.#contentOf(found))?.receiptType;
  }

  /** `fareProducts` name supplements: the type of a receipt does without. */
  async #contentOf(
    { order, version, before }: SoldOrder,
    fareProducts: readonly FareProduct[] = [],
  ): Promise<ReceiptContent | undefined> {
    const money = await this.#options.money().find(order, version.version, before?.version);
    const products = new Map(fareProducts.map((product) => [product.id, product]));
    return receiptContent({ before, after: version, money, products });
  }

  async #languageOf(
    {
      organisationId,
      distributionChannelId,
      reader,
    }: {
      readonly organisationId: OrganisationId;
      readonly distributionChannelId: DistributionChannelId;
      readonly reader: StoredReceipt['contact'] | undefined;
    },
    { distributionChannels }: CatalogueContent,
  ): Promise<TextLanguage> {
    const wished = reader && (await this.#options.customers().findLanguage(organisationId, reader));
    const channel = distributionChannels.find(({ id }) => id === distributionChannelId);
    return wished ?? channel?.defaultLanguage ?? DEFAULT_LANGUAGE;
  }
}

/** An organisation that the catalogue has no facts of is named as it names it. */
function sellerOf(organisationId: OrganisationId, { organisations }: CatalogueContent): ReceiptSeller {
  const organisation = organisations.find(({ id }) => id === organisationId);
  const { legalName, vatNumber, address, contact } = organisation?.seller ?? {};
  return {
    name: legalName ?? organisation?.name ?? String(organisationId),
    ...(vatNumber !== undefined && { vatNumber }),
    ...(address && { address }),
    ...(contact !== undefined && { contact }),
  };
}
