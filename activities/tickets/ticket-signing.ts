/**
 * Makes the signed barcodes of tickets, sealed with the key of their order. Caller: the writer of groups.
 *
 * The order's key is opened before names are read: after an erasure either the key that seals is gone, or the names are.
 */
import { assembleBarcode } from '../../barcode/signed-barcode.ts';
import type { NewDataKey, SubjectKeys } from '../../platform/personal/subject-keys.ts';
import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import { type KeyValidity, pdfKeyOf, type SignedTickets } from '../../workflows/tickets/rules/signing.ts';
import type { Distribution, TicketGroup } from '../../workflows/tickets/rules/ticket-group.ts';
import type { CatalogueReader } from '../shared/catalogue.ts';
import type { CustomerReader, ReachableCustomer } from '../shared/customers.ts';
import { type BarcodeFacts, level1Of } from './barcode-content.ts';
import { barcodePurpose, ownerOf } from './sealed-barcodes.ts';
import type { TicketSigner } from './signing/ticket-signer.ts';

export interface TicketSigningOptions {
  readonly keys: Pick<SubjectKeys, 'findOrCreate'>;
  readonly customers: Pick<CustomerReader, 'listReachable'>;
  readonly catalogue: Pick<CatalogueReader, 'findOrganisation' | 'findChannel'>;
  readonly signer: TicketSigner;
  /** Elsewhere tickets are specimens. */
  readonly isProduction: boolean;
  readonly now?: () => Date;
}

type Named = ReadonlyMap<CustomerNumber, ReachableCustomer>;

export class TicketSigning {
  readonly #options: TicketSigningOptions;
  readonly #now: () => Date;

  constructor(options: TicketSigningOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** That sign, or have signed. */
  get keys(): readonly KeyValidity[] {
    return this.#options.signer.published;
  }

  async sign(group: TicketGroup, tickets: readonly Distribution[]): Promise<SignedTickets> {
    const dataKey = await this.#options.keys.findOrCreate(ownerOf(group));
    const numbers = tickets.flatMap(({ travellers }) => travellers.map(({ customerNumber }) => customerNumber));
    const known = [...new Set(numbers.filter((number) => number !== undefined))];
    const names = await this.#options.customers.listReachable(group.organisationId, known);
    const facts = await this.#factsOf(group, names);
    const signed = await Promise.all(tickets.map((ticket) => this.#signOne(ticket, group, { dataKey, facts })));
    return new Map(signed);
  }

  async #signOne(
    ticket: Distribution,
    group: TicketGroup,
    { dataKey, facts }: { readonly dataKey: NewDataKey; readonly facts: BarcodeFacts },
  ) {
    const key = this.#options.signer.current(this.#now(), ticket.endOfValidity);
    const level1 = level1Of(ticket, group, facts, key.keyId);
    const barcode = assembleBarcode(level1, await key.sign(level1));
    const sealedBarcode = dataKey.sealing.sealBytes(barcodePurpose(ticket.id), barcode);
    const pdfKey = pdfKeyOf(group, ticket.id);
    const signedBy = { signingKeyId: key.keyId, signingIssuerCode: facts.issuerCode };
    return [ticket.id, { keyId: dataKey.keyId, ...signedBy, sealedBarcode, pdfKey }] as const;
  }

  async #factsOf(group: TicketGroup, names: Named): Promise<BarcodeFacts> {
    const { catalogue, signer, isProduction } = this.#options;
    const [organisation, channel] = await Promise.all([
      catalogue.findOrganisation(group.organisationId),
      catalogue.findChannel(group.distributionChannelId),
    ]);
    const holder = names.get((group.distributionHolderCustomerId ?? group.orderOwnerCustomerId) as CustomerNumber);
    return {
      issuerCode: signer.issuerCode,
      ...(organisation && { issuerName: organisation.name }),
      specimen: !isProduction,
      names,
      language: holder?.language ?? channel?.defaultLanguage ?? 'nob',
    };
  }
}
