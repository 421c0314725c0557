/** What other areas ask of customers. Provided by the customers area. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';
import type { TextLanguage } from '../../workflows/shared/text.ts';

export interface CustomerReader {
  /** Those of the numbers that have a profile of this organisation: neither expired nor being erased. */
  listExisting(
    organisationId: OrganisationId,
    customerNumbers: readonly CustomerNumber[],
  ): Promise<ReadonlySet<CustomerNumber>>;
  /** Those of them that have an e-mail address. */
  listWithEmail(
    organisationId: OrganisationId,
    customerNumbers: readonly CustomerNumber[],
  ): Promise<ReadonlySet<CustomerNumber>>;
  /** The language that the customer wants to be written to in. Undefined where there is no such profile. */
  findLanguage(organisationId: OrganisationId, customerNumber: CustomerNumber): Promise<TextLanguage | undefined>;
  /** Names and addresses of those that have a profile. Only in processes that may open customers' keys. */
  listReachable(
    organisationId: OrganisationId,
    customerNumbers: readonly CustomerNumber[],
  ): Promise<ReadonlyMap<CustomerNumber, ReachableCustomer>>;
}

/** Personal data: it lives no longer than a request, and is never logged. */
export interface ReachableCustomer {
  readonly firstName?: string;
  readonly surname?: string;
  readonly email?: string;
  readonly language: TextLanguage;
}

export const CUSTOMERS = interfaceKey<CustomerReader>('customers');
