/**
 * What an area does when a customer is erased: it destroys what of its own tells who that customer is. Types only.
 *
 * Areas that keep such things make one; the worker `sales-customers` composes the list that `profileErasure` goes by. `name`
 * stands in histories: letters only, never changed.
 */
export interface ErasureStep {
  readonly name: string;
  /** May run twice, and two at once. Throws what repeating may cure; it is repeated without end. */
  erase(organisationId: number, customerNumber: string): Promise<void>;
  /** Reads back: false makes all steps run again. */
  isErased(organisationId: number, customerNumber: string): Promise<boolean>;
}
