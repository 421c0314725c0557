/**
 * The settlement of a request, from the header `Service-Settlement-Id`. Operations say by `x-settlement: optional` that they take it.
 * Caller: the preparation of requests.
 */
import type { DistributionChannel } from '../../activities/shared/catalogue.ts';
import type { SettlementReader } from '../../activities/shared/settlements.ts';
import type { SettlementId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller } from './operation.ts';

export type FindSettlement = SettlementReader['findOpen'];

const HEADER = 'Settlement-Id';
/** The header as handlers and checks see it, whatever the operator's prefix is. */
const NEUTRAL_HEADER = 'service-settlement-id';
const SETTLEMENT_ID = /^\d{1,18}$/;

export interface SettlementCheckOptions {
  readonly findSettlement: FindSettlement;
  readonly headerPrefix: string;
}

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Checks the form at once. The answer finds the settlement: undefined where the request names none. Both throw
 * INVALID_SETTLEMENT_ID.
 */
export function checkSettlement(
  headers: Headers,
  { caller, channel }: { readonly caller: Caller | undefined; readonly channel: DistributionChannel | undefined },
  { findSettlement, headerPrefix }: SettlementCheckOptions,
): () => Promise<SettlementId | undefined> {
  const id = headers[NEUTRAL_HEADER];
  if (id === undefined) return async () => undefined;
  const name = `${headerPrefix}-${HEADER}`;
  if (!SETTLEMENT_ID.test(id)) throw invalid(name, 'has 1 to 18 digits');
  return async () => {
    const open = caller && (await findSettlement(caller.organisationId, id as SettlementId));
    if (!open) throw invalid(name, 'names no open settlement of your organisation');
    if (channel && channel.id !== open.distributionChannelId) {
      throw invalid(name, 'names a settlement of another distribution channel');
    }
    return open.id;
  };
}

function invalid(name: string, detail: string): ServiceError {
  return new ServiceError('INVALID_SETTLEMENT_ID', `The header ${name} ${detail}.`, {
    errors: [{ pointer: `/header/${name}`, code: 'INVALID_SETTLEMENT_ID', detail }],
  });
}
