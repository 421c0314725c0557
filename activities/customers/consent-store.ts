import type { CustomerNumber } from '../../workflows/shared/ids.ts';
import type { CustomerStoreOptions } from './customer-config.ts';
import type { Consent, ConsentContent, Found, Paging, Tenancy, Write } from './customer-types.ts';

export declare class ConsentStore {
  constructor(options: CustomerStoreOptions);
  list(tenancy: Tenancy, customerNumber: CustomerNumber): Promise<readonly Consent[]>;
  get(tenancy: Tenancy, customerNumber: CustomerNumber, id: string): Promise<Consent>;
  /** INVALID_STATE, naming the id, when there is a live one of the same code; beyond the limit too. */
  add(tenancy: Tenancy, customerNumber: CustomerNumber, content: ConsentContent, write: Write): Promise<Consent>;
  /** The row before goes to the history. INVALID_STATE when the code is another one. */
  replace(
    tenancy: Tenancy,
    customerNumber: CustomerNumber,
    id: string,
    content: ConsentContent,
    write: Write,
  ): Promise<Consent>;
  remove(tenancy: Tenancy, customerNumber: CustomerNumber, id: string, write: Write): Promise<void>;
  /** Earlier rows, newest first; also of a consent that was removed. NOT_FOUND when there never was one. */
  history(tenancy: Tenancy, customerNumber: CustomerNumber, id: string, paging: Paging): Promise<Found<Consent>>;
}
