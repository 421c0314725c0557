/** What other areas ask of customers. Provided by the customers area. Types, and the key of the interface. */
import { interfaceKey } from '../../platform/interfaces.ts';
import type { CustomerNumber, OrganisationId } from '../../workflows/shared/ids.ts';

export interface CustomerReader {
  /** Those of the numbers that have a profile of this organisation: neither expired nor being erased. */
  listExisting(
    organisationId: OrganisationId,
    customerNumbers: readonly CustomerNumber[],
  ): Promise<ReadonlySet<CustomerNumber>>;
}

export const CUSTOMERS = interfaceKey<CustomerReader>('customers');
