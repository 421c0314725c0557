/** What is paid back, to be read. */
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import type { CreditId } from '../../workflows/shared/ids.ts';
import type { Handlers } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import type { PaymentsDependencies } from './dependencies.ts';
import { presentCredit } from './presenters.ts';
import { tenancyOf } from './requests.ts';

export function createCreditOperations({
  credits,
  creditSearch,
}: Pick<PaymentsDependencies, 'credits' | 'creditSearch'>): Handlers<Pick<Operations, 'searchCredits' | 'getCredit'>> {
  return {
    searchCredits: async ({ caller, search }) => {
      const { items, totalItems } = await creditSearch.search(tenancyOf(caller), search);
      return { status: 200, json: toSearchPage(search, items.map(presentCredit), totalItems) };
    },
    getCredit: async ({ path, caller }) => {
      const { credit } = await credits.get(tenancyOf(caller), Number(path.creditId) as CreditId);
      return { status: 200, json: presentCredit(credit) };
    },
  };
}
