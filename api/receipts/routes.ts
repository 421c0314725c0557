/** The area of receipts, which openapi.yaml describes. */
import type { ReceiptRenderer } from '../../activities/receipts/receipt-renderer.ts';
import type { ReceiptSearch } from '../../activities/receipts/receipt-search.ts';
import { type SendingDependencies, sendReceipt, typeOfReceipt } from '../../activities/receipts/receipt-sending.ts';
import { type ReceiptStore, type Tenancy, type WantedMail, wantedOf } from '../../activities/receipts/receipt-store.ts';
import { startPending } from '../../platform/aggregate/pending-starts.ts';
import { toSearchPage } from '../../platform/mongo/search-filter.ts';
import { serialNumber } from '../../workflows/receipts/rules/serial.ts';
import type { ReceiptReference } from '../../workflows/shared/ids.ts';
import { plainUuid } from '../../workflows/shared/uuid.ts';
import type { Caller, TypedArea } from '../shared/operation.ts';
import type { Operations } from './contract.gen.ts';
import { presentReceipt } from './presenters.ts';

export interface ReceiptsDependencies extends Omit<SendingDependencies, 'receipts'> {
  readonly receipts: ReceiptStore;
  readonly search: ReceiptSearch;
  readonly renderer: Pick<ReceiptRenderer, 'pdf'>;
  readonly start: (wanted: WantedMail) => Promise<void>;
}

const PATH = '/v1/receipts';
const EVERY_ORGANISATION = 'organisation:any';

interface Target {
  readonly caller: Caller;
  readonly path: { readonly reference: ReceiptReference };
}

export function createReceiptsArea(dependencies: ReceiptsDependencies): TypedArea<Operations> {
  const { receipts, search: searches, renderer, start } = dependencies;
  const find = async ({ caller, path }: Target) =>
    await receipts.get(tenancyOf(caller), plainUuid(path.reference) as ReceiptReference);
  return {
    name: 'receipt',
    document: new URL('./openapi.yaml', import.meta.url),
    operations: {
      sendReceipt: async ({ body, query, caller, correlationId, idempotency, log }) => {
        const { workId } = await idempotency.claim();
        const { orderId, orderVersion, distribution, receiptLanguage, serialNumber: serial, copyReceipt } = body;
        const version = { tenancy: tenancyOf(caller), orderId, orderVersion };
        const { email, telephone } = distribution;
        const what = { receiptType: query.receiptType, serialNumber: serial, copy: copyReceipt ?? false };
        const wanted = { ...what, email, byTelephone: telephone !== undefined, language: receiptLanguage };
        const stored = await sendReceipt(dependencies, version, wanted, { workId, correlationId });
        const clear = async (each: WantedMail) => await receipts.clearPendingStart(each);
        await startPending(wantedOf(stored), { start, clear, describe, log });
        const { reference } = stored.receipt;
        return { status: 202, headers: { location: `${PATH}/${reference}` }, json: { reference } };
      },
      searchReceipts: async ({ caller, search }) => {
        const { items, totalItems } = await searches.search(tenancyOf(caller), search);
        return { status: 200, json: toSearchPage(search, items.map(presentReceipt), totalItems) };
      },
      getReceiptType: async ({ caller, query: { orderId, orderVersion } }) => {
        const version = { tenancy: tenancyOf(caller), orderId, orderVersion };
        return { status: 200, json: { receiptType: await typeOfReceipt(dependencies, version) } };
      },
      getReceipt: async (context) => ({ status: 200, json: presentReceipt(await find(context)) }),
      getReceiptPdf: async (context) => {
        const { receipt, copyOf, timeZone } = await find(context);
        const shown = { copy: copyOf !== undefined, language: receipt.language, timeZone };
        const headers = {
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="receipt-${serialNumber(receipt)}.pdf"`,
        };
        return { status: 200, headers, bytes: await renderer.pdf(receipt, shown) };
      },
    },
    finds: { getReceipt: find, getReceiptPdf: find },
  };
}

function tenancyOf({ scopes, organisationId }: Caller): Tenancy {
  return scopes.has(EVERY_ORGANISATION) ? 'ANY' : organisationId;
}

function describe({ reference, orderId, organisationId }: WantedMail) {
  return { reference, orderId, organisationId };
}
