/** Who reads mails to the address that a call has named, apart from that address itself. Callers: asked-plan.ts, mailing-planner.ts. */
import type { CustomerNumber, OrganisationId } from '../../../workflows/shared/ids.ts';
import type { GivenReader } from '../../../workflows/tickets/rules/mailing-plan.ts';
import type { CustomerReader } from '../../shared/customers.ts';
import { isSameAddress } from '../mail-address.ts';

export interface ReadersAsked {
  readonly organisationId: OrganisationId;
  /** That tickets of the order may go to. */
  readonly numbers: readonly CustomerNumber[];
  readonly email: string;
  readonly fingerprint: string;
}

export async function givenReader(
  customers: Pick<CustomerReader, 'listReachable'>,
  { organisationId, numbers, email, fingerprint }: ReadersAsked,
): Promise<GivenReader> {
  const reachable = await customers.listReachable(organisationId, numbers);
  const same = [...reachable].flatMap(([number, { email: own }]) =>
    own !== undefined && isSameAddress(own, email) ? [number] : [],
  );
  return { fingerprint, customers: new Set(same) };
}
