/** Whether an operator may decide so. Callers: the operation of the API, the activities of this folder. */
import type { Refund, Resolution } from '../../workflows/refunds/rules/refund.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { RefundMoney } from '../shared/refund-money.ts';

/** Throws INVALID_STATE where money cannot count as paid in another way: the rest can only be given up. */
export async function assertDecidable(
  money: Pick<RefundMoney, 'assertCountable'>,
  { organisationId, creditId }: Pick<Refund, 'organisationId' | 'creditId'>,
  resolution: Resolution,
): Promise<void> {
  if (resolution !== 'CREDITED_ELSEWHERE' || creditId === undefined) return;
  try {
    await money.assertCountable(organisationId, creditId);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'REFUND_AMOUNT_EXCEEDED') throw error;
    throw new ServiceError('INVALID_STATE', `${error.message} Decide GIVEN_UP.`);
  }
}
