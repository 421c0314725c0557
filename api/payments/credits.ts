/** What is paid back, to be read; and decisions on what the provider has refused. */
import { resolveCredit } from '../../activities/payments/credit-resolving.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import type { CreditId } from '../../workflows/shared/ids.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { PaymentsDependencies } from './dependencies.ts';
import { presentCredit } from './presenters.ts';
import { tenancyOf } from './requests.ts';

type CreditOperations = Pick<Operations, 'searchCredits' | 'getCredit' | 'resolveCredit'>;

export function createCreditOperations({
  credits,
  creditSearch,
  creditResolving,
}: Pick<PaymentsDependencies, 'credits' | 'creditSearch' | 'creditResolving'>): Handlers<CreditOperations> {
  return {
    searchCredits: async ({ caller, search }) => {
      const { items, totalItems } = await creditSearch.search(tenancyOf(caller), search);
      return { status: 200, json: toSearchPage(search, items.map(presentCredit), totalItems) };
    },
    getCredit: async ({ path, caller }) => {
      const { credit } = await credits.get(tenancyOf(caller), Number(path.creditId) as CreditId);
      return { status: 200, json: presentCredit(credit) };
    },
    resolveCredit: async ({ path, body, caller, correlationId }) => {
      const { credit } = await credits.get(tenancyOf(caller), Number(path.creditId) as CreditId);
      const how = body.resolution === 'GIVEN_UP' ? 'GIVEN_UP' : 'ELSEWHERE';
      const decided = await resolveCredit(creditResolving, credit, { how, reason: body.reason }, correlationId);
      return { status: 200, json: presentCredit(decided) };
    },
  };
}
