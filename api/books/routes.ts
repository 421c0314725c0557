/** The area of the books: settlements, which openapi.yaml describes. */
import { Readable } from 'node:stream';
import { type LedgerReader, rowsOf } from '../../activities/books/ledger-reader.ts';
import type { ReconciliationStore } from '../../activities/books/reconciliation-store.ts';
import { type ClosingParts, closeSettlement } from '../../activities/books/settlement-closing.ts';
import type { SettlementStore, Tenancy } from '../../activities/books/settlement-store.ts';
import type { DistributionChannel } from '../../activities/shared/catalogue.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import type { Settlement } from '../../workflows/books/rules/settlement.ts';
import type { DistributionChannelId, SettlementId } from '../../workflows/shared/ids.ts';
import { ServiceError } from '../../workflows/shared/service-error.ts';
import type { Caller, TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { CSV_HEADINGS, csvLine, presentReport, presentRow, presentSettlement } from './presenters.ts';

export interface BooksDependencies {
  readonly settlements: SettlementStore;
  readonly reader: LedgerReader;
  readonly reports: Pick<ReconciliationStore, 'list'>;
  readonly closing: ClosingParts;
}

const PATH = '/v1/settlements';
const DEFAULT_PER_PAGE = 25;
/** The relay takes milliseconds; a caller waits no longer than for a reservation. */
const CLOSING_WAIT_MS = 5_000;
const EVERY_ORGANISATION = 'organisation:any';

interface Target {
  readonly caller: Caller;
  /** Absent before the header was read. */
  readonly channel?: DistributionChannel | undefined;
  readonly path: { readonly settlementId: SettlementId };
}

export function createBooksArea({ settlements, reader, reports, closing }: BooksDependencies): TypedArea<Operations> {
  const find = async ({ caller, channel, path }: Target): Promise<Settlement> => {
    const found = await settlements.get(tenancyOf(caller), path.settlementId);
    if (channel && channel.id !== found.distributionChannelId) {
      throw new ServiceError('NOT_FOUND', 'There is no such settlement of this distribution channel.');
    }
    return found;
  };
  const show = async (settlement: Settlement) => {
    const totals = settlement.totals ?? (await reader.totalsOf(settlement.id));
    return presentSettlement(settlement, { totals, lateEntries: await reader.countLate(settlement.id) });
  };
  return {
    name: 'books',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      openSettlement: async ({ caller, channel, correlationId, idempotency }) => {
        const { workId } = await idempotency.claim();
        const work = { workId, correlationId, clientId: caller.clientId };
        const opened = await settlements.open(caller.organisationId, channel.id as DistributionChannelId, work);
        return { status: 201, headers: { location: `${PATH}/${opened.id}` }, json: await show(opened) };
      },
      listSettlements: async ({ caller, channel, query }) => {
        const { page = 1, perPage = DEFAULT_PER_PAGE, status } = query;
        const wanted = { page, perPage, status, distributionChannelId: channel?.id };
        const { items, totalItems } = await settlements.list(caller.organisationId, wanted);
        const shown = items.map((each) => presentSettlement(each, { totals: each.totals ?? [], lateEntries: 0 }));
        return { status: 200, json: toSearchPage({ page, perPage }, shown, totalItems) };
      },
      getSettlement: async (context) => ({ status: 200, json: await show(await find(context)) }),
      closeSettlement: async (context) => {
        const { id } = await find(context);
        const { correlationId, caller } = context;
        const closed = await closeSettlement(closing, tenancyOf(caller), id, {
          correlationId,
          waitMs: CLOSING_WAIT_MS,
        });
        const json = await show(closed);
        return closed.status === 'CLOSED' ? { status: 200, json } : { status: 202, json };
      },
      listReconciliations: async ({ caller, query }) => {
        const { page = 1, perPage = DEFAULT_PER_PAGE } = query;
        const { items, totalItems } = await reports.list(tenancyOf(caller), { page, perPage });
        return { status: 200, json: toSearchPage({ page, perPage }, items.map(presentReport), totalItems) };
      },
      listSettlementEntries: async (context) => {
        const { id } = await find(context);
        const { page = 1, perPage = DEFAULT_PER_PAGE, late = false } = context.query;
        if (context.accepted === 'text/csv') {
          const headers = {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="settlement-${id}${late ? '-late' : ''}.csv"`,
          };
          return { status: 200, headers, stream: Readable.from(linesOf(reader, id, late)) };
        }
        const range = { first: (page - 1) * perPage + 1, last: page * perPage, late };
        const { rows, total } = await reader.pageOf(id, range);
        return { status: 200, json: toSearchPage({ page, perPage }, rows.map(presentRow), total) };
      },
    },
    finds: { getSettlement: find, closeSettlement: find, listSettlementEntries: find },
  };
}

function tenancyOf({ scopes, organisationId }: Caller): Tenancy {
  return scopes.has(EVERY_ORGANISATION) ? 'ANY' : organisationId;
}

async function* linesOf(reader: LedgerReader, id: SettlementId, late: boolean): AsyncGenerator<string> {
  yield CSV_HEADINGS;
  for await (const entry of reader.streamOf(id, late)) yield rowsOf(entry).map(csvLine).join('');
}
